import type { GuestCheckInState } from "@innkey/shared/schemas/stays/guest-links";
import type { HotelSql } from "../../kernel/hotel-database.ts";
import { codeTypeNow } from "../access/public.ts";
import { readAccount } from "../folio/public.ts";
import { type GuestVisit, type Registration, readRegistrations } from "../stays/public.ts";

/** $2: the guest's part in their stay, $3: now. */
const STAY = `SELECT s.room_id AS "roomId", iso(s.starts_at) AS "startsAt", s.ends_at <= $3::timestamptz AS over,
    h.guest_gives_identity AS "asksIdentity", h.guest_gives_document AS "asksDocument",
    h.guest_gives_photo AS "asksPhoto", h.guest_gives_signature AS "asksSignature", r.condition = 'clean' AS clean,
    (SELECT x.check_in_undone OR x.booking_unconfirmed FROM stay x WHERE x.id = s.id) AS "deskDecides",
    EXISTS (SELECT FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = s.room_id AND o.id <> s.occupancy_id
      AND (o.state = 'in_house' OR o.state = 'held' AND o.starts_at <= $3::timestamptz
        AND (o.ends_at IS NULL OR o.ends_at > $3::timestamptz))) AS taken
  FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id JOIN hotel h ON h.id = sg.hotel_id JOIN room r ON r.id = s.room_id
  WHERE sg.hotel_id = $1 AND sg.id = $2::int AND sg."primary" AND s.state = 'reserved' AND h.guest_checks_in`;

interface StayRow {
  roomId: number;
  startsAt: string;
  over: boolean;
  asksIdentity: boolean;
  asksDocument: boolean;
  asksPhoto: boolean;
  asksSignature: boolean;
  clean: boolean;
  deskDecides: boolean;
  taken: boolean;
}

/**
 * Returns whether a guest may check in without the desk: the whole party is registered, nothing is owed, the planned
 * arrival has come, the room is clean and free, and its lock can take a code. What the guest can do something about comes
 * first; the desk decides after an undone check-in, and about a booking of somebody who may not give out door codes. Null: the hotel doesn't offer it to this guest, or the party has arrived. The caller has checked that the guest
 * has shown who they are.
 */
export async function readGuestCheckIn(
  { scope, stayId, stayGuestId }: Pick<GuestVisit, "scope" | "stayId" | "stayGuestId">,
  sql: HotelSql,
): Promise<GuestCheckInState | null> {
  const now = scope.now().toISOString();
  const [stay] = await sql.rows<StayRow>(STAY, stayGuestId, now);
  if (!stay) return null;
  const registrations = await readRegistrations(scope, sql, stayId);
  const missing = registrations.filter((guest) => isMissing(stay, guest));
  if (missing.some(({ primary, canSend }) => primary && canSend)) return "details_missing";
  const { owedMinor } = await readAccount(sql, stayId);
  if (owedMinor > 0) return "not_paid";
  if (missing.length > 0 || stay.over || stay.deskDecides) return "see_desk";
  if (now < stay.startsAt) return "too_early";
  const isReady = stay.clean && !stay.taken && (await codeTypeNow(sql, stay.roomId)) !== null;
  return isReady ? "possible" : "see_desk";
}

/** One signature is enough for a party. */
function isMissing(stay: StayRow, guest: Registration): boolean {
  return (
    (stay.asksIdentity && !guest.hasIdentity) ||
    (stay.asksDocument && !guest.hasDocument) ||
    (stay.asksPhoto && !guest.hasPhoto) ||
    (stay.asksSignature && guest.primary && !guest.hasSignature)
  );
}
