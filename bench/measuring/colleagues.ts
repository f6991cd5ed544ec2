import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { OWNER } from "./owner.ts";

/**
 * Adds administrators with the password of the hotel's owner, and returns their accounts. The console limits the
 * sessions and the open streams of each person.
 */
export async function addColleagues(
  { pool }: Database,
  hotelId: number,
  count: number,
  ownerMobile = OWNER.mobile,
): Promise<string[]> {
  const accounts = Array.from({ length: count }, (_, index) => String(13_800_100_000 + index));
  await pool.query(
    `WITH colleague AS (
       INSERT INTO operator (mobile, name, password_hash)
       SELECT account, 'Desk', password_hash FROM operator, unnest($2::text[]) AS account WHERE mobile = $3 RETURNING id)
     INSERT INTO membership (hotel_id, operator_id, role, capabilities) SELECT $1, id, 'administrator', '{}' FROM colleague`,
    [hotelId, accounts, ownerMobile],
  );
  return accounts;
}
