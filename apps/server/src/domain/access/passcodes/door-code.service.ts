import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type LiveStay, selectStayForUpdate } from "../../stays/public.ts";
import { accessWindow } from "../credentials/access-window.ts";
import { PASSCODE_VISIBLE } from "./passcodes.queries.ts";
import { issue, revealIn, untilFree } from "./passcodes.service.ts";

export interface DoorCode {
  passcodeId: number;
  code: string;
  validFrom: string;
  /** null: without end */
  validTo: string | null;
}

/**
 * Returns the code that a guest's party has for its room's door, or draws one in the guest's name. Repeated calls
 * return the same code. One-time codes don't count, as they allow one entry. @throws not_found; state_conflict for a
 * stay that ended, stay_expired; otherwise as `create`
 */
export async function doorCode(scope: Scope, stayGuestId: number): Promise<DoorCode> {
  scope.require("passcodes.issue");
  return untilFree(scope, async (tx) => {
    const where = { id: stayGuestId };
    const select = { stayId: true, guest: { select: { name: true } } };
    const person = await tx.db.stayGuest.findFirst({ where, select });
    if (!person) throw new DomainError("not_found");
    const stay = await selectStayForUpdate(scope, tx, person.stayId, "reserved", "checked_in");
    const passcode = await codeOf(scope, tx, stay);
    if (passcode) return { ...passcode, code: await revealIn(scope, tx, passcode.passcodeId) };
    const { passcodeId, code } = await issue(scope, tx, {
      type: "air",
      roomIds: [stay.roomId],
      stayId: stay.id,
      person: person.guest.name,
      note: "",
      code: null,
      validFrom: null,
      validTo: null,
    });
    return { passcodeId, code, ...(await periodOf(tx, passcodeId)) };
  });
}

/** Returns the party's first code that opens its door now, or will on arrival, among those the caller can see. */
async function codeOf(scope: Scope, tx: Transaction, stay: LiveStay): Promise<Omit<DoorCode, "code"> | undefined> {
  const [row] = await tx.sql.rows<Omit<DoorCode, "code">>(
    `SELECT p.id AS "passcodeId", iso(p.valid_from) AS "validFrom", iso(p.valid_to) AS "validTo" FROM passcode p
      WHERE p.hotel_id = $1 AND p.stay_id = $3::int AND p.type <> 'one_time' AND p.deleted_at IS NULL
        AND p.valid_from <= $6::timestamptz AND (p.valid_to IS NULL OR p.valid_to > $4::timestamptz) AND ${PASSCODE_VISIBLE}
        AND EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.passcode_id = p.id AND c.room_id = $5::int
          AND c.state NOT IN ('revoking', 'revoked', 'failed'))
      ORDER BY p.id LIMIT 1`,
    scope.roomIds,
    stay.id,
    scope.now(),
    stay.roomId,
    new Date(Math.max(scope.now().getTime(), accessWindow(scope.hotel, stay).validFrom.getTime())),
  );
  return row;
}

async function periodOf(tx: Transaction, id: number): Promise<Pick<DoorCode, "validFrom" | "validTo">> {
  const { validFrom, validTo } = await tx.db.passcode.findFirstOrThrow({ where: { id } });
  return { validFrom: validFrom.toISOString(), validTo: validTo?.toISOString() ?? null };
}
