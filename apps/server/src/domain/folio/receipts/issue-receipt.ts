import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { lockHotelMoney } from "../balance/balance.service.ts";

async function readNumber(sql: HotelSql, stayId: number, lastEntryId: number): Promise<number | null> {
  const [issued] = await sql.rows<{ number: number }>(
    "SELECT number FROM receipt WHERE hotel_id = $1 AND stay_id = $2::int AND last_entry_id = $3::int",
    stayId,
    lastEntryId,
  );
  return issued?.number ?? null;
}

/**
 * Returns the running number of a stay's receipt as it stands with its last entry. The first caller who may manage stays
 * gives it out; until then it has none. The numbers of a hotel are given out one at a time, so they have no gaps. The
 * caller must have checked that the stay may be seen.
 */
export async function issueReceipt(scope: Scope, stayId: number, lastEntryId: number): Promise<number | null> {
  const issued = await readNumber(scope.sql, stayId, lastEntryId);
  if (issued !== null || !scope.can("stays.manage")) return issued;
  return scope.write(async (tx) => {
    await lockHotelMoney(tx);
    const meanwhile = await readNumber(tx.sql, stayId, lastEntryId);
    if (meanwhile !== null) return meanwhile;
    const [receipt] = await tx.sql.rows<{ number: number }>(
      `INSERT INTO receipt (hotel_id, number, stay_id, last_entry_id, issued_at, operator_id)
       SELECT $1, coalesce((SELECT max(number) FROM receipt WHERE hotel_id = $1), 0) + 1, $2::int, $3::int, $4::timestamptz, $5::int
       RETURNING number`,
      stayId,
      lastEntryId,
      scope.now(),
      scope.operatorId,
    );
    if (!receipt) throw new Error("an inserted receipt returned no row");
    tx.audit({ action: "receipt.issue", entity: "receipt", entityId: receipt.number, after: { stayId, lastEntryId } });
    return receipt.number;
  });
}
