import type pg from "pg";

/** Interval between two records of all doors. More records therefore mean more years, not busier doors. */
const SECONDS_APART = 10;
/** The newest record has this number and older ones lower numbers, so that older years can be added later. */
export const NEWEST_NUMBER = 1_000_000_000;

const INDEXES = `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
  WHERE tablename = 'unlock_record' AND indexname <> 'unlock_record_pkey'`;

/**
 * Adds the records from the `from`th newest (exclusive) to the `upTo`th (inclusive) of all doors; `now` is the time of
 * the newest. One door of the first hotel has a fifteenth of them.
 */
export async function fillRecords(client: pg.ClientBase, now: Date, from: number, upTo: number): Promise<void> {
  // These rows need no foreign key checks, and building an index is faster than inserting into it.
  await client.query("SET session_replication_role = replica");
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query(
    `INSERT INTO unlock_record (hotel_id, room_id, lock_id, lock_seq, at, style, success, reason, stay_guest_id, card_id)
     SELECT d.hotel_id, d.room_id, d.lock_id, ${NEWEST_NUMBER} - n, $1::timestamptz - n * interval '${SECONDS_APART} seconds',
       CASE n % 8 WHEN 0 THEN 'passcode' WHEN 1 THEN 'inside' ELSE 'card' END::unlock_style, n % 25 <> 0,
       CASE WHEN n % 25 = 0 THEN 'expired' ELSE '' END, CASE WHEN n < 2000 THEN d.manage_id END, CASE WHEN n < 2000 THEN d.card_id END
     FROM generate_series($2::int + 1, $3::int) AS n
     JOIN (
       SELECT l.hotel_id, l.room_id, l.id AS lock_id, sg.id AS manage_id, c.id AS card_id,
         row_number() OVER (ORDER BY l.id) - 1 AS turn
       FROM lock l LEFT JOIN occupancy o ON o.room_id = l.room_id AND o.state = 'in_house'
       LEFT JOIN stay_guest sg ON sg.stay_id = o.stay_id AND sg."primary" LEFT JOIN card c ON c.stay_id = o.stay_id
     ) d ON d.turn = CASE WHEN n % 15 = 0 THEN 0 ELSE n % (SELECT count(*) FROM lock) END`,
    [now, from, upTo],
  );
  await client.query("UPDATE lock SET event_seq = $1", [NEWEST_NUMBER]);
  for (const { definition } of indexes) await client.query(definition);
  await client.query("RESET ALL");
}
