import { DomainError } from "@innkey/shared/errors";
import { guestLanguage } from "@innkey/shared/languages";
import type { GuestPage, GuestPageInside } from "@innkey/shared/schemas/overview/guest-page";
import type { GuestPictureKind } from "@innkey/shared/schemas/stays/pre-check-in";
import { accessWindow, readGuestCodes } from "../access/public.ts";
import { readAccount } from "../folio/public.ts";
import { type GuestVisit, proofState } from "../stays/public.ts";
import { readGuestCheckIn } from "./guest-check-in.queries.ts";

const PAGE = `SELECT
    json_build_object('name', h.name, 'address', h.address, 'tel', h.tel, 'latitude', h.latitude, 'longitude', h.longitude,
      'timeZone', h.time_zone, 'hourFormat', h.hour_format, 'currency', h.currency,
      'checkInTime', h.check_in_time, 'checkOutTime', h.check_out_time,
      'breakfastFrom', h.breakfast_from, 'breakfastTo', h.breakfast_to, 'notice', h.notice) AS hotel,
    h.language, h.wifi_name AS "wifiName", h.wifi_password AS "wifiPassword", h.guest_opens_door AND NOT x.booking_unconfirmed AS "opensDoor",
    h.guest_asks_late AS "asksLate", h.guest_checks_out AS "checksOut",
    h.guest_gives_identity AS "asksIdentity", h.guest_gives_document AS "asksDocument", h.guest_gives_arrival AS "asksArrival",
    h.guest_gives_photo AS "asksPhoto", h.guest_gives_signature AS "asksSignature",
    (SELECT coalesce(json_agg(i.kind ORDER BY i.kind), '[]') FROM guest_picture i
      WHERE i.hotel_id = $1 AND i.stay_guest_id = sg.id) AS "sentPictures",
    iso(p.sent_at) AS "sentAt", p.answered_at IS NOT NULL AS answered, iso(k.late_until) AS "lateUntil", k.late_declined_at IS NOT NULL AS declined,
    s.state::text AS state, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt", s.breakfast,
    r.name AS "roomName", g.name AS "guestName", g.nationality, sg."primary" AS "isPrimary",
    l.id IS NOT NULL AS "hasLock", l.blocked_out_at IS NOT NULL AS "blockedOut"
  FROM stay_guest sg
  JOIN stay_now s ON s.id = sg.stay_id
  JOIN stay x ON x.id = s.id
  JOIN hotel h ON h.id = sg.hotel_id
  JOIN guest g ON g.id = sg.guest_id
  JOIN room r ON r.id = s.room_id
  LEFT JOIN lock l ON l.hotel_id = $1 AND l.room_id = s.room_id
  JOIN guest_link k ON k.id = $3::int AND k.stay_guest_id = sg.id
  LEFT JOIN pre_check_in p ON p.hotel_id = $1 AND p.stay_guest_id = sg.id
  WHERE sg.hotel_id = $1 AND sg.id = $2::int AND s.state IN ('reserved', 'checked_in')`;

interface PageRow {
  hotel: GuestPage["hotel"];
  language: string;
  wifiName: string;
  wifiPassword: string;
  opensDoor: boolean;
  asksLate: boolean;
  checksOut: boolean;
  asksIdentity: boolean;
  asksDocument: boolean;
  asksArrival: boolean;
  asksPhoto: boolean;
  asksSignature: boolean;
  sentPictures: GuestPictureKind[];
  sentAt: string | null;
  answered: boolean;
  lateUntil: string | null;
  declined: boolean;
  state: GuestPage["stay"]["state"];
  startsAt: string;
  endsAt: string;
  breakfast: boolean;
  roomName: string;
  guestName: string;
  nationality: string | null;
  isPrimary: boolean;
  hasLock: boolean;
  blockedOut: boolean;
}

const ENTRIES = `SELECT o.type::text AS type, CASE WHEN o.type = 'extra' THEN o.note ELSE '' END AS note, iso(o.created_at) AS at,
    -coalesce((SELECT sum(e.amount_minor) FROM ledger_entry e WHERE e.folio_entry_id = o.id AND e.account = 'revenue'), 0)::int AS "amountMinor"
  FROM folio_entry o WHERE o.hotel_id = $1 AND o.stay_id = $2::int ORDER BY o.id LIMIT 500`;

/** Returns what a guest's page shows; the parts that are only for the guest, once they have shown who they are. */
export async function readGuestPage(visit: GuestVisit): Promise<GuestPage> {
  const { scope, stayGuestId, linkId, proven } = visit;
  const [row] = await scope.sql.prepared<PageRow>("guest-page", PAGE, stayGuestId, linkId);
  if (!row) throw new DomainError("not_found");
  const { hotel, state, startsAt, endsAt, breakfast } = row;
  return {
    hotel,
    // Before the proof, what is written about the guest must not show in which language they are written to.
    language: guestLanguage(proven ? row.nationality : null, row.language),
    stay: { state, startsAt, endsAt, breakfast: proven && breakfast },
    proof: proven ? "done" : await proofState(visit),
    inside: proven ? await readInside(visit, row) : null,
  };
}

async function readInside(visit: GuestVisit, row: PageRow): Promise<GuestPageInside> {
  const { scope, stayGuestId, roomId } = visit;
  const { state, lateUntil, declined, endsAt } = row;
  const isHere = state === "checked_in";
  const now = scope.now();
  // Once the stay lasts as long, the request is granted.
  const isAsked = isHere && lateUntil !== null && lateUntil > endsAt;
  const [codes, bill, checkIn] = await Promise.all([
    isHere ? readGuestCodes(scope, stayGuestId, roomId) : [],
    row.isPrimary ? readBill(visit) : null,
    isHere ? null : readGuestCheckIn(visit, scope.sql),
  ]);
  return {
    guestName: row.guestName,
    room: isHere ? { name: row.roomName } : null,
    codes: codes.map(({ passcodeId: _passcodeId, ...code }) => code),
    canOpen: row.opensDoor && row.hasLock && !row.blockedOut && isHere && now < accessWindow(scope.hotel, row).validTo,
    blockedOut: isHere && row.blockedOut,
    canAskLate: row.asksLate && isHere && now.toISOString() < endsAt,
    late: isAsked ? { until: lateUntil, declined } : null,
    canCheckOut: row.checksOut && isHere && bill !== null && bill.owedMinor === 0 && bill.depositHeldMinor === 0,
    checkIn,
    preCheckIn: preCheckInOf(row),
    wifi: isHere && row.wifiName !== "" ? { name: row.wifiName, password: row.wifiPassword } : null,
    bill,
  };
}

function preCheckInOf(row: PageRow): GuestPageInside["preCheckIn"] {
  const { asksIdentity, asksDocument, asksArrival, asksPhoto, asksSignature, sentPictures, sentAt, answered } = row;
  const asks = { asksIdentity, asksDocument, asksArrival, asksPhoto, asksSignature };
  if (row.state !== "reserved" || !Object.values(asks).includes(true)) return null;
  return { ...asks, sentPictures, sentAt, answered };
}

async function readBill({ scope, stayId }: GuestVisit): Promise<GuestPageInside["bill"]> {
  const [entries, { chargedMinor, owedMinor, depositHeldMinor }] = await Promise.all([
    scope.sql.rows<NonNullable<GuestPageInside["bill"]>["entries"][number]>(ENTRIES, stayId),
    readAccount(scope.sql, stayId),
  ]);
  return { entries: entries.filter(({ amountMinor }) => amountMinor !== 0), chargedMinor, owedMinor, depositHeldMinor };
}
