import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/locks";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { takeBack } from "../cards/revoke-cards.ts";
import { configureLock } from "./configure.ts";
import { holdLock } from "./lock-row-for-update.ts";
import { settleCards } from "./min-sequences.ts";

type LockRef = z.infer<typeof schema.lockRef>;

/**
 * Starts a door's issue sequence over, where it ran out of numbers or a lock was led to refuse cards that are good. All cards
 * written for the lock are taken back and have to be written again: each that has not run out is refused by its number until it
 * does, and is listed as one that may still open until the lock has confirmed that. Only then does the lock lower its floor.
 * For owners alone. @throws no_permission, not_found; state_conflict for a lock that reads no cards of ours
 */
export async function resetSequence(scope: Scope, { lockId }: LockRef): Promise<LockRef> {
  scope.require("locks.manage");
  if (scope.actor.role !== "owner") throw new DomainError("no_permission");
  return scope.write(async (unit) => {
    const lock = await holdLock(unit, lockId);
    if (!lock) throw new DomainError("not_found");
    if (lock.driver !== "mqtt") throw new DomainError("state_conflict", { state: lock.driver });
    const written = { kind: "guest" as const, overTheAir: false, lockNumber: lockId };
    const now = scope.now();
    const revoked = await takeBack(scope, unit, written, "sequence_reset");
    // What was dead because of its sequence is not, until the lock refuses its number.
    await unit.db.card.updateMany({
      where: { ...written, state: "revoked", OR: [{ validTo: null }, { validTo: { gt: now } }] },
      data: { state: "revoking" },
    });
    await unit.db.lockCommand.updateMany({
      where: { lockId, type: "raise_floor", state: { in: ["queued", "sent"] } },
      data: { state: "superseded", endedAt: now, argsBox: null },
    });
    await unit.db.lock.update({ where: { id: lockId }, data: { guestFloor: 0, sequenceFrom: now } });
    if (lock.roomId !== null) await unit.db.room.update({ where: { id: lock.roomId }, data: { cardSequence: 0 } });
    if (lock.accessHash !== null) await configureLock(scope, unit, lockId);
    await settleCards(scope, unit);
    const before = { guestFloor: lock.guestFloor };
    const after = { guestFloor: 0, cardsTakenBack: revoked.length };
    unit.journal({ action: "lock.resetSequence", entity: "lock", entityId: lockId, before, after });
    return { lockId };
  });
}
