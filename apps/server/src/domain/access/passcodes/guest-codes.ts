import type { Scope } from "../../../kernel/scope.ts";
import { openCode } from "../credentials/credential-content.ts";
import { isHolderSql, isPartysSql } from "./made-for.ts";

/** A door code of a stay, as its guest sees it. */
export interface GuestCode {
  passcodeId: number;
  /** the digits; null until the lock has confirmed them */
  code: string | null;
  /** The lock has the code and has yet to confirm another period. */
  changing: boolean;
  /** works once, without the lock's network */
  once: boolean;
  validFrom: string;
  /** null: no end */
  validTo: string | null;
}

/**
 * Codes of the stay of guest $2 that are to open room $3, the guest's own and those made for nobody of the party in particular.
 * One-time codes need no confirmation, because the lock computes them itself.
 * A code that the lock has confirmed before keeps opening while its period changes.
 */
const CODES = `SELECT p.id, p.code_box AS "codeBox", p.type = 'one_time' AS once,
    p.type = 'one_time' OR c.state IN ('confirmed', 'used') AS confirmed,
    c.state IN ('queued', 'sent') AND c.confirmed_at IS NOT NULL AND c.at_lock_from <= $4::timestamptz AS changing,
    iso(c.valid_from) AS "validFrom", iso(c.valid_to) AS "validTo"
  FROM stay_guest sg
  JOIN guest g ON g.id = sg.guest_id
  JOIN passcode p ON p.hotel_id = $1 AND p.stay_id = sg.stay_id
  JOIN credential c ON c.hotel_id = $1 AND c.passcode_id = p.id AND c.room_id = $3::int AND c.state NOT IN ('revoking', 'revoked')
  JOIN lock l ON l.id = c.lock_id
  WHERE sg.hotel_id = $1 AND sg.id = $2::int AND p.deleted_at IS NULL
    AND (${isHolderSql("p", "sg", "g")} OR ${isPartysSql("p")})
    AND (c.valid_to IS NULL OR c.valid_to > $4::timestamptz)
    AND NOT (p.type = 'one_time' AND (c.state = 'used' OR p.otp_counter < l.otp_floor))
  ORDER BY p.id DESC LIMIT 20`;

interface Row extends Omit<GuestCode, "passcodeId" | "code" | "changing"> {
  id: number;
  codeBox: Buffer;
  confirmed: boolean;
  changing: boolean | null;
}

/**
 * Returns the codes for the door of their room that a guest may see, newest first, with the digits of those that open it:
 * not those of another guest of the party. The caller must have checked that the guest has shown who they are.
 */
export async function readGuestCodes(scope: Scope, stayGuestId: number, roomId: number): Promise<GuestCode[]> {
  const rows = await scope.sql.rows<Row>(CODES, stayGuestId, roomId, scope.now().toISOString());
  return rows.map(({ id, codeBox, confirmed, changing, ...code }) => ({
    ...code,
    passcodeId: id,
    changing: changing ?? false,
    code: confirmed || changing ? openCode(scope, { id, codeBox }) : null,
  }));
}

/** Returns the digits of every code that a stay has or had, to mask them in texts. The caller shows them to nobody. */
export async function openStayCodes(scope: Scope, stayId: number): Promise<string[]> {
  const rows = await scope.sql.rows<{ id: number; codeBox: Buffer }>(
    'SELECT id, code_box AS "codeBox" FROM passcode WHERE hotel_id = $1 AND stay_id = $2::int ORDER BY id',
    stayId,
  );
  return rows.map((row) => openCode(scope, row));
}
