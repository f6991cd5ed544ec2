import { DomainError } from "@innkey/shared/errors";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { isHolderSql } from "./made-for.ts";
import { issue } from "./passcodes.service.ts";

/** The lock of room $2: whether it can be sent a code now, and whether it computes one-time codes by itself. */
const LOCK = `SELECT l.online, l.driver = 'mqtt' AND l.configured_at IS NOT NULL AND l.secret_box IS NOT NULL AS computes
  FROM lock l WHERE l.hotel_id = $1 AND l.room_id = $2::int AND l.deleted_at IS NULL`;

/** A code of guest $2 for room $3 that opens now, or that the lock gets as soon as it is online. $4: now */
const CODE = `SELECT c.state IN ('confirmed', 'used') AS confirmed FROM stay_guest sg
    JOIN guest g ON g.id = sg.guest_id
    JOIN passcode p ON p.hotel_id = $1 AND p.stay_id = sg.stay_id
    JOIN credential c ON c.hotel_id = $1 AND c.passcode_id = p.id AND c.room_id = $3::int
  WHERE sg.hotel_id = $1 AND sg.id = $2::int AND p.type <> 'one_time' AND p.deleted_at IS NULL
    AND ${isHolderSql("p", "sg", "g")} AND c.state IN ('queued', 'sent', 'confirmed', 'used')
    AND c.valid_from <= $4::timestamptz AND (c.valid_to IS NULL OR c.valid_to > $4::timestamptz)
  ORDER BY 1 DESC LIMIT 1`;

/**
 * Returns the kind of code that the lock of a room can take at this moment: one for the whole stay if it is online, a
 * one-time code if it computes those itself. Null: neither, so that a guest gets in only with the help of the desk.
 */
export async function codeTypeNow(sql: HotelSql, roomId: number): Promise<"air" | "one_time" | null> {
  const [lock] = await sql.rows<{ online: boolean; computes: boolean }>(LOCK, roomId);
  if (!lock) return null;
  return lock.online ? "air" : lock.computes ? "one_time" : null;
}

/**
 * Makes sure that a guest who has just checked in without the desk has a code for the door of their room. The caller has
 * allowed it and locked the stay. @throws lock_missing if the lock can take none; otherwise as `issue`
 */
export async function issueArrivalCode(
  scope: Scope,
  tx: Transaction,
  { stayId, roomId, stayGuestId }: { stayId: number; roomId: number; stayGuestId: number },
): Promise<void> {
  const type = await codeTypeNow(tx.sql, roomId);
  if (type === null) throw new DomainError("lock_missing");
  const [code] = await tx.sql.rows<{ confirmed: boolean }>(CODE, stayGuestId, roomId, scope.now());
  if (code && (code.confirmed || type === "air")) return;
  const { guest } = await tx.db.stayGuest.findFirstOrThrow({
    where: { id: stayGuestId },
    select: { guest: { select: { name: true } } },
  });
  await issue(
    scope,
    tx,
    createPasscodeInput.parse({ type, roomIds: [roomId], stayId, holderId: stayGuestId, person: guest.name }),
  );
}
