import { DomainError } from "@innkey/shared/errors";
import { isDocumentNumber } from "@innkey/shared/schemas/fields";
import type { GuestInput } from "@innkey/shared/schemas/stays/stays";
import type { Guest } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import { changesOf, nextId, type Transaction } from "../../../kernel/transaction.ts";
import { maskedContact } from "../../identity/public.ts";
import { replaceLinks } from "../guest-links/replace-links.ts";
import { deleteSent } from "../pre-check-in/guest-pictures.ts";
import {
  contactsAdded,
  contactsBooked,
  contactsChanged,
  contactsEntered,
  type UnconfirmedContacts,
} from "./unconfirmed-contacts.ts";

/**
 * Returns the number without spaces, dashes, dots and slashes, in upper case, so that spellings compare equal; "" for a
 * text that can't be one. It is stored encrypted and found by a keyed hash (source: domain rules, Privacy).
 */
export function normalDocumentNumber(value: string): string {
  return isDocumentNumber(value) ? value.replace(/[\s\-./]/g, "").toUpperCase() : "";
}

/**
 * SQL condition: the caller may see the person in the row `guest`, because they are or were on a stay in the caller's
 * rooms. Reservations that were cancelled, or moved to another room, don't count. `rooms` is the parameter with
 * `scope.roomIds`, `$1` the hotel. Every search, comparison or change by typed data must use this condition, so that
 * nothing reveals a person the caller may not see. It is text and no SQL function, because PostgreSQL would call a
 * function with a subquery once per row.
 */
export function visibleGuestSql(guest: string, rooms: string): string {
  return `(${rooms}::int[] IS NULL OR EXISTS (
    SELECT FROM stay_guest visible_sg JOIN occupancy visible_o ON visible_o.hotel_id = $1 AND visible_o.stay_id = visible_sg.stay_id
     WHERE visible_sg.hotel_id = $1 AND visible_sg.guest_id = ${guest}.id AND visible_o.state <> 'cancelled'
       AND visible_o.room_id = ANY (${rooms}::int[])))`;
}

/**
 * SQL condition: the person in the row `guest` is, or is expected, in a room that the caller has no grant for. The
 * caller may not change that person, so typed data creates a new one. It is text for the same reason as
 * `visibleGuestSql`.
 */
export function guestElsewhereSql(guest: string, rooms: string): string {
  return `(${rooms}::int[] IS NOT NULL AND EXISTS (
    SELECT FROM stay_guest elsewhere_sg JOIN occupancy elsewhere_o ON elsewhere_o.hotel_id = $1 AND elsewhere_o.stay_id = elsewhere_sg.stay_id
     WHERE elsewhere_sg.hotel_id = $1 AND elsewhere_sg.guest_id = ${guest}.id
       AND elsewhere_o.state IN ('held', 'in_house') AND elsewhere_o.room_id <> ALL (${rooms}::int[])))`;
}

/**
 * Returns the hashes by which a person's document is found; nothing for callers who may not see documents, because
 * unlimited guessing would reveal the number. A test ensures that only this function computes them.
 */
export function documentHashes(scope: Scope, documentNumber: string): Buffer[] {
  const number = normalDocumentNumber(documentNumber);
  return number !== "" && scope.can("guests.documents") ? scope.secrets.document.fingerprints(number) : [];
}

const VISIBLE_CHARACTERS = 2;

/** Returns "•••••••34", which is shown to callers without guests.documents. */
export function maskDocumentNumber(value: string): string {
  const hidden = value.length <= 2 * VISIBLE_CHARACTERS ? value.length : value.length - VISIBLE_CHARACTERS;
  return "•".repeat(Math.min(hidden, 8)) + value.slice(hidden);
}

/** Seal context of a guest's document number. */
const documentContext = ({ hotelId }: Scope, row: number): SealContext => ({
  column: "guest.document_number_box",
  hotelId,
  row,
});

/** Returns the whole number, or "" if there is none or no key opens it. */
export function openDocumentNumber(scope: Scope, guestId: number, box: Uint8Array | null): string {
  return box ? (scope.secrets.document.open(box, documentContext(scope, guestId)) ?? "") : "";
}

/** Returns a stored document number as the caller may see it. */
export function readDocumentNumber(scope: Scope, guestId: number, box: Uint8Array | null): string {
  const number = openDocumentNumber(scope, guestId, box);
  return scope.can("guests.documents") ? number : maskDocumentNumber(number);
}

