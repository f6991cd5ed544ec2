import { DomainError } from "@innkey/shared/errors";
import {
  type GuestPictureKind,
  type PreCheckInInput,
  type PreCheckInState,
  type PreCheckInValues,
  preCheckInValues,
} from "@innkey/shared/schemas/stays/pre-check-in";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type GuestVisit, isValidVisit } from "../guest-links/guest-entrance.ts";
import { maskDocumentNumber } from "../guests/identity.ts";
import { partyOfGuest, selectStayForUpdate } from "../stays/live-stay.ts";
import { savePictures } from "./guest-pictures.ts";

const contextOf = ({ hotelId }: Scope, row: number): SealContext => ({
  column: "pre_check_in.content_box",
  hotelId,
  row,
});

function openValues(scope: Scope, stayGuestId: number, box: Uint8Array | null): PreCheckInValues | null {
  const text = box && scope.secrets.document.open(box, contextOf(scope, stayGuestId));
  return text ? preCheckInValues.parse(JSON.parse(text)) : null;
}

/**
 * Stores what a guest wrote about themselves, in place of what they wrote before. The caller has checked that the hotel
 * asks for it and that the guest has shown who they are. @throws not_found if the link has ended since; state_conflict
 * once the party has arrived or the desk has answered; invalid_input if nothing is given
 */
export async function savePreCheckIn(
  { scope, linkId, stayId, stayGuestId }: GuestVisit,
  values: PreCheckInValues,
  arrivalTime: PreCheckInInput["arrivalTime"],
  pictures: ReadonlyMap<GuestPictureKind, Uint8Array>,
): Promise<void> {
  const hasValues = Object.values(values).some((value) => value !== null && value !== "");
  if (!hasValues && arrivalTime === null && pictures.size === 0) {
    throw new DomainError("invalid_input", {}, { name: { key: "validation.required" } });
  }
  await scope.write(async (tx) => {
    await selectStayForUpdate(scope, tx, stayId, "reserved");
    // While pictures were redrawn, the desk may have ended the link, perhaps because the guest is somebody else now.
    if (!(await isValidVisit(tx, { linkId }))) throw new DomainError("not_found");
    const before = await tx.db.preCheckIn.findFirst({ where: { stayGuestId }, select: { answeredAt: true } });
    if (before?.answeredAt) throw new DomainError("state_conflict");
    await savePictures(scope, tx, stayGuestId, pictures);
    const data = {
      contentBox: scope.secrets.document.seal(JSON.stringify(values), contextOf(scope, stayGuestId)),
      arrivalTime: arrivalTime ?? "",
      sentAt: scope.now(),
    };
    if (before) {
      await tx.db.preCheckIn.updateMany({ where: { stayGuestId }, data });
      return;
    }
    await tx.db.preCheckIn.create({ data: { hotelId: scope.hotelId, stayGuestId, ...data } });
    // Only the first one, so that nobody outside can fill the audit log.
    tx.audit({ action: "preCheckIn.send", entity: "stayGuest", entityId: stayGuestId });
  });
}

/** Returns what a guest wrote, for the desk. @throws no_permission, not_found */
export async function readPreCheckIn(scope: Scope, { stayGuestId }: { stayGuestId: number }): Promise<PreCheckInState> {
  scope.require("stays.view");
  await partyOfGuest(scope, stayGuestId);
  const row = await scope.reads.preCheckIn.findFirst({ where: { stayGuestId } });
  if (!row) return null;
  const values = openValues(scope, stayGuestId, row.contentBox);
  return {
    sentAt: row.sentAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
    arrivalTime: row.arrivalTime || null,
    values: values && withDocument(scope, values),
  };
}

/**
 * Ends the wait for an answer and deletes what the guest wrote. Returns it to the caller, who has locked the stay and
 * checked the permission. @throws state_conflict if it was answered before or the guest has sent something else since
 */
export async function takePreCheckIn(
  scope: Scope,
  tx: Transaction,
  { stayGuestId, sentAt }: { stayGuestId: number; sentAt: string },
): Promise<PreCheckInValues> {
  const row = await tx.db.preCheckIn.findFirst({ where: { stayGuestId, answeredAt: null } });
  const values = row && openValues(scope, stayGuestId, row.contentBox);
  if (!values || row.sentAt.getTime() !== Date.parse(sentAt)) throw new DomainError("state_conflict");
  await tx.db.preCheckIn.updateMany({ where: { stayGuestId }, data: { contentBox: null, answeredAt: scope.now() } });
  return values;
}

