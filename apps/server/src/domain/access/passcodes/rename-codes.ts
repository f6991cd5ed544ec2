import type { Transaction } from "../../../kernel/transaction.ts";
import { madeForSql } from "./made-for.ts";

interface Identity {
  name: string;
  /** "" for none */
  mobile: string;
}

/**
 * $2: the person, $3, $4: the name before and after, $5, $6: the phone number. Nothing changes on a stay while one of its
 * guests still has the name or number of the code.
 */
const RENAME = `UPDATE passcode p SET person = CASE WHEN lower(btrim(p.person)) = lower(btrim(b.name)) THEN $4
      ELSE coalesce(nullif($6, ''), $4) END
  FROM (SELECT $3::text AS name, $5::text AS mobile) b
  WHERE p.hotel_id = $1 AND p.deleted_at IS NULL
    AND p.stay_id IN (SELECT sg.stay_id FROM stay_guest sg JOIN stay s ON s.id = sg.stay_id
      WHERE sg.hotel_id = $1 AND sg.guest_id = $2::int AND s.state IN ('reserved', 'checked_in'))
    AND ${madeForSql("p", "b")}
    AND NOT EXISTS (SELECT FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
      WHERE sg.hotel_id = $1 AND sg.stay_id = p.stay_id AND ${madeForSql("p", "g")})
  RETURNING p.id`;

/**
 * Puts the codes that are in a guest's name or phone number into the corrected one, on every stay of theirs that isn't
 * over, so that they stay that guest's. The guest has been corrected before.
 */
export async function renameCodes(
  tx: Transaction,
  { guestId, from, to }: { guestId: number; from: Identity; to: Identity },
): Promise<void> {
  if (from.name === to.name && from.mobile === to.mobile) return;
  await tx.sql.rows(RENAME, guestId, from.name, to.name, from.mobile, to.mobile);
}
