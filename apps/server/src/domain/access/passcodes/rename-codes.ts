import type { Transaction } from "../../../kernel/transaction.ts";
import { madeForOtherSql, madeForSql } from "./made-for.ts";

interface Identity {
  name: string;
  /** "" for none */
  mobile: string;
}

/**
 * $2: the person, $3, $4: the name before and after, $5, $6: the phone number. A code that stores no holder stays as it is
 * while a guest of its stay still has its name or number.
 */
const RENAME = `UPDATE passcode p SET person = CASE WHEN lower(btrim(p.person)) = lower(btrim(b.name)) THEN $4
      ELSE coalesce(nullif($6, ''), $4) END
  FROM (SELECT $3::text AS name, $5::text AS mobile) b
  WHERE p.hotel_id = $1 AND p.deleted_at IS NULL
    AND p.stay_id IN (SELECT sg.stay_id FROM stay_guest sg JOIN stay s ON s.id = sg.stay_id
      WHERE sg.hotel_id = $1 AND sg.guest_id = $2::int AND s.state IN ('reserved', 'checked_in'))
    AND ${madeForSql("p", "b")}
    AND (p.stay_guest_id IS NULL AND NOT ${madeForOtherSql("p")}
      OR p.stay_guest_id IN (SELECT sg.id FROM stay_guest sg WHERE sg.hotel_id = $1 AND sg.guest_id = $2::int))
  RETURNING p.id`;

/**
 * Puts the codes of a guest that are in their name or phone number into the corrected one, on every stay of theirs that isn't
 * over. The guest has been corrected before.
 */
export async function renameCodes(
  tx: Transaction,
  { guestId, from, to }: { guestId: number; from: Identity; to: Identity },
): Promise<void> {
  if (from.name === to.name && from.mobile === to.mobile) return;
  await tx.sql.rows(RENAME, guestId, from.name, to.name, from.mobile, to.mobile);
}