/** What is known of a guest of a party: in their record, or sent before the arrival and not answered yet. */
export interface Registration {
  stayGuestId: number;
  primary: boolean;
  /** birth date and nationality; everybody has a name */
  hasIdentity: boolean;
  hasDocument: boolean;
  hasPhoto: boolean;
  hasSignature: boolean;
  /** Whether the guest can still send what is missing. */
  canSend: boolean;
}

const NOTHING: PreCheckInValues = preCheckInValues.parse({});

interface RegistrationRow {
  stayGuestId: number;
  primary: boolean;
  hasBirthDate: boolean;
  hasNationality: boolean;
  hasDocument: boolean;
  hasPhoto: boolean;
  hasSignature: boolean;
  contentBox: Uint8Array | null;
  answered: boolean;
}

const REGISTRATIONS = `SELECT sg.id AS "stayGuestId", sg."primary", g.birth_date IS NOT NULL AS "hasBirthDate",
    g.nationality IS NOT NULL AS "hasNationality", g.document_number_box IS NOT NULL AS "hasDocument",
    p.content_box AS "contentBox", p.answered_at IS NOT NULL AS answered,
    EXISTS (SELECT FROM guest_picture x WHERE x.hotel_id = $1 AND x.stay_guest_id = sg.id AND x.kind = 'document') AS "hasPhoto",
    EXISTS (SELECT FROM guest_picture x WHERE x.hotel_id = $1 AND x.stay_guest_id = sg.id AND x.kind = 'signature') AS "hasSignature"
  FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
  LEFT JOIN pre_check_in p ON p.hotel_id = $1 AND p.stay_guest_id = sg.id
  WHERE sg.hotel_id = $1 AND sg.stay_id = $2::int ORDER BY sg."primary" DESC, sg.id`;

/** Returns what is known of each guest of a stay, the primary guest first. The caller shows no content of it. */
export async function readRegistrations(scope: Scope, sql: HotelSql, stayId: number): Promise<Registration[]> {
  const rows = await sql.rows<RegistrationRow>(REGISTRATIONS, stayId);
  return rows.map(({ hasBirthDate, hasNationality, hasDocument, contentBox, answered, ...row }) => {
    const { birthDate, nationality, documentNumber } = openValues(scope, row.stayGuestId, contentBox) ?? NOTHING;
    return {
      ...row,
      hasIdentity: (hasBirthDate || birthDate !== null) && (hasNationality || nationality !== null),
      hasDocument: hasDocument || documentNumber !== "",
      canSend: !answered,
    };
  });
}

/** What a guest sent before a stay, for their own copy of their data. */
export interface SentDetails {
  stayId: number;
  sentAt: string;
  answeredAt: string | null;
  arrivalTime: string;
  /** null: the desk has answered, and they are deleted. The number is masked for callers who may not see documents. */
  values: PreCheckInValues | null;
}

/** Returns what a guest sent before each of their stays. The caller has checked the permission. */
export async function readDetailsOf(scope: Scope, guestId: number): Promise<SentDetails[]> {
  const rows = await scope.reads.preCheckIn.findMany({
    where: { stayGuest: { guestId } },
    orderBy: { stayGuestId: "asc" },
    include: { stayGuest: { select: { stayId: true } } },
  });
  return rows.map(({ stayGuestId, stayGuest, sentAt, answeredAt, arrivalTime, contentBox }) => {
    const values = openValues(scope, stayGuestId, contentBox);
    return {
      ...{ stayId: stayGuest.stayId, sentAt: sentAt.toISOString(), answeredAt: answeredAt?.toISOString() ?? null },
      ...{ arrivalTime, values: values && withDocument(scope, values) },
    };
  });
}

function withDocument(scope: Scope, values: PreCheckInValues): PreCheckInValues {
  const { documentNumber } = values;
  return scope.can("guests.documents") ? values : { ...values, documentNumber: maskDocumentNumber(documentNumber) };
}
