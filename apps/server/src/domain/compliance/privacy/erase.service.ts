import { DomainError } from "@innkey/shared/errors";
import type { ListName } from "@innkey/shared/lists";
import type { PersonErased, PersonRecords, PersonRow } from "@innkey/shared/schemas/compliance";
import { FORGOTTEN } from "@innkey/shared/words";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { forgetFaces, forgetIdCards, releaseReaders } from "../../access/public.ts";
import type { FileStore } from "../../files/public.ts";
import { eraseMessages } from "../../messaging/public.ts";
import {
  deleteLinks,
  deletePicturesOf,
  documentHashes,
  openDocumentNumber,
  removeCustomer,
  selectRemovableCustomerForUpdate,
} from "../../stays/public.ts";
import { IS_THEIR_CARD, IS_THEIR_CODE, isCustomer, isTheirBill, THEIRS } from "./dossier.ts";
import {
  blankStays,
  type Identity,
  isFullName,
  mentionsOf,
  namePartsOf,
  redactDisplays,
  redactEvents,
  redactHotel,
  redactStays,
} from "./redaction.ts";

/**
 * Erases a guest who is neither in house nor expected: identity, documents, faces, contact, free text about them and
 * their own entry among the customers. Anonymous records remain: that someone stayed, what it cost and which doors were
 * opened.
 * @throws not_found; in_house; state_conflict if the guest was erased before
 */
export async function erase(scope: Scope, files: FileStore, guestId: number): Promise<PersonErased> {
  scope.require("privacy.manage");
  const { pictures, ...erased } = await scope.write((tx) => eraseRecords(scope, tx, guestId));
  for (const fileId of pictures) await files.erase(scope, fileId);
  return erased;
}

interface GuestStay {
  stayId: number;
  live: boolean;
  alone: boolean;
}

async function eraseRecords(
  scope: Scope,
  tx: Transaction,
  guestId: number,
): Promise<PersonErased & { pictures: string[] }> {
  const identity = await selectIdentityForUpdate(scope, tx, guestId);
  const stays = await tx.sql.rows<GuestStay>(
    `SELECT s.id AS "stayId", s.state IN ('reserved', 'checked_in') AS live,
        NOT EXISTS (SELECT FROM stay_guest o WHERE o.stay_id = s.id AND o.guest_id <> $2::int) AS alone
      FROM stay_guest sg JOIN stay s ON s.id = sg.stay_id WHERE sg.hotel_id = $1 AND sg.guest_id = $2::int`,
    guestId,
  );
  if (stays.some(({ live }) => live)) throw new DomainError("in_house");
  const alone = stays.filter((stay) => stay.alone).map(({ stayId }) => stayId);
  const faceIds = await findFaces(tx, guestId, alone);
  const pictures = await forgetFaces(scope, tx, faceIds);
  await forgetIdCards(tx, [guestId]);
  await deleteLinks(tx, guestId);
  await deletePicturesOf(tx, [guestId]);
  const codes = await blankStays(tx, alone);
  const stayIds = stays.map(({ stayId }) => stayId);
  const patterns = [mentionsOf(identity, true), namePartsOf(identity.name, await readOtherNames(tx, guestId, stayIds))];
  for (const pattern of patterns) if (pattern) await redactStays(tx, pattern, stayIds);
  await redactEvents(tx, guestId, stayIds);
  await eraseMessages(tx, guestId, [identity.mobile, identity.email]);
  await removeCustomers(scope, tx, identity);
  const mentions = mentionsOf(identity, isFullName(identity.name) && !(await hasNamesake(tx, guestId, identity.name)));
  if (mentions) {
    await redactHotel(tx, mentions, scope.now());
    await redactDisplays(scope, tx, mentions);
  }
  await expireExports(tx, scope.now());
  await blankIdentity(scope, tx, guestId);
  const erased = { guestId, stays: stays.length, faces: faceIds.length, codes };
  const after = { stays: erased.stays, faces: erased.faces, codes };
  tx.audit({ action: "privacy.erase", entity: "guest", entityId: guestId, after });
  tx.wholeBoardChanged();
  return { ...erased, pictures };
}

