import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card } from "../../infra/database/generated/client.ts";
import { grantCredential, type LockOfRoom } from "../locks/credentials.ts";
import { listEntry } from "./card-record.ts";
import { locksRefusing } from "./refusals.ts";

/** Puts a card on the lists of locks, in the order of their ids: a management or universal card, or one let in by its number alone. */
export async function putOnLists(scope: Scope, unit: Unit, card: Card, locks: readonly LockOfRoom[]): Promise<void> {
  const { id: cardId, stayId, validFrom, validTo } = card;
  const what = await listEntry(scope, unit, card);
  for (const lock of locks)
    await grantCredential(scope, unit, lock, { kind: "card", cardId, stayId, what }, { validFrom, validTo });
}

/** Every lock on a door, in the order in which they must be locked; for what is written on a card those that read it. */
export async function everyLock(unit: Unit, { overTheAir }: Pick<Card, "overTheAir">): Promise<LockOfRoom[]> {
  const locks = await unit.db.lock.findMany({
    where: { removedAt: null, room: { is: { archivedAt: null } }, ...(!overTheAir && { driver: "mqtt" }) },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
  return locks.flatMap(({ id, roomId }) => (roomId === null ? [] : [{ id, roomId }]));
}

/**
 * A lock comes to a door: the cards that open this door from a list are put on its own. Not those let in by their number
 * where the lock was told to refuse it: what may be written on them would open again.
 */
export async function putCardsOfRoom(scope: Scope, unit: Unit, lock: LockOfRoom): Promise<void> {
  const cards = await unit.db.card.findMany({
    where: {
      state: "active",
      AND: [
        {
          OR: [
            { rooms: { some: { roomId: lock.roomId } }, OR: [{ kind: "management" }, { overTheAir: true }] },
            { kind: "universal" },
          ],
        },
        { OR: [{ validTo: null }, { validTo: { gt: scope.now() } }] },
      ],
    },
    orderBy: { id: "asc" },
  });
  const { driver } = await unit.db.lock.findFirstOrThrow({ where: { id: lock.id }, select: { driver: true } });
  for (const card of cards) {
    if (!card.overTheAir && driver !== "mqtt") continue;
    const refused = card.overTheAir && (await locksRefusing(scope, unit, card.uid, [lock.id])).length > 0;
    if (!refused) await putOnLists(scope, unit, card, [lock]);
  }
}
