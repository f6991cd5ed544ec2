import { type StoredCredential, storedCredential } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Credential, Lock } from "../../infra/database/generated/client.ts";
import { raiseMessage, resolveMessages } from "../messages/raise.ts";
import { isOneTime, whatIs } from "./credential-content.ts";
import { askToForget, SAME_WINDOW_SECONDS, send } from "./credentials.ts";
import { settleCards } from "./min-sequences.ts";

/**
 * Something a lock holds that nobody here set; `adopted` by hand, it is kept and no longer reported. `heardAt` is when the
 * door opened for it, while that is all that is known of it.
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
 * What a lock says it holds, against what we know: foreign ones are shown and touched only by hand; ours that it lost, or has
 * for another time, are sent again.
 */
export async function compareInventory(
  scope: Scope,
  unit: Unit,
  lock: Lock,
  held: readonly StoredCredential[] | undefined,
): Promise<void> {
  if (held) {
    const ours = await unit.db.credential.findMany({ where: { lockId: lock.id, state: { not: "revoked" } } });
    const slots = new Set(ours.map(({ id }) => id));
    const before = unmanagedOf(lock);
    const adopted = before.filter((item) => item.adopted);
    const foreign = held
      .filter(({ slot }) => slot === null || !slots.has(slot))
      .map((item) => ({ ...item, heardAt: null, adopted: adopted.some((other) => isSameItem(other, item)) }));
    // What a card carries opens the door without being on the lock's list: its absence there proves nothing.
    const cards = before.filter(
      (item) => item.heardAt !== null && item.slot === null && !foreign.some((other) => isSameItem(other, item)),
    );
    await keepUnmanaged(scope, unit, lock, [...foreign, ...cards]);
    const there = new Map(held.map((item) => [item.slot, item]));
    for (const credential of ours) {
      const item = there.get(credential.id);
      await (item ? noteThere(scope, unit, credential, item) : noteMissing(scope, unit, credential));
    }
    await settleCards(scope, unit);
  }
  await unit.db.lock.update({ where: { id: lock.id }, data: { readBackAt: scope.now() } });
}

/** What failed a moment ago is not asked again at once: it would fail, be asked about and fail again without an end. */
const RECENT_MS = 3_600_000;

const isSame = (told: Date | null, intended: Date | null): boolean =>
  told === null || intended === null
    ? told === intended
    : Math.abs(told.getTime() - intended.getTime()) <= SAME_WINDOW_SECONDS * 1000;

/** One of ours that the lock holds: believed where it has it as it should, else told again. */
async function noteThere(scope: Scope, unit: Unit, credential: Credential, item: StoredCredential): Promise<void> {
  const { id, state, validFrom, validTo } = credential;
  const isRevocation = state === "revoking";
  if (item.validFrom !== null) {
    const atLockFrom = new Date(item.validFrom);
    const atLockTo = item.validTo === null ? null : new Date(item.validTo);
    await unit.db.credential.update({ where: { id }, data: { atLockFrom, atLockTo } });
    if (!isRevocation && isSame(atLockFrom, validFrom) && isSame(atLockTo, validTo)) {
      const doubted = { id, state: { in: ["queued" as const, "sent" as const, "failed" as const] } };
      const data = { state: "confirmed" as const, confirmedAt: scope.now(), failReason: "" };
      await unit.db.credential.updateMany({ where: doubted, data });
      return;
    }
  } else if (!isRevocation) return;
  const last = await unit.db.lockCommand.findFirst({
    where: { credentialId: id, state: { not: "superseded" } },
    orderBy: { seq: "desc" },
    select: { state: true, endedAt: true },
  });
  if (last?.state === "queued" || last?.state === "sent") return;
  const justFailed =
    last?.state === "failed" && last.endedAt && scope.now().getTime() - last.endedAt.getTime() < RECENT_MS;
  if (justFailed) return;
  if (isRevocation) {
    await askToForget(scope, unit, credential);
    return;
  }
  // A key whose time is over is taken back by itself (overrunning-keys.ts).
  if (validTo !== null && validTo <= scope.now()) return;
  await unit.db.credential.update({ where: { id }, data: { state: "queued", failReason: "" } });
  await send(scope, unit, credential, await whatIs(scope, unit, credential));
}

/** One of ours that the lock doesn't hold: what was to be forgotten is gone, what it should have is sent again. */
async function noteMissing(scope: Scope, unit: Unit, credential: Credential): Promise<void> {
  const { id, state, validTo, passcodeId } = credential;
  if (passcodeId !== null && (await isOneTime(unit, passcodeId))) return;
  await unit.db.credential.update({ where: { id }, data: { atLockFrom: null, atLockTo: null } });
  if (state === "revoking") {
    await unit.db.credential.update({ where: { id }, data: { state: "revoked", failReason: "" } });
  }
  if (state !== "confirmed" && state !== "used") return;
  if (validTo !== null && validTo <= scope.now()) return;
  await unit.db.credential.update({ where: { id }, data: { state: "queued" } });
  await send(scope, unit, credential, await whatIs(scope, unit, credential));
}

/** What the alert says of them: how many there are, and which is the newest. */
export function unmanagedParams(open: readonly UnmanagedItem[]): Record<string, string | number> {
  const last = open.findLast(({ heardAt }) => heardAt !== null) ?? open.at(-1);
  return { count: open.length, ...(last && { type: last.kind, key: last.name || (last.slot ?? "") }) };
}

/** Writes what is foreign in a lock, and tells the operators while some of it is nobody's. */
export async function keepUnmanaged(
  scope: Scope,
  unit: Unit,
  lock: Pick<Lock, "id" | "roomId">,
  unmanaged: UnmanagedItem[],
): Promise<void> {
  await unit.db.lock.update({ where: { id: lock.id }, data: { unmanaged } });
  const open = unmanaged.filter(({ adopted }) => !adopted);
  const { id: lockId, roomId } = lock;
  const params = unmanagedParams(open);
  if (open.length > 0) await raiseMessage(scope, unit, { kind: "unmanaged_code", lockId, roomId, params });
  else await resolveMessages(scope, unit, { kind: "unmanaged_code", lockId });
}

/** The lock dropped one of them. */
export async function forgetUnmanaged(scope: Scope, unit: Unit, lock: Lock, slot: number): Promise<void> {
  const left = unmanagedOf(lock).filter((item) => item.slot !== slot);
  await keepUnmanaged(scope, unit, lock, left);
}
