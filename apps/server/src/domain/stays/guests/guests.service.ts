import { DomainError } from "@innkey/shared/errors";
import { MAX_GUESTS } from "@innkey/shared/limits";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { GuestInput } from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type LiveStay, selectStayForUpdate } from "../stays/live-stay.ts";
import {
  changeGuest,
  checkNotInHouse,
  endWhatWasReplaced,
  guestColumns,
  isInOtherRoom,
  openDocumentNumber,
  saveGuest,
  splitGuest,
} from "./identity.ts";
import { contactsOfNextPrimary } from "./unconfirmed-contacts.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** The guest of one stay who became a person of their own: the ids of the former and the new person. */
export interface SplitGuest {
  stayId: number;
  from: number;
  to: number;
}

/** What a correction of a stay's guest did. */
interface Correction {
  /** the person whom the stay has now */
  guestId: number;
  before: { name: string; mobile: string };
  /** null: the guest is the same person as before */
  split: SplitGuest | null;
  /** stays whose links ended */
  stayIdsOfEndedLinks: number[];
}

/**
 * Adds a guest to a stay. The caller must have checked the permission, and withdraws openings asked through links that ended.
 * @throws not_found; state_conflict for a stay that is over or has as many guests as it may; guest_already_in until confirmed
 */
export async function addToStay(
  scope: Scope,
  tx: Transaction,
  { stayId, guest, confirmAlreadyIn }: Input<typeof schema.addGuestInput>,
): Promise<{ stayGuestId: number; stayIdsOfEndedLinks: number[] }> {
  const stay = await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
  if ((await tx.db.stayGuest.count({ where: { stayId: stay.id } })) >= MAX_GUESTS) {
    throw new DomainError("state_conflict", { max: MAX_GUESTS });
  }
  if (stay.state === "checked_in") await checkNotInHouse(scope, tx, [guest], stay.id, confirmAlreadyIn);
  const { guestId, stayIdsOfEndedLinks } = await saveGuest(scope, tx, guest);
  const row = await tx.db.stayGuest.create({
    data: { hotelId: scope.hotelId, stayId: stay.id, guestId, createdAt: scope.now() },
    select: { id: true },
  });
  tx.audit({ action: "guest.add", entity: "stay", entityId: stay.id, after: { stayGuestId: row.id } });
  tx.boardChanged([stay.roomId]);
  return { stayGuestId: row.id, stayIdsOfEndedLinks };
}

/**
 * Updates the identity of a stay's guest. A person who is also in a room that the caller can't see stays unchanged
 * there: the guest of this stay becomes a new person, and `split` names both. If a document, phone number or address
 * is replaced, the links to the guest's page that went out end, unless the guest wrote it on that page themselves
 * (`sentByGuest`). If that may make another person of them, what was sent on the page is deleted too, for every stay
 * that changes. @throws state_conflict for a stay that is over, and for an erased guest
 */
export async function updateGuest(
  scope: Scope,
  tx: Transaction,
  { stayGuestId, guest }: Input<typeof schema.updateGuestInput>,
  { sentByGuest = false }: { sentByGuest?: boolean } = {},
): Promise<Correction> {
  const { stayId } = await findOnStay(scope, tx, stayGuestId);
  await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
  // Reads it again under the lock, because another correction may just have split this person.
  const { guestId } = await findOnStay(scope, tx, stayGuestId);
  const existing = await tx.db.guest.findFirst({ where: { id: guestId, erasedAt: null } });
  if (!existing) throw new DomainError("state_conflict");
  const isOwnPersonHere = await isInOtherRoom(scope, tx, guestId);
  tx.wholeBoardChanged();
  const replacement = { stored: existing, entered: guest };
  if (isOwnPersonHere) {
    const splitId = await splitGuest(scope, tx, existing, { stayGuestId, guest });
    const ended = sentByGuest ? [] : await endWhatWasReplaced(scope, tx, { id: stayGuestId }, replacement);
    const split = { stayId, from: guestId, to: splitId };
    return { guestId: splitId, before: existing, split, stayIdsOfEndedLinks: ended };
  }
  if (!(await changeGuest(scope, tx, existing, guestColumns(scope, guestId, guest)))) {
    throw new DomainError("state_conflict");
  }
  const ended = sentByGuest ? [] : await endWhatWasReplaced(scope, tx, { guestId }, replacement);
  return { guestId, before: existing, split: null, stayIdsOfEndedLinks: ended };
}

/**
 * Removes a guest from a stay that the caller has locked. The next one becomes primary if the primary one leaves. The
 * caller must have checked the permission, ended the guest's keys and deleted the messages to them. @throws not_found, last_guest
 */
export async function removeFromStay(
  scope: Scope,
  tx: Transaction,
  { id: stayId, roomId }: Pick<LiveStay, "id" | "roomId">,
  { stayGuestId, endedKeys }: { stayGuestId: number; endedKeys: number },
): Promise<void> {
  // Reads it under the lock, because this guest may just have become the primary one.
  const { primary } = await findOnStay(scope, tx, stayGuestId);
  const others = await tx.db.stayGuest.findMany({
    where: { stayId, NOT: { id: stayGuestId } },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  const [next] = others;
  if (!next) throw new DomainError("last_guest");
  await tx.db.stayGuest.delete({ where: { id: stayGuestId } });
  if (primary) {
    await tx.db.stayGuest.update({ where: { id: next.id }, data: { primary: true } });
    await contactsOfNextPrimary(scope, tx, next.id);
  }
  tx.audit({ action: "guest.remove", entity: "stay", entityId: stayId, before: { stayGuestId }, after: { endedKeys } });
  tx.boardChanged([roomId]);
}

/** @throws not_found, also for a guest in a room that the caller can't see */
export async function findOnStay(scope: Scope, tx: Transaction, stayGuestId: number) {
  const row = await tx.db.stayGuest.findFirst({
    where: { id: stayGuestId },
    select: {
      stayId: true,
      guestId: true,
      primary: true,
      stay: { select: { occupancies: { orderBy: { id: "desc" }, take: 1, select: { roomId: true } } } },
    },
  });
  const roomId = row?.stay.occupancies[0]?.roomId;
  if (!row || roomId === undefined || !scope.seesRoom(roomId)) throw new DomainError("not_found");
  return row;
}

const PARTY = `SELECT g.id, g.name, g.gender::text AS gender, g.nationality, to_char(g.birth_date, 'YYYY-MM-DD') AS "birthDate",
    g.document_type::text AS "documentType", g.document_number_box AS "documentBox", g.mobile, g.email
  FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
  WHERE sg.hotel_id = $1 AND sg.stay_id = $2::int ORDER BY sg.id`;

type PartyRow = Omit<GuestInput, "documentNumber"> & { id: number; documentBox: Uint8Array | null };

/** Returns the guests of a stay in the form of an input, to compare them with checked-in guests. */
export async function readGuestInputs(scope: Scope, tx: Transaction, stayId: number): Promise<GuestInput[]> {
  const rows = await tx.sql.prepared<PartyRow>("party", PARTY, stayId);
  return rows.map(({ id, documentBox, ...guest }) => ({
    ...guest,
    documentNumber: openDocumentNumber(scope, id, documentBox),
  }));
}
