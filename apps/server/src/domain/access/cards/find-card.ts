import { DomainError } from "@innkey/shared/errors";
import type {
  Card,
  CardDoor,
  CardGroup,
  CardProfile,
  CardRoom,
  CardZone,
} from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { readStay } from "../../stays/public.ts";

export type CardDetails = Card & {
  rooms: CardRoom[];
  doors: CardDoor[];
  groups: CardGroup[];
  staffZones: CardZone[];
  profile: CardProfile;
};

/**
 * Returns a card that the caller may act on: staff cards, master key cards, emergency and block-out cards need
 * cards.master, a stay's card needs access to the stay's room, and other cards need access to all their rooms. Actions on one card, and on
 * the cards of one stay, run one after the other. @throws not_found
 */
export async function findCard(scope: Scope, tx: Transaction, cardId: number): Promise<CardDetails> {
  const where = { id: cardId };
  const include = { rooms: true, doors: true, groups: true, staffZones: true, profile: true } as const;
  const card = await tx.db.card.findFirst({ where, include });
  if (!card || !(await mayActOnCard(scope, tx, card))) throw new DomainError("not_found");
  await selectCardsForUpdate(tx, [card.id]);
  return tx.db.card.findFirstOrThrow({ where, include });
}

/** Locks the rows of cards in the order of their ids until the transaction ends: after stays and rooms, before locks. */
export async function selectCardsForUpdate(tx: Transaction, cardIds: readonly number[]): Promise<void> {
  await tx.sql.rows("SELECT id FROM card WHERE hotel_id = $1 AND id = ANY ($2::int[]) ORDER BY id FOR NO KEY UPDATE", [
    ...cardIds,
  ]);
}

/**
 * Checks whether the caller may act on the card; see `findCard`. @throws not_found for the card of a stay in a room
 * that the caller can't see
 */
export async function mayActOnCard(
  scope: Scope,
  tx: Transaction,
  card: Card & { rooms: CardRoom[] },
): Promise<boolean> {
  if (card.kind === "one_shot") return scope.can("cards.issue") && mayActOnRooms(scope, card);
  if (card.kind !== "guest") return scope.can("cards.master");
  if (isSealed(scope, card)) return scope.can("cards.master") && mayActOnRooms(scope, card);
  if (card.stayId === null) return mayActOnRooms(scope, card);
  await tx.sql.rows("SELECT id FROM stay WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", card.stayId);
  await readStay(scope, tx.sql, card.stayId);
  return true;
}

/** A spare card that nobody has used is a card of the house; afterwards it is a guest's. */
const isSealed = (scope: Scope, { spareNumber, usedAt, validTo, state }: Card): boolean =>
  spareNumber !== null &&
  usedAt === null &&
  (state === "pending" || state === "active") &&
  (validTo === null || validTo > scope.now());

/** A card without doors belongs to its issuer and to staff who see all rooms. */
function mayActOnRooms(scope: Scope, { rooms, issuedById }: Card & { rooms: CardRoom[] }): boolean {
  if (rooms.length > 0) return rooms.every(({ roomId }) => scope.seesRoom(roomId));
  return scope.roomIds === null || (issuedById !== null && issuedById === scope.operatorId);
}

/**
 * Checks that a card may be issued anew, which revokes its current issue. The caller needs the right to revoke it, and
 * must confirm before overwriting another guest's card. `next` is the new holder. @throws card_in_use for a live card
 * of a room or a kind that the caller may not act on, or a lost one of such a kind; card_of_guest naming guest and room; card_of_house naming
 * the kind of a live staff card or master key card
 */
export async function requireReissuable(scope: Scope, tx: Transaction, uid: string, next: NextHolder): Promise<void> {
  const live = await tx.db.card.findFirst({
    where: { uid, state: { in: ["pending", "active"] } },
    include: { rooms: true },
  });
  if (!live) return requireNoEndingHouseCard(scope, tx, uid);
  const mayRevoke = await mayActOnCard(scope, tx, live).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "not_found") return false;
    throw error;
  });
  if (!mayRevoke) throw new DomainError("card_in_use");
  if (!next.overwrite) await requireNoOtherHolder(scope, tx, live, next);
}

/**
 * Checks that the number isn't that of a card of the house that may still open a door though it was revoked: its openings must
 * not be taken for those of another card. @throws card_in_use for callers who may not issue such cards
 */
async function requireNoEndingHouseCard(scope: Scope, tx: Transaction, uid: string): Promise<void> {
  if (scope.can("cards.master")) return;
  const where = { uid, state: "revoking" as const, kind: { notIn: ["guest" as const, "one_shot" as const] } };
  if (await tx.db.card.findFirst({ where, select: { id: true } })) throw new DomainError("card_in_use");
}

/** New holder of a card, and whether it may overwrite another guest's card. */
export interface NextHolder {
  stayId: number | null;
  /** of a card without a stay */
  roomId: number | null;
  overwrite: boolean;
}

async function requireNoOtherHolder(
  scope: Scope,
  tx: Transaction,
  { kind, state, stayId, validTo, rooms, spareNumber }: Card & { rooms: CardRoom[] },
  next: NextHolder,
): Promise<void> {
  if (validTo !== null && validTo <= scope.now()) return;
  if (kind !== "guest") {
    // A prepared card opens nothing yet: writing it failed and is being retried.
    if (state === "pending") return;
    throw new DomainError("card_of_house", { kind });
  }
  if (rooms.length === 0 || (spareNumber !== null && state === "pending")) return;
  const isSameHolder =
    spareNumber === null &&
    (stayId === null ? rooms.every(({ roomId }) => roomId === next.roomId) : stayId === next.stayId);
  if (isSameHolder) return;
  const [holder] = await tx.sql.rows<{ guestName: string; roomName: string }>(
    `SELECT coalesce((SELECT g.name FROM primary_guest g WHERE g.hotel_id = $1 AND g.stay_id = $2::int), '') AS "guestName",
            (SELECT string_agg(r.name, ', ' ORDER BY r.sort, r.name) FROM room r
              WHERE r.hotel_id = $1 AND r.id = ANY ($3::int[])) AS "roomName"`,
    stayId,
    rooms.map(({ roomId }) => roomId),
  );
  const guestName = scope.can("stays.view") ? (holder?.guestName ?? "") : "";
  throw new DomainError("card_of_guest", {
    kind: guestName ? "guest" : "room",
    guestName: guestName || "–",
    roomName: holder?.roomName ?? "",
  });
}
