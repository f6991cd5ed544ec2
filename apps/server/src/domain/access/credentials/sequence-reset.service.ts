import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { resetCardSequence } from "../../property/public.ts";
import { blockZoneRecords } from "../cards/refusals.ts";
import { revokeCards } from "../cards/revoke-cards.ts";
import { updateRewriteMarks } from "../cards/rewrites.ts";
import { selectLockForUpdate } from "../lock-commands/commands.ts";
import { configureLock } from "../locks/configure.ts";
import { settleCards } from "./min-sequences.ts";

type LockRef = z.infer<typeof schema.lockRef>;

/**
 * Resets a door's issue sequence, if it ran out of numbers or the lock wrongly refuses valid cards. All cards written
 * for the lock are revoked and must be written again. Each unexpired card is blocked by its number and listed as a key
 * not yet blocked until the lock confirms. Only after these blocks does the lock lower its floor. @throws no_permission
 * unless the caller is an owner; not_found; state_conflict for a lock that doesn't read our cards
 */
export async function resetSequence(scope: Scope, { lockId }: LockRef): Promise<LockRef> {
  scope.require("locks.manage");
  scope.requireOwner();
  return scope.write(async (tx) => {
    const lock = await selectLockForUpdate(tx, lockId);
    if (!lock) throw new DomainError("not_found");
    if (lock.driver !== "mqtt") throw new DomainError("state_conflict", { state: lock.driver });
    const written = { kind: "guest" as const, overTheAir: false, lockNumber: lockId };
    const now = scope.now();
    const revoked = await revokeCards(scope, tx, written, "sequence_reset");
    // Cards that were refused because of their sequence could open again, so they count as `revoking` until the lock
    // blocks their number.
    await tx.db.card.updateMany({
      where: { ...written, state: "revoked", OR: [{ validTo: null }, { validTo: { gt: now } }] },
      data: { state: "revoking" },
    });
    await tx.db.lockCommand.updateMany({
      where: { lockId, type: "raise_floor", state: { in: ["queued", "sent"] } },
      data: { state: "superseded", endedAt: now, argsBox: null },
    });
    await tx.db.lock.update({ where: { id: lockId }, data: { guestFloor: 0, sequenceFrom: now } });
    if (lock.roomId !== null) await resetCardSequence(tx, lock.roomId);
    if (lock.accessHash !== null) await configureLock(scope, tx, lockId);
    await blockZoneRecords(scope, tx, written);
    await settleCards(scope, tx);
    if (lock.roomId !== null) await updateRewriteMarks(scope, tx, [lock.roomId]);
    const before = { guestFloor: lock.guestFloor };
    const after = { guestFloor: 0, cardsTakenBack: revoked.length };
    tx.audit({ action: "lock.resetSequence", entity: "lock", entityId: lockId, before, after });
    return { lockId };
  });
}
