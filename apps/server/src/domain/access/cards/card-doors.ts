import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { grantCredential, type LockOnDoor } from "../credentials/credentials.ts";
import { listEntry } from "./card-record.ts";
import type { CardDetails } from "./find-card.ts";
import { locksRefusing } from "./refusals.ts";

/**
 * Grants a card to locks as a credential, in the order of their ids. It is a staff card, a master key card, or a card
 * that opens by its number.
 */
export async function grantCardToLocks(
  scope: Scope,
  tx: Transaction,
  card: Card,
  locks: readonly LockOnDoor[],
): Promise<void> {
  const { id: cardId, stayId, validFrom, validTo } = card;
  const content = await listEntry(scope, tx, card);
  for (const lock of locks)
    await grantCredential(scope, tx, lock, { kind: "card", cardId, stayId, content }, { validFrom, validTo });
}

/**
 * Returns every lock on a door, a room's or a common one, by id, which is the order in which their rows must be locked. For written cards only
 * locks that read records.
 */
export async function listLocksOnDoors(
  tx: Transaction,
  { overTheAir }: Pick<Card, "overTheAir">,
): Promise<LockOnDoor[]> {
  return tx.db.lock.findMany({
    where: {
      deletedAt: null,
      OR: [{ room: { is: { deletedAt: null } } }, { doorId: { not: null } }],
      ...(!overTheAir && { driver: "mqtt" }),
    },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
}

/** The doors of a staff card, in the order of their locks. One that lost its lock since gets the card with its next lock. */
export async function locksOfStaffCard(tx: Transaction, { rooms, doors }: CardDetails): Promise<LockOnDoor[]> {
  return tx.db.lock.findMany({
    where: {
      deletedAt: null,
      OR: [
        { roomId: { in: rooms.map(({ roomId }) => roomId) } },
        { doorId: { in: doors.map(({ doorId }) => doorId) } },
      ],
    },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
}

/**
 * Grants the cards of a door to a lock that was assigned to it. Only locks of our own protocol read the record on a card;
 * all others know cards by their number. Cards that open by their number are left out where the
 * lock was instructed to refuse the number: accepting it would also accept an old record still written on the card.
 */
export async function grantDoorCards(scope: Scope, tx: Transaction, lock: LockOnDoor): Promise<void> {
  const { roomId } = lock;
  const { driver, doorId } = await tx.db.lock.findFirstOrThrow({
    where: { id: lock.id },
    select: { driver: true, doorId: true },
  });
  const cards = await tx.db.card.findMany({
    where: {
      state: "active",
      AND: [
        {
          OR: [
            ...(roomId === null
              ? []
              : [{ rooms: { some: { roomId } }, OR: [{ kind: "management" as const }, { overTheAir: true }] }]),
            ...(doorId === null ? [] : [{ doors: { some: { doorId } } }]),
            { kind: "universal" },
          ],
        },
        { OR: [{ validTo: null }, { validTo: { gt: scope.now() } }] },
      ],
    },
    orderBy: { id: "asc" },
  });
  for (const card of cards) {
    if (!card.overTheAir && driver !== "mqtt") continue;
    const isRefused = card.overTheAir && (await locksRefusing(scope, tx, card.uid, [lock.id])).length > 0;
    if (!isRefused) await grantCardToLocks(scope, tx, card, [lock]);
  }
}