/** Locks the guest until the transaction ends: a concurrent check-in waits, and then no longer finds the guest. */
async function selectIdentityForUpdate(scope: Scope, tx: Transaction, guestId: number): Promise<Identity> {
  const [guest] = await tx.sql.rows<Omit<Identity, "documentNumber"> & { box: Uint8Array | null; erased: boolean }>(
    `SELECT name, mobile, email, document_number_box AS box, erased_at IS NOT NULL AS erased
      FROM guest WHERE hotel_id = $1 AND id = $2::int FOR UPDATE`,
    guestId,
  );
  if (!guest) throw new DomainError("not_found");
  if (guest.erased) throw new DomainError("state_conflict");
  const documentNumber = openDocumentNumber(scope, guestId, guest.box);
  return { name: guest.name, mobile: guest.mobile, email: guest.email, documentNumber };
}

/** Returns the guest's faces, and unnamed faces that opened only doors of stays the guest had alone. */
async function findFaces(tx: Transaction, guestId: number, alone: readonly number[]): Promise<number[]> {
  const rows = await tx.sql.rows<{ id: number }>(
    `SELECT f.id FROM face f WHERE f.hotel_id = $1 AND (f.guest_id = $2::int OR (f.guest_id IS NULL AND f.deleted_at IS NULL
        AND EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.face_id = f.id AND c.stay_id = ANY ($3::int[]))
        AND NOT EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.face_id = f.id
          AND (c.stay_id IS NULL OR c.stay_id <> ALL ($3::int[])))))
      ORDER BY f.id FOR UPDATE OF f`,
    guestId,
    [...alone],
  );
  return rows.map(({ id }) => id);
}

/** Returns the names of other guests of these stays. */
async function readOtherNames(tx: Transaction, guestId: number, stayIds: readonly number[]): Promise<string[]> {
  const rows = await tx.sql.rows<{ name: string }>(
    `SELECT DISTINCT g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
      WHERE sg.hotel_id = $1 AND sg.stay_id = ANY ($2::int[]) AND sg.guest_id <> $3::int`,
    [...stayIds],
    guestId,
  );
  return rows.map(({ name }) => name);
}

async function hasNamesake(tx: Transaction, guestId: number, name: string): Promise<boolean> {
  const rows = await tx.sql.rows(
    "SELECT id FROM guest WHERE hotel_id = $1 AND id <> $2::int AND lower(name) = lower($3) AND erased_at IS NULL LIMIT 1",
    guestId,
    name,
  );
  return rows.length > 0;
}

/** Removes the guest from the customers. @throws in_house while a stay booked for them is reserved or checked in */
async function removeCustomers(scope: Scope, tx: Transaction, { name, mobile, email }: Identity): Promise<void> {
  const customers = await tx.sql.rows<{ id: number }>(
    `SELECT c.id FROM customer c WHERE c.hotel_id = $1 AND ${isCustomer("$2", "$3", "$4")} ORDER BY c.id`,
    name,
    mobile,
    email,
  );
  for (const { id } of customers) {
    const customer = await selectRemovableCustomerForUpdate(tx, id);
    const readers = await releaseReaders(tx, { customerId: id });
    await removeCustomer(scope, tx, customer, readers, FORGOTTEN);
  }
}

/**
 * Ends exports that may contain an erased person: finished files expire now instead of within a day, and files being
 * written are started again. `list` limits this to one list.
 */
export async function expireExports(tx: Transaction, now: Date, list: ListName | null = null): Promise<void> {
  await tx.sql.rows(
    `UPDATE export SET expires_at = least(expires_at, $2::timestamptz)
      WHERE hotel_id = $1 AND state = 'done' AND list = coalesce($3, list)`,
    now,
    list,
  );
  await tx.sql.rows(
    "UPDATE export SET state = 'queued', alive_at = NULL WHERE hotel_id = $1 AND state = 'running' AND list = coalesce($2, list)",
    list,
  );
}

