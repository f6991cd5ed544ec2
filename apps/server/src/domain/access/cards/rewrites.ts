import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { REMOVED_ALERTS_RETURN_MS, raiseAlert, resolveAlerts, wasRemovedByHand } from "../../messaging/public.ts";
import { findCard } from "./find-card.ts";

/**
 * Cards that must be written again. Which those are is the rule of view card_to_rewrite (prisma/migrations); board, lists,
 * alerts and the keys of a stay read it there.
 */

/**
 * For each room ($2), the number of cards that the party in it must have written again, and the number that the open alert
 * of the room's lock says.
 */
const MARKS = `SELECT o.room_id AS "roomId", l.id AS "lockId", count(w.card_id)::int AS cards,
    (SELECT (m.params ->> 'count')::int FROM alert m
      WHERE m.hotel_id = $1 AND m.kind = 'cards_to_rewrite' AND m.lock_id = l.id AND m.resolved_at IS NULL) AS alerted
  FROM unnest($2::int[]) AS o (room_id)
  JOIN lock l ON l.hotel_id = $1 AND l.room_id = o.room_id
  LEFT JOIN occupancy n ON n.hotel_id = $1 AND n.room_id = o.room_id AND n.state = 'in_house'
  LEFT JOIN card_to_rewrite w ON w.hotel_id = $1 AND w.stay_id = n.stay_id
  GROUP BY o.room_id, l.id ORDER BY l.id`;

interface Mark {
  roomId: number;
  lockId: number;
  cards: number;
  alerted: number | null;
}

/**
 * Updates which rooms are marked "write again" after their cards or stays changed: desks read these rooms again, and the
 * alert of each lock is raised, changed to the new number or resolved.
 */
export async function updateRewriteMarks(scope: Scope, tx: Transaction, roomIds: readonly number[]): Promise<void> {
  if (roomIds.length === 0) return;
  tx.boardChanged(roomIds);
  for (const { roomId, lockId, cards, alerted } of await tx.sql.prepared<Mark>("rewrite-marks", MARKS, roomIds)) {
    const kind = "cards_to_rewrite";
    if (cards === 0 && alerted !== null) await resolveAlerts(scope, tx, { kind, lockId });
    if (cards > 0 && cards !== alerted) await raiseAlert(scope, tx, { kind, lockId, roomId, params: { count: cards } });
  }
}

/** Rooms whose party must have another number of cards written again than the alert says. $2: when removed alerts come back. */
const STALE_MARKS = `SELECT n.room_id AS "roomId" FROM occupancy n
  JOIN lock l ON l.hotel_id = $1 AND l.room_id = n.room_id
  CROSS JOIN LATERAL (SELECT count(*)::int AS cards FROM card_to_rewrite w
    WHERE w.hotel_id = $1 AND w.stay_id = n.stay_id) w
  LEFT JOIN alert m ON m.hotel_id = $1 AND m.kind = 'cards_to_rewrite' AND m.lock_id = l.id AND m.resolved_at IS NULL
  WHERE n.hotel_id = $1 AND n.state = 'in_house' AND n.stay_id IS NOT NULL
    AND w.cards <> coalesce((m.params ->> 'count')::int, 0)
    AND (m.id IS NOT NULL OR NOT ${wasRemovedByHand("'cards_to_rewrite'", "l.id", "w.cards", "$2")})
  ORDER BY l.id LIMIT 200`;

/** Returns rooms whose marks are not up to date, as many as fit into a transaction. */
export async function roomsWithStaleMarks(scope: Scope, sql: HotelSql): Promise<number[]> {
  const since = new Date(scope.now().getTime() - REMOVED_ALERTS_RETURN_MS).toISOString();
  const rooms = await sql.prepared<{ roomId: number }>("stale-rewrite-marks", STALE_MARKS, since);
  return rooms.map(({ roomId }) => roomId);
}

/** The same for the rooms that parties are in. */
export async function updateRewriteMarksOfStays(
  scope: Scope,
  tx: Transaction,
  stayIds: readonly (number | null)[],
): Promise<void> {
  const rooms = await tx.db.occupancy.findMany({
    where: { stayId: { in: stayIds.filter((id) => id !== null) }, state: "in_house" },
    select: { roomId: true },
  });
  await updateRewriteMarks(scope, tx, [...new Set(rooms.map(({ roomId }) => roomId))]);
}

/**
 * A card that was just written takes the place of one that had to be written again: of its own earlier issue, or of another
 * card of its holder. A card without a holder takes the place of the oldest.
 */
export async function replaceCardsToRewrite(scope: Scope, tx: Transaction, card: Card): Promise<void> {
  const { id, uid, stayId, stayGuestId } = card;
  if (stayId === null) return;
  await tx.sql.prepared(
    "replace-cards-to-rewrite",
    `WITH due AS (
       SELECT c.id, c.uid = $4::text AS same FROM card_to_rewrite w JOIN card c ON c.id = w.card_id
        WHERE w.hotel_id = $1 AND w.stay_id = $2::int AND c.id <> $3::int
          AND (c.uid = $4::text OR $5::int IS NULL OR c.stay_guest_id IS NULL OR c.stay_guest_id = $5::int)),
     place AS (
       SELECT id FROM due WHERE same
       UNION
       (SELECT d.id FROM due d JOIN card c ON c.id = d.id WHERE NOT EXISTS (SELECT FROM due WHERE same)
         ORDER BY c.stay_guest_id IS NOT DISTINCT FROM $5::int DESC, d.id LIMIT 1))
     UPDATE card SET replaced_at = $6::timestamptz FROM place WHERE card.hotel_id = $1 AND card.id = place.id
     RETURNING card.id`,
    stayId,
    id,
    uid,
    stayGuestId,
    scope.now().toISOString(),
  );
}

/**
 * Takes the mark from a card that needn't be written again, because its guest needs none. What the card opens doesn't
 * change. @throws no_permission; not_found; state_conflict for a card without the mark
 */
export async function waiveRewrite(
  scope: Scope,
  { cardId }: z.infer<typeof schema.cardRef>,
): Promise<z.infer<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const card = await findCard(scope, tx, cardId);
    const marked = await tx.sql.rows<{ reason: string }>(
      `SELECT reason FROM card_to_rewrite WHERE hotel_id = $1 AND card_id = $2::int AND stay_id IS NOT NULL`,
      cardId,
    );
    const [mark] = marked;
    if (!mark) throw new DomainError("state_conflict", { state: card.state });
    await tx.db.card.update({ where: { id: cardId }, data: { replacedAt: scope.now() } });
    await updateRewriteMarksOfStays(scope, tx, [card.stayId]);
    tx.audit({ action: "card.rewrite_waived", entity: "card", entityId: cardId, before: { reason: mark.reason } });
    return { cardId, state: card.state };
  });
}
