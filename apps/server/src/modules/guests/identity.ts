import type { GuestInput } from "@innkey/shared/schemas/stays";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";

/** Document numbers compare without spaces, dashes and case; stored encrypted, found by keyed hash (source: domain rules, Privacy). */
export function normalDocumentNumber(value: string): string {
  return value.replace(/[\s\-./]/g, "").toUpperCase();
}

/** "••••••1234": what is shown to those without guests.documents. */
export function maskDocumentNumber(value: string): string {
  return value.length <= 4 ? "•".repeat(value.length) : "•".repeat(Math.min(value.length - 4, 8)) + value.slice(-4);
}

/** A stored document number as this reader may see it. */
export function readDocumentNumber(scope: Scope, box: Uint8Array | null): string {
  if (!box) return "";
  const number = scope.secrets.document.open(box) ?? "";
  return scope.can("guests.documents") ? number : maskDocumentNumber(number);
}

interface DocumentColumns {
  documentNumberBox?: Uint8Array<ArrayBuffer> | null;
  documentNumberHash?: Uint8Array<ArrayBuffer> | null;
}

function documentColumns(scope: Scope, documentNumber: string | null): DocumentColumns {
  if (documentNumber === null) return {};
  const number = normalDocumentNumber(documentNumber);
  if (number === "") return { documentNumberBox: null, documentNumberHash: null };
  const { document } = scope.secrets;
  return { documentNumberBox: document.seal(number), documentNumberHash: document.fingerprint(number) };
}

/** The columns of an identity; the document's only if its number is given. */
export function guestColumns(
  scope: Scope,
  input: Omit<GuestInput, "documentNumber"> & { documentNumber: string | null },
) {
  const { documentNumber, birthDate, ...rest } = input;
  return {
    ...rest,
    birthDate: birthDate === null ? null : new Date(birthDate),
    ...documentColumns(scope, documentNumber),
  };
}

/**
 * The person's row: the one with the same document and name is theirs already, and is brought up to date with what was
 * told; what was left blank says nothing.
 */
export async function saveGuest(scope: Scope, unit: Unit, input: GuestInput): Promise<number> {
  const columns = guestColumns(scope, input);
  const known = columns.documentNumberHash
    ? await unit.db.guest.findFirst({
        where: {
          documentNumberHash: { in: scope.secrets.document.fingerprints(normalDocumentNumber(input.documentNumber)) },
          name: input.name,
          erasedAt: null,
        },
        select: { id: true },
      })
    : null;
  if (known) {
    const told = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null && value !== ""));
    // Somebody may be erasing them at this moment; then this is a new person.
    const { count } = await unit.db.guest.updateMany({ where: { id: known.id, erasedAt: null }, data: told });
    if (count > 0) return known.id;
  }
  const created = await unit.db.guest.create({
    data: { ...columns, hotelId: scope.hotelId, createdAt: scope.now() },
    select: { id: true },
  });
  return created.id;
}

export interface AlreadyIn {
  guestName: string;
  roomId: number;
  roomName: string;
}

/** Two desks that check the same person in at the same moment do so one after the other; held until the unit ends. */
async function lockIdentities(unit: Unit, guests: readonly GuestInput[]): Promise<void> {
  const keys = guests.flatMap(({ name, documentNumber }) => [
    `name ${name.toLowerCase()}`,
    `document ${normalDocumentNumber(documentNumber)}`,
  ]);
  await unit.sql.rows(
    `SELECT pg_advisory_xact_lock(key)::text
       FROM (SELECT DISTINCT hashtextextended(text, $1::int) AS key FROM unnest($2::text[]) AS text ORDER BY key) AS ordered`,
    keys.filter((key) => key !== "document "),
  );
}

/** Someone of these who is in the house in another stay: the same document, or the same name with phone or birth date. */
export async function findAlreadyIn(
  scope: Scope,
  unit: Unit,
  guests: readonly GuestInput[],
  exceptStayId: number | null,
): Promise<AlreadyIn | null> {
  await lockIdentities(unit, guests);
  for (const guest of guests) {
    const number = normalDocumentNumber(guest.documentNumber);
    const [found] = await unit.sql.rows<AlreadyIn>(
      `SELECT g.name AS "guestName", r.id AS "roomId", r.name AS "roomName"
         FROM stay s
         JOIN occupancy o ON o.hotel_id = s.hotel_id AND o.stay_id = s.id AND o.state = 'in_house'
         JOIN room r ON r.id = o.room_id
         JOIN stay_guest sg ON sg.hotel_id = s.hotel_id AND sg.stay_id = s.id
         JOIN guest g ON g.id = sg.guest_id
        WHERE s.hotel_id = $1 AND s.state = 'checked_in' AND s.id IS DISTINCT FROM $2::int
          AND (g.document_number_hash = ANY ($3::bytea[])
               OR (lower(g.name) = lower($4) AND ((g.mobile <> '' AND g.mobile = $5) OR g.birth_date = $6::date)))
        LIMIT 1`,
      exceptStayId,
      number === "" ? [] : scope.secrets.document.fingerprints(number),
      guest.name,
      guest.mobile,
      guest.birthDate,
    );
    if (found) return found;
  }
  return null;
}
