import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card } from "../../infra/database/generated/client.ts";
import { type LockOfRoom, place } from "../locks/credentials.ts";
import { allowAgain, locksRefusing } from "./refusals.ts";

/** Puts a card on a lock's list: a management card, which needs its record too, or one let in by its number alone. */
export async function putOnList(scope: Scope, unit: Unit, card: Card, lock: LockOfRoom): Promise<void> {
  const { id: cardId, uid, stayId, overTheAir, validFrom, validTo } = card;
  if (!overTheAir) await allowAgain(scope, unit, card, [lock.id]);
  const what = { uid, recordNeeded: !overTheAir };
  await place(scope, unit, lock, { kind: "card", cardId, stayId, what }, { validFrom, validTo });
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
            { kind: "universal", overTheAir: true },
          ],
        },
        { OR: [{ validTo: null }, { validTo: { gt: scope.now() } }] },
      ],
    },
    orderBy: { id: "asc" },
  });
  for (const card of cards) {
    const refused = card.overTheAir && (await locksRefusing(scope, unit, card.uid, [lock.id])).length > 0;
    if (!refused) await putOnList(scope, unit, card, lock);
  }
}
