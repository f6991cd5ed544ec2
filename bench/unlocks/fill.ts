import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";

/** Adds `rows` records of a hotel over all doors, a fifteenth of them at one door, which has the most pages. */
export async function fillRecords({ pool }: Database, hotelId: number, rows: number): Promise<void> {
  const client = await pool.connect();
  try {
    // These rows need no foreign key checks, and building an index is faster than inserting into it.
    await client.query("SET session_replication_role = replica");
    await client.query("SET maintenance_work_mem = '512MB'");
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE tablename = 'unlock_record' AND indexname <> 'unlock_record_pkey'`,
    );
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    await client.query(
      `INSERT INTO unlock_record (hotel_id, room_id, lock_id, lock_seq, at, style, success, reason, stay_guest_id)
       SELECT $1, d.room_id, d.lock_id, n, now() - ($2::int - n) * interval '10 seconds',
         CASE n % 8 WHEN 0 THEN 'passcode' WHEN 1 THEN 'inside' ELSE 'card' END::unlock_style, n % 25 <> 0,
         CASE WHEN n % 25 = 0 THEN 'expired' ELSE '' END, CASE WHEN n > $2::int - 2000 THEN d.manage_id END
       FROM generate_series(1, $2::int) AS n
       JOIN (
         SELECT l.room_id, l.id AS lock_id, sg.id AS manage_id, row_number() OVER (ORDER BY l.id) - 1 AS turn, count(*) OVER () AS doors
         FROM lock l LEFT JOIN occupancy o ON o.room_id = l.room_id AND o.state IN ('held', 'in_house')
         LEFT JOIN stay_guest sg ON sg.stay_id = o.stay_id AND sg."primary" WHERE l.hotel_id = $1
       ) d ON d.turn = CASE WHEN n % 15 = 0 THEN 0 ELSE n % d.doors END`,
      [hotelId, rows],
    );
    for (const { definition } of indexes) await client.query(definition);
    await client.query("RESET ALL");
  } finally {
    client.release();
  }
}

/** Returns the room with the most records, and the cursor of its page number `deepPage`. */
export async function busiestRoom(
  { pool }: Database,
  hotelId: number,
  { pageSize, deepPage }: { pageSize: number; deepPage: number },
): Promise<{ roomId: number; deepCursor: string }> {
  const { rows } = await pool.query<{ roomId: number }>(
    'SELECT room_id AS "roomId" FROM unlock_record WHERE hotel_id = $1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
    [hotelId],
  );
  const roomId = rows[0]?.roomId ?? 0;
  const last = await pool.query<{ at: string; id: string }>(
    `SELECT iso(at) AS at, id::text AS id FROM unlock_record WHERE hotel_id = $1 AND room_id = $2
     ORDER BY at DESC, id DESC LIMIT 1 OFFSET $3`,
    [hotelId, roomId, (deepPage - 1) * pageSize - 1],
  );
  const [before] = last.rows;
  if (!before) throw new Error(`there are no ${deepPage} pages`);
  return { roomId, deepCursor: `${before.at}_${before.id}` };
}
