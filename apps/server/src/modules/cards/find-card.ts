import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card, CardProfile, CardRoom } from "../../infra/database/generated/client.ts";
import { readStay } from "../stays/live-stay.ts";

export type FoundCard = Card & { rooms: CardRoom[]; profile: CardProfile };

/**
 * A card that the caller may act on: management and universal ones with cards.master, a guest's where its stay is in a room
 * of theirs, others where all its rooms are. A stay's cards are acted on one after the other. @throws not_found
 */
export async function findCard(scope: Scope, unit: Unit, cardId: number): Promise<FoundCard> {
  const card = await unit.db.card.findFirst({ where: { id: cardId }, include: { rooms: true, profile: true } });
  if (!card || !(await mayTouch(scope, unit, card))) throw new DomainError("not_found");
  return card;
}

/** See `findCard`. @throws not_found for the card of a stay in a room that isn't the caller's */
export async function mayTouch(scope: Scope, unit: Unit, card: Card & { rooms: CardRoom[] }): Promise<boolean> {
  if (card.kind !== "guest") return scope.can("cards.master");
  if (card.stayId === null) return mayTouchRooms(scope, card);
  await unit.sql.rows("SELECT id FROM stay WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", card.stayId);
  await readStay(scope, unit.sql, card.stayId);
  return true;
}

/** A card that was given no doors yet is its issuer's, and of those who see the whole house. */
function mayTouchRooms(scope: Scope, { rooms, issuedById }: Card & { rooms: CardRoom[] }): boolean {
  if (rooms.length > 0) return rooms.every(({ roomId }) => scope.seesRoom(roomId));
  return scope.roomIds === null || (issuedById !== null && issuedById === scope.operatorId);
}

/**
 * Whoever issues a card anew takes back what it was before: only where they may.
 * @throws card_in_use for a live card of a room, or of a kind, that is not the caller's business
 */
export async function requireFree(scope: Scope, unit: Unit, uid: string): Promise<void> {
  const live = await unit.db.card.findFirst({
    where: { uid, state: { in: ["pending", "active"] } },
    include: { rooms: true },
  });
  if (!live) return;
  const free = await mayTouch(scope, unit, live).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "not_found") return false;
    throw error;
  });
  if (!free) throw new DomainError("card_in_use");
}