interface DocumentColumns {
  documentNumberBox?: Uint8Array<ArrayBuffer> | null;
  documentNumberHash?: Uint8Array<ArrayBuffer> | null;
}

function documentColumns(scope: Scope, guestId: number, documentNumber: string | null): DocumentColumns {
  if (documentNumber === null) return {};
  const number = normalDocumentNumber(documentNumber);
  if (number === "") return { documentNumberBox: null, documentNumberHash: null };
  const { document } = scope.secrets;
  const documentNumberBox = document.seal(number, documentContext(scope, guestId));
  return { documentNumberBox, documentNumberHash: document.fingerprint(number) };
}

/** Returns the columns of a guest's identity, with those of the document only if its number is given. */
export function guestColumns(
  scope: Scope,
  guestId: number,
  input: Omit<GuestInput, "documentNumber"> & { documentNumber: string | null },
) {
  const { documentNumber, birthDate, ...rest } = input;
  return {
    ...rest,
    birthDate: birthDate === null ? null : new Date(birthDate),
    ...documentColumns(scope, guestId, documentNumber),
  };
}

const MASK = "***";

/** Returns a person's data as the audit log may store it for ever: it shows a change without identifying the person. */
function forAudit(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (typeof value !== "string" || value === "") return [key, value];
      if (key === "mobile" || key === "email") return [key, maskedContact(value)];
      return [key, key === "name" ? [...value][0] + MASK : value];
    }),
  );
}

type GuestColumns = ReturnType<typeof guestColumns>;

/** Returns the changes for the audit log; null if there are none. */
function changesOfGuest(
  stored: Guest,
  { documentNumberBox: _box, documentNumberHash, ...columns }: Partial<GuestColumns>,
) {
  const hex = (hash: Uint8Array | null): string => (hash ? Buffer.from(hash).toString("hex") : "");
  const document = documentNumberHash === undefined ? {} : { documentNumber: hex(documentNumberHash) };
  const before = { ...stored, documentNumber: hex(stored.documentNumberHash) };
  const changes = changesOf(before, { ...columns, ...document }, ["birthDate", "documentNumber"]);
  return changes && { before: forAudit(changes.before), after: forAudit(changes.after) };
}

type EnteredGuest = Pick<GuestInput, "name" | "mobile" | "email"> & { documentNumber: string | null };

/**
 * Ends the links of a guest, on one stay or on all, whose document, phone number or address is replaced. If that may
 * make another person of them, it deletes what was sent before the arrival too: only the same name with the same stored
 * document is surely the same person. The caller has changed the guest before, and checked the permission. Returns the ids
 * of the stays whose links ended.
 */
export async function endWhatWasReplaced(
  scope: Scope,
  tx: Transaction,
  of: { id: number } | { guestId: number },
  { stored, entered }: { stored: Guest; entered: EnteredGuest },
): Promise<number[]> {
  if (!replacesStored(scope, stored, entered)) return [];
  const stayIds = await replaceLinks(scope, tx, of);
  const isSamePerson =
    stored.documentNumberBox !== null &&
    !replacesDocument(scope, stored, entered.documentNumber) &&
    stored.name === entered.name;
  // After the links, so that nothing is stored by one of them any more.
  if (!isSamePerson) await deleteSent(tx, of);
  return stayIds;
}

/**
 * Checks whether a document, phone number or address that is stored is replaced by another, or removed: what went out to
 * the guest may have gone to somebody else. What was missing or is spelled differently doesn't count.
 */
function replacesStored(scope: Scope, stored: Guest, entered: EnteredGuest): boolean {
  const digits = (mobile: string): string => mobile.replace(/\D/g, "");
  const replaces = (before: string, after: string): boolean => before !== "" && before !== after;
  return (
    replaces(digits(stored.mobile), digits(entered.mobile)) ||
    replaces(stored.email.toLowerCase(), entered.email.toLowerCase()) ||
    replacesDocument(scope, stored, entered.documentNumber)
  );
}

/** Returns whether a document is replaced or removed that was stored. A number that no key opens any more can't be compared. */
function replacesDocument(scope: Scope, { id, documentNumberBox: box }: Guest, documentNumber: string | null): boolean {
  if (box === null || documentNumber === null) return false;
  return normalDocumentNumber(documentNumber) !== normalDocumentNumber(openDocumentNumber(scope, id, box));
}

