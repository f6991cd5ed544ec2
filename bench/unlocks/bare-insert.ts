// The baseline for the ingest: finished rows, 500 per statement, four statements at a time. It resolves no cards,
// updates no locks or keys and notifies no clients, so it does less than the console.
import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import type { BareRecord } from "./street.ts";

const ROWS = 500;
const IN_FLIGHT = 4;

const INSERT = `
  INSERT INTO unlock_record (hotel_id, room_id, lock_id, lock_seq, at, style, success, reason, card_id, stay_guest_id)
  SELECT * FROM unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::timestamptz[], $6::unlock_style[], $7::boolean[],
    $8::text[], $9::int[], $10::int[])`;

export async function insertBare({ pool }: Database, records: readonly BareRecord[]): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < records.length) {
      const rows = records.slice(next, next + ROWS);
      next += ROWS;
      const column = <K extends keyof BareRecord>(name: K): BareRecord[K][] => rows.map((row) => row[name]);
      await pool.query(INSERT, [
        column("hotelId"),
        column("roomId"),
        column("lockId"),
        column("seq"),
        column("at"),
        column("style"),
        column("success"),
        column("reason"),
        column("cardId"),
        column("stayGuestId"),
      ]);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}
