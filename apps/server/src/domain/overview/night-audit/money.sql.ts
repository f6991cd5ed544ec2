/**
 * $2: start of the day, $3: time to which the figures refer, $4: the caller's rooms (null: all), $5: payment channels.
 */
export const MONEY = `
  WITH entry AS (
    SELECT e.account::text AS account, e.amount_minor AS amount
      FROM ledger_entry e JOIN orders o ON o.id = e.order_id AND o.hotel_id = e.hotel_id
      JOIN LATERAL (SELECT room_id FROM occupancy x WHERE x.stay_id = o.stay_id ORDER BY x.id DESC LIMIT 1) x ON true
     WHERE e.hotel_id = $1 AND e.created_at >= $2::timestamptz AND e.created_at < $3::timestamptz
       AND ($4::int[] IS NULL OR x.room_id = ANY ($4::int[]))
  )
  SELECT coalesce(-sum(amount) FILTER (WHERE account = 'revenue'), 0)::float8 AS "revenueMinor",
    (SELECT jsonb_agg(jsonb_build_object('channel', c.channel,
        'takenMinor', (SELECT coalesce(sum(amount), 0) FROM entry WHERE account = c.channel AND amount > 0),
        'returnedMinor', (SELECT coalesce(-sum(amount), 0) FROM entry WHERE account = c.channel AND amount < 0)) ORDER BY c.place)
       FROM unnest($5::text[]) WITH ORDINALITY AS c (channel, place)) AS channels
    FROM entry`;