/** Updates a person. Returns false if they were erased, perhaps by a concurrent transaction. */
export async function changeGuest(
  scope: Scope,
  tx: Transaction,
  existing: Guest,
  columns: Partial<GuestColumns>,
): Promise<boolean> {
  const data = { ...columns, ...contactsChanged(scope, existing, columns) };
  const { count } = await tx.db.guest.updateMany({ where: { id: existing.id, erasedAt: null }, data });
  if (count === 0) return false;
  const changes = changesOfGuest(existing, columns);
  if (changes) tx.audit({ action: "guest.update", entity: "guest", entityId: existing.id, ...changes });
  return true;
}

async function createGuest(
  scope: Scope,
  tx: Transaction,
  input: GuestInput,
  more: UnconfirmedContacts & Partial<Pick<Guest, "noMessages">>,
): Promise<number> {
  const id = await nextId(tx, "guest");
  await tx.db.guest.create({
    data: { id, ...guestColumns(scope, id, input), ...more, hotelId: scope.hotelId, createdAt: scope.now() },
  });
  return id;
}

/** Checks whether a person is, or is expected, in a room that the caller can't see. */
export async function isInOtherRoom(scope: Scope, tx: Transaction, guestId: number): Promise<boolean> {
  const [row] = await tx.sql.rows<{ elsewhere: boolean }>(
    `SELECT ${guestElsewhereSql("g", "$3")} AS elsewhere FROM guest g WHERE g.hotel_id = $1 AND g.id = $2::int`,
    guestId,
    scope.roomIds,
  );
  return row?.elsewhere ?? false;
}

/**
 * Makes the guest of one stay a new person with the data entered; without a document number they get the stored one.
 * Returns the new person's id.
 */
export async function splitGuest(
  scope: Scope,
  tx: Transaction,
  stored: Guest,
  { stayGuestId, guest }: { stayGuestId: number; guest: Parameters<typeof guestColumns>[2] },
): Promise<number> {
  const documentNumber = guest.documentNumber ?? openDocumentNumber(scope, stored.id, stored.documentNumberBox);
  const more = { ...contactsEntered(scope, stored, guest), noMessages: stored.noMessages };
  const guestId = await createGuest(scope, tx, { ...guest, documentNumber }, more);
  await tx.db.stayGuest.update({ where: { id: stayGuestId }, data: { guestId } });
  const changes = changesOfGuest(stored, guestColumns(scope, guestId, guest));
  tx.audit({
    action: "guest.update",
    entity: "guest",
    entityId: guestId,
    before: { guestId: stored.id, ...changes?.before },
    after: { guestId, ...changes?.after },
  });
  return guestId;
}

/** A person who was stored, and the ids of the stays whose links ended because a contact detail was replaced. */
export interface SavedGuest {
  guestId: number;
  stayIdsOfEndedLinks: number[];
}

/**
 * Stores a guest of a stay that exists. A person with the same document and name whom the caller may see, and who is
 * nowhere else, is updated with the fields that aren't blank; otherwise a new person is created.
 */
export async function saveGuest(scope: Scope, tx: Transaction, input: GuestInput): Promise<SavedGuest> {
  const guest = await updateKnownGuest(scope, tx, input);
  if (guest) return guest;
  return { guestId: await createGuest(scope, tx, input, contactsAdded(scope, input)), stayIdsOfEndedLinks: [] };
}

/** Does the first half of `saveGuest`. Returns null if a new person has to be created. */
async function updateKnownGuest(scope: Scope, tx: Transaction, input: GuestInput): Promise<SavedGuest | null> {
  const hashes = documentHashes(scope, input.documentNumber);
  // Nobody is found without a document.
  if (hashes.length === 0) return null;
  const [match] = await tx.sql.prepared<{ id: number }>(
    "known-guest",
    `SELECT g.id FROM guest g
      WHERE g.hotel_id = $1 AND g.document_number_hash = ANY ($2::bytea[]) AND g.name = $3 AND g.erased_at IS NULL
        AND ${visibleGuestSql("g", "$4")} AND NOT ${guestElsewhereSql("g", "$4")}
      ORDER BY g.id LIMIT 1`,
    hashes,
    input.name,
    scope.roomIds,
  );
  const existing = match && (await tx.db.guest.findFirst({ where: { id: match.id, erasedAt: null } }));
  if (existing) {
    const columns = guestColumns(scope, existing.id, input);
    const changes = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null && value !== ""));
    // If a concurrent transaction erases them, a new person is created.
    if (await changeGuest(scope, tx, existing, changes)) {
      // What is blank stays, and the document is the same.
      const { name, mobile, email } = { ...existing, ...changes };
      const entered = { name, mobile, email, documentNumber: null };
      const replacement = { stored: existing, entered };
      const stayIdsOfEndedLinks = await endWhatWasReplaced(scope, tx, { guestId: existing.id }, replacement);
      return { guestId: existing.id, stayIdsOfEndedLinks };
    }
  }
  return null;
}

