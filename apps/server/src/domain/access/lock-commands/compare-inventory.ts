import { type StoredCredential, storedCredential } from "@innkey/shared/locks/protocol";
import { isSameHours } from "@innkey/shared/locks/week-hours";
import { z } from "zod";
import type { Credential, Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../../messaging/public.ts";
import { hoursOf } from "../cards/card-record.ts";
import { credentialContent, isOneTime } from "../credentials/credential-content.ts";
import { enqueueRemoval, HOURS_CONFIRMED, SAME_WINDOW_SECONDS, sendCredential } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { reopenRevocations } from "../credentials/returned-keys.ts";
import { enqueue } from "./commands.ts";

/**
 * A credential on a lock that this console did not create. An `adopted` one was accepted by a staff member and is no
 * longer reported. `heardAt` is the time of the unlock event by which it was noticed, if it is known only from that
 * event.
 */
export const unmanagedItem = storedCredential.extend({
  adopted: z.boolean().default(false),
  heardAt: z.string().nullable().default(null),
});
export type UnmanagedItem = z.infer<typeof unmanagedItem>;

export const unmanagedOf = (lock: { unmanaged: unknown }): UnmanagedItem[] =>
  z.array(unmanagedItem).catch([]).parse(lock.unmanaged);

type ItemName = Pick<StoredCredential, "slot" | "kind" | "name">;

export const isSameItem = (a: ItemName, b: ItemName): boolean =>
  a.slot === b.slot && (a.slot !== null || (a.kind === b.kind && a.name === b.name));

/**
 * Compares a lock's list of credentials with the database. Foreign credentials are recorded, and only changed by staff.
 * Our own are sent again if the lock lost them or has another window for them, and removed if they ended. A lock that
 * joins the hotel (`isTakeOver`) may have the list of another one: everything foreign in a slot is removed, and listed
 * without what it is until the lock confirms that.
 */
export async function compareInventory(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  reported: readonly StoredCredential[] | undefined,
  { isTakeOver = false } = {},
): Promise<void> {
  if (reported) {
    const ours = await tx.db.credential.findMany({
      where: { lockId: lock.id, state: { not: "revoked" } },
      include: { card: { select: { hours: true, once: true, usedAt: true } }, passcode: { select: { hours: true } } },
    });
    const slots = new Set(ours.map(({ id }) => id));
    const before = unmanagedOf(lock);
    const adopted = before.filter((item) => item.adopted);
    const unknown = reported.filter(({ slot }) => slot === null || !slots.has(slot));
    const unknownSlots = unknown.flatMap(({ slot }) => slot ?? []);
    const endedHere = new Set(await endedKeysOf(tx, lock.id, unknownSlots));
    await reopenRevocations(scope, tx, lock.id, [...endedHere]);
    const foreign = unknown
      .filter(({ slot }) => slot === null || !endedHere.has(slot))
      .map((item) => ({ ...item, heardAt: null, adopted: adopted.some((other) => isSameItem(other, item)) }));
    // A lock opens for a card's record without listing the card, so its absence from the list proves nothing.
    const cards = before.filter(
      (item) => item.heardAt !== null && item.slot === null && !foreign.some((other) => isSameItem(other, item)),
    );
    await storeUnmanaged(scope, tx, lock, [...(isTakeOver ? foreign.map(withoutDetails) : foreign), ...cards]);
    if (isTakeOver)
      for (const { slot } of foreign) if (slot !== null) await enqueueForeignRemoval(scope, tx, lock.id, slot);
    const reportedBySlot = new Map(reported.map((item) => [item.slot, item]));
    for (const credential of ours) {
      const item = reportedBySlot.get(credential.id);
      await (item ? handlePresent(scope, tx, credential, item) : handleMissing(scope, tx, credential));
    }
    await settleCards(scope, tx);
  }
  await tx.db.lock.update({ where: { id: lock.id }, data: { readBackAt: scope.now() } });
}

/** What another hotel stored on the lock is not this hotel's to read. */
const withoutDetails = (item: UnmanagedItem): UnmanagedItem => ({
  ...item,
  name: "",
  validFrom: null,
  validTo: null,
  hours: undefined,
});

/** Commands the lock to remove the foreign credential in a slot. */
export const enqueueForeignRemoval = (scope: Scope, tx: Transaction, lockId: number, slot: number): Promise<string> =>
  enqueue(scope, tx, lockId, { type: "remove_credential", subject: `slot:${slot}`, args: { slot } });

/** Returns the slots of a lock that belong to its own keys that ended. */
async function endedKeysOf(tx: Transaction, lockId: number, slots: readonly number[]): Promise<number[]> {
  if (slots.length === 0) return [];
  const where = { lockId, id: { in: [...slots] }, state: "revoked" as const };
  const ended = await tx.db.credential.findMany({ where, select: { id: true } });
  return ended.map(({ id }) => id);
}

/**
 * A command that failed less than this ago is not sent again. Otherwise it would fail, be read back and fail again
 * endlessly.
 */
const RECENT_FAILURE_MS = 3_600_000;

const isSameInstant = (confirmed: Date | null, intended: Date | null): boolean =>
  confirmed === null || intended === null
    ? confirmed === intended
    : Math.abs(confirmed.getTime() - intended.getTime()) <= SAME_WINDOW_SECONDS * 1000;

/**
 * Handles one of our credentials that the lock has: confirms it if its window and hours are right, otherwise sends or removes it
 * again.
 */
async function handlePresent(
  scope: Scope,
  tx: Transaction,
  credential: Credential & { card: { hours: unknown } | null; passcode: { hours: unknown } | null },
  item: StoredCredential,
): Promise<void> {
  const { id, state, validFrom, validTo } = credential;
  const key = credential.card ?? credential.passcode;
  const isRevoking = state === "revoking";
  const hasHours = isSameHours(item.hours ?? [], key ? hoursOf(key) : []);
  if (item.validFrom !== null) {
    const atLockFrom = new Date(item.validFrom);
    const atLockTo = item.validTo === null ? null : new Date(item.validTo);
    await tx.db.credential.update({ where: { id }, data: { atLockFrom, atLockTo } });
    if (!isRevoking && hasHours && isSameInstant(atLockFrom, validFrom) && isSameInstant(atLockTo, validTo)) {
      await tx.db.credential.updateMany({ where: { id }, data: HOURS_CONFIRMED });
      const unconfirmed = { id, state: { in: ["queued" as const, "sent" as const, "failed" as const] } };
      const data = { state: "confirmed" as const, confirmedAt: scope.now(), failReason: null };
      await tx.db.credential.updateMany({ where: unconfirmed, data });
      return;
    }
  } else if (!isRevoking) return;
  const last = await tx.db.lockCommand.findFirst({
    where: { credentialId: id, state: { not: "superseded" } },
    orderBy: { seq: "desc" },
    select: { state: true, endedAt: true },
  });
  if (last?.state === "queued" || last?.state === "sent") return;
  const hasJustFailed =
    last?.state === "failed" && last.endedAt && scope.now().getTime() - last.endedAt.getTime() < RECENT_FAILURE_MS;
  if (hasJustFailed) return;
  if (isRevoking) {
    await enqueueRemoval(scope, tx, credential);
    return;
  }
  // An expired credential is revoked automatically (pending-revocations.ts).
  if (validTo !== null && validTo <= scope.now()) return;
  const hours = hasHours ? {} : { hoursChangedAt: credential.hoursChangedAt ?? scope.now(), hoursCut: true };
  await tx.db.credential.update({ where: { id }, data: { state: "queued", failReason: null, ...hours } });
  await sendCredential(scope, tx, credential, await credentialContent(scope, tx, credential));
}

/**
 * Handles one of our credentials that the lock lacks: completes a revocation, and sends again what the lock should
 * have.
 */
async function handleMissing(
  scope: Scope,
  tx: Transaction,
  credential: Credential & { card: { once: boolean; usedAt: Date | null } | null },
): Promise<void> {
  const { id, state, validTo, passcodeId, card } = credential;
  if (passcodeId !== null && (await isOneTime(tx, passcodeId))) return;
  await tx.db.credential.update({ where: { id }, data: { atLockFrom: null, atLockTo: null, ...HOURS_CONFIRMED } });
  if (state === "revoking") {
    await tx.db.credential.update({ where: { id }, data: { state: "revoked", failReason: null } });
  }
  if (state !== "confirmed" && state !== "used") return;
  // A lock that has lost its memory would open once more; the card is about to end (cards.settle).
  if (card?.once && card.usedAt !== null) return;
  if (validTo !== null && validTo <= scope.now()) return;
  await tx.db.credential.update({ where: { id }, data: { state: "queued" } });
  await sendCredential(scope, tx, credential, await credentialContent(scope, tx, credential));
}

/** Returns the parameters of the alert: the number of foreign credentials and the newest of them. */
export function unmanagedParams(open: readonly UnmanagedItem[]): Record<string, string | number> {
  const last = open.findLast(({ heardAt }) => heardAt !== null) ?? open.at(-1);
  return { count: open.length, ...(last && { type: last.kind, key: last.name || (last.slot ?? "") }) };
}

/** Stores the foreign credentials of a lock, and alerts staff while any of them is not adopted. */
export async function storeUnmanaged(
  scope: Scope,
  tx: Transaction,
  lock: Pick<Lock, "id" | "roomId">,
  unmanaged: UnmanagedItem[],
): Promise<void> {
  await tx.db.lock.update({ where: { id: lock.id }, data: { unmanaged } });
  const open = unmanaged.filter(({ adopted }) => !adopted);
  const { id: lockId, roomId } = lock;
  const params = unmanagedParams(open);
  if (open.length > 0) await raiseAlert(scope, tx, { kind: "unmanaged_code", lockId, roomId, params });
  else await resolveAlerts(scope, tx, { kind: "unmanaged_code", lockId });
}

/** Removes the foreign credential in a slot, after the lock confirmed the removal. */
export async function removeUnmanaged(scope: Scope, tx: Transaction, lock: Lock, slot: number): Promise<void> {
  const remaining = unmanagedOf(lock).filter((item) => item.slot !== slot);
  await storeUnmanaged(scope, tx, lock, remaining);
}
