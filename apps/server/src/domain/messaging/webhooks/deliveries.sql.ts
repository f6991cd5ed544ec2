/**
 * Rows for every receiver that is on and wants an event: one INSERT, which writes nothing where nobody listens. `source`
 * has the columns hotel_id, event, data and turn, their order of sending; `now` is the parameter with the instant. A
 * trigger tells the senders at commit.
 */
export const insertDeliveries = (source: string, now: string): string => `
  INSERT INTO webhook_delivery (id, hotel_id, webhook_id, event, payload, created_at)
  SELECT gen_random_uuid(), e.hotel_id, w.id, e.event, e.data, ${now}
  FROM (${source}) e
  JOIN webhook w ON w.hotel_id = e.hotel_id AND w.disabled_at IS NULL AND e.event = ANY (w.events)
  ORDER BY e.turn, w.id`;

/** Whether anybody in hotel `hotelId` wants one of these; for statements that would prepare more than a row. */
export const hasSubscriber = (hotelId: string, events: readonly string[]): string =>
  `EXISTS (SELECT FROM webhook w WHERE w.hotel_id = ${hotelId} AND w.disabled_at IS NULL
    AND w.events && ARRAY[${events.map((event) => `'${event}'`).join(", ")}])`;

/** What is told of message `m`; nothing of webhooks that fail, which would tell of themselves. */
export const alarmData = `jsonb_build_object('messageId', m.id, 'kind', m.kind, 'lockId', m.lock_id, 'roomId', m.room_id,
  'roomName', (SELECT name FROM room WHERE id = m.room_id), 'details', m.params, 'count', m.count,
  'firstAt', iso(m.first_at), 'lastAt', iso(m.last_at), 'resolvedAt', iso(m.resolved_at))`;

/** Events of the messages in CTE `source`, for those among them that `condition` names. */
export const alarms = (event: "alarm.raised" | "alarm.resolved", source: string, condition = "true"): string =>
  `SELECT m.hotel_id, '${event}' AS event, ${alarmData} AS data, m.id AS turn
    FROM ${source} m WHERE m.kind <> 'webhook_failing' AND ${condition}`;
