import type { CardEvent, StayEvent, WebhookEvent } from "@innkey/shared/webhook-events";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { insertDeliveries } from "./deliveries.sql.ts";

/**
 * Announces an event of a stay to other programs. The rows are written in the event's transaction and sent after
 * commit. The same statement reads the data, so it is as current as the event: ids, names, rooms and times, but never a
 * code, key, document or phone number. `more` adds what only the caller knows. Writes nothing if no webhook subscribes
 * to the event.
 */
export async function announceStay(
  scope: Scope,
  tx: Transaction,
  event: StayEvent,
  stayId: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await announceEvent(scope, tx, event, STAYS, [stayId], more);
}

/** Like `announceStay`, for cards. Their numbers are left out, because a number can open a door. */
export async function announceCards(
  scope: Scope,
  tx: Transaction,
  event: CardEvent,
  cardIds: readonly number[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (cardIds.length > 0) await announceEvent(scope, tx, event, CARDS, cardIds, more);
}

const PRIMARY_GUEST = (stayId: string): string => `(SELECT g.name FROM primary_guest g WHERE g.stay_id = ${stayId})`;

/** $2: event, $3: ids, $4: data that the caller adds. */
const STAYS = `
  SELECT s.hotel_id, $2::text AS event, s.id AS turn, jsonb_build_object('stayId', s.id, 'state', s.state,
      'roomId', s.room_id, 'roomName', r.name, 'guestName', ${PRIMARY_GUEST("s.id")},
      'startsAt', iso(s.starts_at), 'endsAt', iso(s.ends_at), 'checkedInAt', iso(s.checked_in_at),
      'checkedOutAt', iso(s.checked_out_at), 'cancelledAt', iso(s.cancelled_at)) || $4::jsonb AS data
  FROM stay_now s
  JOIN room r ON r.id = s.room_id
  WHERE s.hotel_id = $1 AND s.id = ANY ($3::int[])`;

/** Like STAYS, for cards. */
export const CARDS = `
  SELECT c.hotel_id, $2::text AS event, c.id AS turn, jsonb_build_object('cardId', c.id, 'kind', c.kind,
      'overTheAir', c.over_the_air, 'stayId', c.stay_id, 'guestName', ${PRIMARY_GUEST("c.stay_id")},
      'rooms', (SELECT coalesce(jsonb_agg(jsonb_build_object('roomId', r.id, 'roomName', r.name) ORDER BY r.id), '[]')
        FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id),
      'validFrom', iso(c.valid_from), 'validTo', iso(c.valid_to)) || $4::jsonb AS data
  FROM card c WHERE c.hotel_id = $1 AND c.id = ANY ($3::int[])`;

async function announceEvent(
  scope: Scope,
  tx: Transaction,
  event: WebhookEvent,
  source: string,
  ids: readonly number[],
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.sql.rows(
    `${insertDeliveries(source, "$5::timestamptz")} RETURNING id::text`,
    event,
    ids,
    JSON.stringify(more),
    scope.now(),
  );
}
