import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import { readDocumentNumber } from "../../stays/public.ts";

/** All data stored about one person, as handed to them; times in ISO 8601, money in minor units. */
export interface Dossier {
  hotel: string;
  madeAt: string;
  currency: string;
  person: {
    name: string;
    gender: string | null;
    nationality: string | null;
    birthDate: string | null;
    documentType: string | null;
    documentNumber: string;
    mobile: string;
    email: string;
    writtenDownAt: string;
    documentsErasedAt: string | null;
    erasedAt: string | null;
  };
  stays: {
    stayId: number;
    state: string;
    startsAt: string;
    endsAt: string;
    checkedInAt: string | null;
    checkedOutAt: string | null;
    breakfast: boolean;
    otherInformation: string;
    guests: number;
    rooms: { name: string; from: string; to: string | null }[];
    breakfasts: string[];
  }[];
  customers: { name: string; mobile: string; email: string; company: string; note: string; since: string }[];
  entries: {
    entryId: number;
    stayId: number;
    type: string;
    amountMinor: number;
    channel: string | null;
    note: string;
    at: string;
  }[];
  cards: { number: string; stayId: number; note: string; state: string; validFrom: string; validTo: string | null }[];
  codes: {
    type: string;
    person: string;
    note: string;
    validFrom: string;
    validTo: string | null;
    deletedAt: string | null;
  }[];
  faces: {
    faceId: number;
    note: string;
    consentAt: string;
    rooms: string[];
    picture: string | null;
  }[];
  doors: { at: string; room: string | null; style: string; opened: boolean; reason: string }[];
}

const THEIRS = "WITH theirs AS (SELECT id, stay_id FROM stay_guest WHERE hotel_id = $1 AND guest_id = $2::int)";

const STAYS = `SELECT s.id AS "stayId", s.state::text AS state, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt",
    iso(s.checked_in_at) AS "checkedInAt", iso(s.checked_out_at) AS "checkedOutAt", s.breakfast,
    s.other_information AS "otherInformation",
    (SELECT count(*) FROM stay_guest o WHERE o.stay_id = s.id)::int AS guests,
    (SELECT coalesce(json_agg(json_build_object('name', r.name, 'from', iso(o.starts_at), 'to', iso(o.ends_at)) ORDER BY o.id), '[]')
      FROM occupancy o JOIN room r ON r.id = o.room_id WHERE o.stay_id = s.id) AS rooms,
    (SELECT coalesce(json_agg(to_char(b.date, 'YYYY-MM-DD') ORDER BY b.date), '[]')
      FROM breakfast b WHERE b.stay_guest_id = t.id) AS breakfasts
  FROM theirs t JOIN stay s ON s.id = t.stay_id WHERE s.hotel_id = $1 ORDER BY s.starts_at DESC, s.id DESC`;

/** SQL: whether customer `c` is the guest with this name, phone and e-mail: the same name, and the same phone or e-mail. */
export const isCustomer = (name: string, mobile: string, email: string): string =>
  `(c.deleted_at IS NULL AND c.kind = 'person' AND lower(c.name) = lower(${name})
    AND ((c.mobile <> '' AND c.mobile = ${mobile}) OR (c.email <> '' AND c.email = ${email})))`;

const CUSTOMERS = `SELECT c.name, c.mobile, c.email, c.company, c.note, iso(c.created_at) AS since
  FROM customer c JOIN guest g ON g.hotel_id = $1 AND g.id = $2::int
  WHERE c.hotel_id = $1 AND ${isCustomer("g.name", "g.mobile", "g.email")} ORDER BY c.id`;

const ENTRIES = `SELECT o.id AS "entryId", o.stay_id AS "stayId", o.type::text AS type, o.amount_minor::float8 AS "amountMinor",
    o.channel::text AS channel, o.note, iso(o.created_at) AS at
  FROM folio_entry o WHERE o.hotel_id = $1 AND o.stay_id IN (SELECT stay_id FROM theirs) ORDER BY o.id`;

const CARDS = `SELECT c.uid AS number, c.stay_id AS "stayId", c.note, c.state::text AS state, iso(c.valid_from) AS "validFrom",
    iso(c.valid_to) AS "validTo"
  FROM card c WHERE c.hotel_id = $1 AND c.stay_id IN (SELECT stay_id FROM theirs) ORDER BY c.id`;

const CODES = `SELECT p.type::text AS type, p.person, p.note, iso(p.valid_from) AS "validFrom", iso(p.valid_to) AS "validTo",
    iso(p.deleted_at) AS "deletedAt"
  FROM passcode p WHERE p.hotel_id = $1 AND p.stay_id IN (SELECT stay_id FROM theirs) ORDER BY p.id`;

const FACES = `SELECT f.id AS "faceId", f.note, iso(f.consent_at) AS "consentAt", f.file_id AS picture,
    ARRAY(SELECT DISTINCT r.name FROM credential c JOIN room r ON r.id = c.room_id
      WHERE c.hotel_id = $1 AND c.face_id = f.id ORDER BY r.name) AS rooms
  FROM face f WHERE f.hotel_id = $1 AND f.guest_id = $2::int ORDER BY f.id`;

const DOORS = `SELECT iso(u.at) AS at, r.name AS room, u.style::text AS style, u.success AS opened, u.reason
  FROM unlock_record u LEFT JOIN room r ON r.id = u.room_id
  WHERE u.hotel_id = $1 AND u.stay_guest_id IN (SELECT id FROM theirs) ORDER BY u.at, u.id`;

/**
 * Collects the dossier of a guest. `picture` of a face is the id of its file. The document number is masked unless the
 * caller may see it. @throws not_found
 */
export async function collect(scope: Scope, guestId: number): Promise<Dossier> {
  scope.require("privacy.manage");
  const guest = await scope.reads.guest.findFirst({ where: { id: guestId } });
  if (!guest) throw new DomainError("not_found");
  const rows = <T>(text: string): Promise<T[]> => scope.sql.rows<T>(`${THEIRS} ${text}`, guestId);
  return {
    hotel: scope.hotel.name,
    madeAt: scope.now().toISOString(),
    currency: scope.hotel.currency,
    person: {
      name: guest.name,
      gender: guest.gender,
      nationality: guest.nationality,
      birthDate: guest.birthDate?.toISOString().slice(0, 10) ?? null,
      documentType: guest.documentType,
      documentNumber: readDocumentNumber(scope, guest.id, guest.documentNumberBox),
      mobile: guest.mobile,
      email: guest.email,
      writtenDownAt: guest.createdAt.toISOString(),
      documentsErasedAt: guest.documentsErasedAt?.toISOString() ?? null,
      erasedAt: guest.erasedAt?.toISOString() ?? null,
    },
    customers: await scope.sql.rows<Dossier["customers"][number]>(CUSTOMERS, guestId),
    stays: await rows(STAYS),
    entries: await rows(ENTRIES),
    cards: await rows(CARDS),
    codes: await rows(CODES),
    faces: await rows(FACES),
    doors: await rows(DOORS),
  };
}