async function blankIdentity(scope: Scope, tx: Transaction, guestId: number): Promise<void> {
  const now = scope.now();
  await tx.db.guest.update({
    where: { id: guestId },
    data: {
      name: FORGOTTEN,
      gender: null,
      nationality: null,
      birthDate: null,
      documentType: null,
      documentNumberBox: null,
      documentNumberHash: null,
      mobile: "",
      email: "",
      documentsErasedAt: now,
      erasedAt: now,
    },
  });
}

const MAX_RESULTS = 20;

/** Returns a LIKE pattern that matches the keyword literally. */
const contains = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, "\\$&")}%`;

const PERSON = `g.id AS "guestId", g.name, g.mobile, g.email, iso(g.erased_at) AS "erasedAt",
  CASE WHEN coalesce(bool_or(s.state = 'checked_in'), false) THEN 'here'
    WHEN coalesce(bool_or(s.state = 'reserved'), false) THEN 'expected' ELSE 'gone' END AS standing,
  count(s.id)::int AS "stayCount", iso(max(s.starts_at)) AS "lastStayAt"`;
const STAYS = "LEFT JOIN stay_guest sg ON sg.guest_id = g.id LEFT JOIN stay s ON s.id = sg.stay_id";

/** Finds people by name, phone, e-mail or the whole document number, latest stay first. */
export async function find(scope: Scope, query: string): Promise<PersonRow[]> {
  scope.require("privacy.manage");
  return scope.sql.rows<PersonRow>(
    `SELECT ${PERSON} FROM guest g ${STAYS}
      WHERE g.hotel_id = $1 AND g.erased_at IS NULL
        AND (g.name ILIKE $2 OR g.mobile LIKE $2 OR g.email ILIKE $2 OR g.document_number_hash = ANY ($3::bytea[]))
      GROUP BY g.id ORDER BY max(s.starts_at) DESC NULLS LAST, g.id DESC LIMIT $4::int`,
    contains(query),
    documentHashes(scope, query),
    MAX_RESULTS,
  );
}

const PERSON_RECORDS = `SELECT ${PERSON}, g.document_number_box IS NOT NULL AS "hasDocument",
    iso(g.documents_erased_at) AS "documentsErasedAt",
    (SELECT count(*) FROM face f WHERE f.hotel_id = $1 AND f.guest_id = g.id AND f.deleted_at IS NULL)::int AS faces,
    (SELECT count(*) FROM card c WHERE c.hotel_id = $1 AND ${IS_THEIR_CARD})::int AS cards,
    (SELECT count(*) FROM passcode p WHERE p.hotel_id = $1 AND ${IS_THEIR_CODE})::int AS codes,
    (SELECT count(*) FROM folio_entry o WHERE o.hotel_id = $1 AND ${isTheirBill("o.stay_id")})::int AS entries,
    (SELECT count(*) FROM unlock_record u WHERE u.hotel_id = $1 AND u.stay_guest_id IN (SELECT id FROM theirs))::int
      AS "doorRecords"
  FROM guest g ${STAYS} WHERE g.hotel_id = $1 AND g.id = $2::int GROUP BY g.id`;

/** Returns what the hotel stores about one person: their stays, and the number of other records. @throws not_found */
export async function readPersonRecords(scope: Scope, guestId: number): Promise<PersonRecords> {
  scope.require("privacy.manage");
  const [person] = await scope.sql.rows<Omit<PersonRecords, "stays">>(`${THEIRS} ${PERSON_RECORDS}`, guestId);
  if (!person) throw new DomainError("not_found");
  const stays = await scope.sql.rows<PersonRecords["stays"][number]>(
    `SELECT s.id AS "stayId", sg.id AS "stayGuestId", coalesce(r.name, '') AS "roomName", iso(s.starts_at) AS "startsAt",
        iso(coalesce(s.checked_out_at, s.cancelled_at, s.ends_at)) AS "endsAt", s.state::text AS state,
        (SELECT count(*) FROM stay_guest o WHERE o.stay_id = s.id)::int AS guests
      FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id
      LEFT JOIN room r ON r.id = s.room_id
      WHERE sg.hotel_id = $1 AND sg.guest_id = $2::int ORDER BY s.starts_at DESC, s.id DESC`,
    guestId,
  );
  return { ...person, stays };
}