/** A guest of a new stay: a person who is known, or the columns of a new one. */
type PartyMember = ({ isNew: false } & SavedGuest) | ({ guestId: number | null; isNew: true } & NewGuest);

/** The columns of a new person, with bytes in hexadecimal. */
interface NewGuest extends Omit<GuestInput, "documentNumber">, UnconfirmedContacts {
  documentNumberBox: string | null;
  documentNumberHash: string | null;
}

const hexOf = (bytes: Uint8Array | null | undefined): string | null =>
  bytes ? Buffer.from(bytes).toString("hex") : null;

async function partyMember(scope: Scope, tx: Transaction, input: GuestInput): Promise<PartyMember> {
  const guest = await updateKnownGuest(scope, tx, input);
  if (guest) return { isNew: false, ...guest };
  const { documentNumber, ...columns } = input;
  // A sealed number is bound to its row; without one, the statement that inserts the row draws its id.
  const guestId = normalDocumentNumber(documentNumber) === "" ? null : await nextId(tx, "guest");
  const { documentNumberBox, documentNumberHash } = documentColumns(scope, guestId ?? 0, documentNumber);
  const document = { documentNumberBox: hexOf(documentNumberBox), documentNumberHash: hexOf(documentNumberHash) };
  return { guestId, isNew: true, ...columns, ...document, ...contactsBooked(scope, input) };
}

/** $2: the stay, $3: its guests in order, $4: now. Returns the guests of the stay, the primary one first. */
const INSERT_PARTY = `WITH
  party AS MATERIALIZED (
    SELECT p.*, coalesce(p."guestId", nextval('guest_id_seq')::int) AS guest_id
    FROM ROWS FROM (jsonb_to_recordset($3::jsonb) AS ("guestId" int, "isNew" boolean, name text, gender gender, nationality text,
      "birthDate" date, "documentType" document_type, "documentNumberBox" text, "documentNumberHash" text, mobile text,
      email text, "mobileUnconfirmed" boolean, "emailUnconfirmed" boolean)) WITH ORDINALITY AS p ("guestId", "isNew", name,
      gender, nationality, birth_date, document_type, box, hash, mobile, email, mobile_unconfirmed, email_unconfirmed, turn)
  ),
  person AS (
    INSERT INTO guest (id, hotel_id, name, gender, nationality, birth_date, document_type, document_number_box,
      document_number_hash, mobile, email, mobile_unconfirmed, email_unconfirmed, created_at)
    SELECT guest_id, $1, name, gender, nationality, birth_date, document_type, decode(box, 'hex'), decode(hash, 'hex'), mobile,
      email, mobile_unconfirmed, email_unconfirmed, $4::timestamptz
    FROM party WHERE "isNew" ORDER BY turn
  )
  INSERT INTO stay_guest (hotel_id, stay_id, guest_id, "primary", created_at)
  SELECT $1, $2::int, guest_id, turn = 1, $4::timestamptz FROM party ORDER BY turn RETURNING id`;

/**
 * Adds the guests of a stay. Two entries of the same person become one guest. Returns the id of the first one, the primary
 * guest (old clients call it manage_id), and the ids of other stays whose links ended.
 */
export async function addGuests(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  guests: readonly GuestInput[],
): Promise<{ stayGuestId: number; stayIdsOfEndedLinks: number[] }> {
  const guestIds = new Set<number>();
  const identities = new Set<string>();
  const party: PartyMember[] = [];
  for (const guest of guests) {
    const number = normalDocumentNumber(guest.documentNumber);
    const identity = JSON.stringify([guest.name, number]);
    if (number !== "" && identities.has(identity)) continue;
    identities.add(identity);
    const member = await partyMember(scope, tx, guest);
    if (member.guestId !== null && guestIds.has(member.guestId)) continue;
    if (member.guestId !== null) guestIds.add(member.guestId);
    party.push(member);
  }
  const [primary] = await tx.sql.prepared<{ id: number }>(
    "insert-party",
    INSERT_PARTY,
    stayId,
    JSON.stringify(party),
    scope.now(),
  );
  if (!primary) throw new Error("a party without guests");
  const stayIdsOfEndedLinks = party.flatMap((member) => (member.isNew ? [] : member.stayIdsOfEndedLinks));
  return { stayGuestId: primary.id, stayIdsOfEndedLinks };
}

