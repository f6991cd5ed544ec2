import type pg from "pg";
import { announceIssued } from "../../messaging/public.ts";
import type { StoredEvent } from "./reported-event.ts";

/**
 * $1: cards, $2: locks that opened for them, $3: sequences of the records they showed, $4: times. A record proves the
 * writing if no other record that may still be on the card opens that lock with the same sequence. An earlier issue
 * with the same period has the same record; one with another period may have been shown instead.
 */
const WRITTEN = `
  UPDATE card c SET state = 'active', confirmed_at = s.at
  FROM unnest($1::int[], $2::int[], $3::int[], $4::timestamptz[]) AS s (card_id, lock_id, sequence, at)
  WHERE c.id = s.card_id AND c.state = 'pending' AND c.kind = 'guest' AND NOT c.over_the_air
    AND c.lock_number = s.lock_id AND c.sequence = s.sequence
    AND NOT EXISTS (SELECT FROM card e WHERE e.hotel_id = c.hotel_id AND e.uid = c.uid AND e.id < c.id AND e.kind = 'guest'
      AND NOT e.over_the_air AND e.lock_number = c.lock_number AND e.sequence = c.sequence
      AND (e.valid_from, e.valid_to) IS DISTINCT FROM (c.valid_from, c.valid_to)
      AND e.valid_from <= s.at AND (e.valid_to IS NULL OR e.valid_to > s.at))
  RETURNING c.id, c.hotel_id AS "hotelId"`;

/**
 * $1: cards whose new record a lock has seen. Earlier issues for the same lock were overwritten; other locks are not
 * affected.
 */
const OVERWRITTEN = `
  UPDATE card o SET state = 'revoked' FROM card n
  WHERE n.id = ANY ($1::int[]) AND o.hotel_id = n.hotel_id AND o.uid = n.uid AND o.id <> n.id
    AND o.state = 'revoking' AND NOT o.over_the_air AND o.lock_number = n.lock_number`;

/**
 * Marks pending guest cards as written if they opened a door with the record made for them. External programs that
 * write cards never confirm the writing themselves.
 */
export async function proveWritten(client: pg.ClientBase, events: readonly StoredEvent[], now: Date): Promise<void> {
  const presented = events.flatMap(({ cardId, lockId, success, shownSequence: cardSequence, at }) =>
    success && cardId !== null && cardSequence !== null ? [{ cardId, lockId, at, shownSequence: cardSequence }] : [],
  );
  if (presented.length === 0) return;
  const { rows } = await client.query<{ id: number; hotelId: number }>(WRITTEN, [
    presented.map(({ cardId }) => cardId),
    presented.map(({ lockId }) => lockId),
    presented.map(({ shownSequence: cardSequence }) => cardSequence),
    presented.map(({ at }) => at.toISOString()),
  ]);
  if (rows.length === 0) return;
  await client.query(OVERWRITTEN, [rows.map(({ id }) => id)]);
  for (const hotelId of new Set(rows.map((row) => row.hotelId))) {
    const cardIds = rows.flatMap((row) => (row.hotelId === hotelId ? [row.id] : []));
    await announceIssued(client, hotelId, cardIds, now);
  }
}
