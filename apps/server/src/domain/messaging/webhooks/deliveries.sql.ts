/**
 * Inserts a row for every active webhook that subscribes to an event, in one statement. `source` has the columns
 * hotel_id, event, data and turn (the order of sending); `now` is the parameter with the current time. A trigger
 * notifies the senders at commit.
 */
export const insertDeliveries = (source: string, now: string): string => `
  INSERT INTO webhook_delivery (id, hotel_id, webhook_id, event, payload, created_at)
  SELECT gen_random_uuid(), e.hotel_id, w.id, e.event, e.data, ${now}
  FROM (${source}) e
  JOIN webhook w ON w.hotel_id = e.hotel_id AND w.disabled_at IS NULL AND e.event = ANY (w.events)
  ORDER BY e.turn, w.id`;

/**
 * Checks whether any webhook of hotel `hotelId` subscribes to one of the events, for statements that would otherwise
 * prepare data in vain.
 */
export const hasSubscriber = (hotelId: string, events: readonly string[]): string =>
  `EXISTS (SELECT FROM webhook w WHERE w.hotel_id = ${hotelId} AND w.disabled_at IS NULL
    AND w.events && ARRAY[${events.map((event) => `'${event}'`).join(", ")}])`;

/** Data announced about alert `m`. */
export const alarmData = `jsonb_build_object('alertId', m.id, 'kind', m.kind, 'lockId', m.lock_id, 'roomId', m.room_id,
  'roomName', (SELECT name FROM room WHERE id = m.room_id), 'details', m.params, 'count', m.count,
  'firstAt', iso(m.first_at), 'lastAt', iso(m.last_at), 'resolvedAt', iso(m.resolved_at))`;

/**
 * Selects the events of the alerts in CTE `source` that meet `condition`. Alerts about failing webhooks are left out,
 * because webhooks would announce their own failures.
 */
export const alarms = (event: "alert.raised" | "alert.resolved", source: string, condition = "true"): string =>
  `SELECT m.hotel_id, '${event}' AS event, ${alarmData} AS data, m.id AS turn
    FROM ${source} m WHERE m.kind <> 'webhook_failing' AND ${condition}`;
