import type { Transaction } from "../../../kernel/transaction.ts";

/** $3, $4: the name before and after. Nothing changes while another guest of the party has the name. */
const RENAME = `UPDATE passcode SET person = $4 WHERE hotel_id = $1 AND stay_id = $2::int AND deleted_at IS NULL
    AND lower(btrim(person)) = lower(btrim($3))
    AND NOT EXISTS (SELECT FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
      WHERE sg.hotel_id = $1 AND sg.stay_id = $2::int AND lower(btrim(g.name)) = lower(btrim($3)))
  RETURNING id`;

/** Puts the codes of a stay that are in a guest's name into their corrected name, so that they stay that guest's. */
export async function renameCodes(
  tx: Transaction,
  { stayId, from, to }: { stayId: number; from: string; to: string },
): Promise<void> {
  if (from !== to) await tx.sql.rows(RENAME, stayId, from, to);
}
