import type pg from "pg";

/**
 * Raises the board version of these hotels and notifies their clients at commit. For writes outside `scope.write`,
 * because devices report faster than transactions can queue for a hotel's one state row. Otherwise use
 * `tx.boardChanged()`.
 */
export async function touchBoards(client: pg.ClientBase, hotelIds: readonly number[]): Promise<void> {
  await client.query(
    `WITH held AS (SELECT hotel_id FROM hotel_state WHERE hotel_id = ANY ($1::int[]) ORDER BY hotel_id FOR UPDATE),
       touched AS (UPDATE hotel_state s SET board_version = s.board_version + 1 FROM held WHERE s.hotel_id = held.hotel_id
                    RETURNING s.hotel_id, s.board_version)
     SELECT pg_notify('innkey', jsonb_build_object('topic', 'board', 'hotelId', hotel_id, 'version', board_version)::text)
       FROM touched`,
    [hotelIds],
  );
}