interface AlreadyIn {
  guestName: string;
  roomId: number;
  roomName: string;
}

/** Locks the identities, so that concurrent check-ins of the same person run one after the other. */
async function lockIdentities(tx: Transaction, guests: readonly GuestInput[]): Promise<void> {
  const keys = guests.flatMap(({ name, documentNumber }) => [
    `name ${name.toLowerCase()}`,
    `document ${normalDocumentNumber(documentNumber)}`,
  ]);
  await tx.sql.prepared(
    "lock-identities",
    `SELECT pg_advisory_xact_lock(key)::text
       FROM (SELECT DISTINCT hashtextextended(text, $1::int) AS key FROM unnest($2::text[]) AS text ORDER BY key) AS ordered`,
    keys.filter((key) => key !== "document "),
  );
}

/** $2: a stay to leave out, $3 to $6: the guest, $7: the caller's rooms, $8: whether the same name is enough. */
const alreadyInSql = (visible: string): string => `
  SELECT g.name AS "guestName", r.id AS "roomId", r.name AS "roomName"
    FROM stay s
    JOIN occupancy o ON o.hotel_id = s.hotel_id AND o.stay_id = s.id AND o.state = 'in_house'
    JOIN room r ON r.id = o.room_id
    JOIN stay_guest sg ON sg.hotel_id = s.hotel_id AND sg.stay_id = s.id
    JOIN guest g ON g.id = sg.guest_id
   WHERE s.hotel_id = $1 AND s.state = 'checked_in' AND s.id IS DISTINCT FROM $2::int
     AND (g.document_number_hash = ANY ($3::bytea[])
          OR (lower(g.name) = lower($4) AND ($8::boolean OR (g.mobile <> '' AND g.mobile = $5) OR g.birth_date = $6::date)))
     AND ${visible}
   LIMIT 1`;

/** Two statements, because with the condition for some rooms PostgreSQL plans the search anew each time. */
const AMONG_VISIBLE = { name: "visible-guest-in", text: alreadyInSql(visibleGuestSql("g", "$7")) };
const AMONG_EVERYBODY = { name: "guest-in", text: alreadyInSql("$7::int[] IS NULL") };

/**
 * Finds one of these guests in another checked-in stay, among the people whom the caller may see: by the same document,
 * or the same name with phone or birth date. For a caller who may not compare documents, the same name is enough.
 */
async function findAlreadyIn(
  scope: Scope,
  tx: Transaction,
  guests: readonly GuestInput[],
  exceptStayId: number | null,
): Promise<AlreadyIn | null> {
  await lockIdentities(tx, guests);
  const search = scope.roomIds === null ? AMONG_EVERYBODY : AMONG_VISIBLE;
  for (const guest of guests) {
    const nameSuffices = guest.documentNumber !== "" && !scope.can("guests.documents");
    const [row] = await tx.sql.prepared<AlreadyIn>(
      search.name,
      search.text,
      exceptStayId,
      documentHashes(scope, guest.documentNumber),
      guest.name,
      guest.mobile,
      guest.birthDate,
      scope.roomIds,
      nameSuffices,
    );
    if (row) return row;
  }
  return null;
}

/** Shown instead of the name of a room that the caller can't see. */
const HIDDEN_ROOM = "•••";

/** @throws guest_already_in naming the room, until the caller confirms */
export async function checkNotInHouse(
  scope: Scope,
  tx: Transaction,
  guests: readonly GuestInput[],
  stayId: number | null,
  confirmed: boolean,
): Promise<void> {
  if (confirmed) return;
  const checkedIn = await findAlreadyIn(scope, tx, guests, stayId);
  if (!checkedIn) return;
  const { guestName, roomId, roomName } = checkedIn;
  throw new DomainError("guest_already_in", { guestName, roomName: scope.seesRoom(roomId) ? roomName : HIDDEN_ROOM });
}
