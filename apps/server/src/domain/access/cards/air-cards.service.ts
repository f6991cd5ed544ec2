import { DomainError } from "@innkey/shared/errors";
import * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { FREE_TEXTS, masked, type Transaction } from "../../../kernel/transaction.ts";
import { announceCards } from "../../messaging/public.ts";
import { partyOfGuest, selectStayForUpdate } from "../../stays/public.ts";
import { type LockOnDoor, locksOfRooms } from "../credentials/credentials.ts";
import { type AccessWindow, accessWindow } from "../credentials/key-period.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { requireLocksWithHours } from "../locks/refuse-locks.ts";
import { fitKeysToZones } from "../zones/stay-zones.ts";
import { grantCardToLocks, listLocksOnDoors } from "./card-doors.ts";
import { profileInUse } from "./card-keys.ts";
import { hoursOf } from "./card-record.ts";
import { type CardDetails, findCard, mayActOnCard } from "./find-card.ts";
import { locksRefusing } from "./refusals.ts";
import { revokeCards } from "./revoke-cards.ts";
import { limitShowings } from "./showings.ts";

/** Checks whether the card is only registered: it opens by its number and has no doors yet. */
export const isDraft = ({ state, overTheAir }: Pick<Card, "state" | "overTheAir">): boolean =>
  state === "pending" && overTheAir;

/**
 * Checks that a card number may be granted doors. An earlier draft of that number is discarded; other issues of the
 * card stay as they are. @throws card_in_use for a card that is already live, a draft that the caller may not touch, or
 * a number that one of the locks was instructed to refuse: accepting the number again would also accept an old record
 * still written on the card
 */
export async function requireUnused(
  scope: Scope,
  tx: Transaction,
  uid: string,
  locks: readonly LockOnDoor[],
): Promise<void> {
  const live = await tx.db.card.findFirst({
    where: { uid, state: { in: ["pending", "active"] } },
    include: { rooms: true },
  });
  if (live) {
    if (!isDraft(live) || !(await mayActOnCard(scope, tx, live))) throw new DomainError("card_in_use");
    await revokeCards(scope, tx, { id: live.id }, "reissued");
    await settleCards(scope, tx);
  }
  await requireNotRefused(scope, tx, uid, locks);
}

/** @throws card_in_use if one of the locks was instructed to refuse the number, as in `requireUnused` */
export async function requireNotRefused(
  scope: Scope,
  tx: Transaction,
  uid: string,
  locks: readonly LockOnDoor[],
): Promise<void> {
  const lockIds = locks.map(({ id }) => id);
  if ((await locksRefusing(scope, tx, uid, lockIds)).length > 0) throw new DomainError("card_in_use");
}

/** Sends a card's number to locks and announces it to webhooks. Returns the ids of the lock commands. */
export async function openByNumber(
  scope: Scope,
  tx: Transaction,
  card: Card,
  locks: readonly LockOnDoor[],
): Promise<string[]> {
  await grantCardToLocks(scope, tx, card, locks);
  if (card.stayId !== null) await fitKeysToZones(scope, tx, [card.stayId]);
  if (card.stayId !== null) await limitShowings(scope, tx, { stayId: card.stayId });
  await announceCards(scope, tx, "card.issued", [card.id]);
  const commands = await tx.db.lockCommand.findMany({
    where: { type: "set_credential", state: "queued", credential: { is: { cardId: card.id } } },
    orderBy: { seq: "asc" },
    select: { id: true },
  });
  return commands.map(({ id }) => id);
}

type AirCard = z.infer<typeof schema.airCardInput>;

/**
 * Grants access to a card, bracelet or phone by its number alone, either for a stay (its room and period) or for rooms
 * and a period. The commands to the locks are queued at once; nothing is written on the card. @throws lock_missing;
 * card_in_use for a card that is already live, or whose number one of the locks was instructed to refuse: accepting it
 * would also accept an old record still written on the card
 */
export async function addOverTheAir(scope: Scope, input: AirCard): Promise<z.infer<typeof schema.airCardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const { roomIds, window } =
      input.stayId === null ? planForPeriod(scope, input) : await planForStay(scope, tx, input);
    const { uid, note, stayId } = input;
    const { card, commandIds } = await createAirCard(scope, tx, { uid, note, stayId }, roomIds, window);
    const after = { stayId: input.stayId, roomIds, validTo: window.validTo };
    tx.audit({ action: "card.air", entity: "card", entityId: card.id, after });
    return { cardId: card.id, state: "active", commandIds };
  });
}

/**
 * Creates a card that opens these rooms by its number, and sends the number to their locks. @throws as `addOverTheAir`
 */
export async function createAirCard(
  scope: Scope,
  tx: Transaction,
  fields: { uid: string; note: string; stayId: number | null; stayGuestId?: number; idCard?: boolean },
  roomIds: readonly number[],
  window: AccessWindow,
): Promise<{ card: Card; commandIds: string[] }> {
  const locks = await locksOfRooms(tx, [...roomIds]);
  await requireUnused(scope, tx, fields.uid, locks);
  const { id: profileId } = await profileInUse(scope, tx);
  const now = scope.now();
  const card = await tx.db.card.create({
    data: {
      hotelId: scope.hotelId,
      ...fields,
      kind: "guest",
      overTheAir: true,
      state: "active",
      profileId,
      sequence: 0,
      ...window,
      issuedById: scope.operatorId,
      createdAt: now,
      confirmedAt: now,
      rooms: { create: roomIds.map((roomId) => ({ roomId })) },
    },
  });
  return { card, commandIds: await openByNumber(scope, tx, card, locks) };
}

interface AccessPlan {
  roomIds: number[];
  window: AccessWindow;
}

export async function planForStay(
  scope: Scope,
  tx: Transaction,
  { stayId, roomIds }: Pick<AirCard, "stayId" | "roomIds">,
): Promise<AccessPlan> {
  const stay = await selectStayForUpdate(scope, tx, stayId ?? 0, "reserved", "checked_in");
  const window = accessWindow(scope.hotel, stay);
  if (window.validTo <= scope.now()) throw new DomainError("stay_expired");
  if (roomIds.some((roomId) => roomId !== stay.roomId)) {
    throw new DomainError("invalid_input", {}, { roomIds: { key: "validation.roomOfStay" } });
  }
  // If the party arrived earlier than planned, the card works from now.
  const arrivedEarly = stay.state === "checked_in" && scope.now() < window.validFrom;
  return { roomIds: [stay.roomId], window: arrivedEarly ? { ...window, validFrom: scope.now() } : window };
}

function planForPeriod(scope: Scope, input: AirCard): AccessPlan {
  const roomIds = [...new Set(input.roomIds)];
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const validFrom = input.validFrom === null ? scope.now() : new Date(input.validFrom);
  const validTo = input.validTo === null ? null : new Date(input.validTo);
  if (validTo !== null && (validTo <= scope.now() || validTo <= validFrom)) {
    throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endBeforeStart" } });
  }
  return { roomIds, window: { validFrom, validTo } };
}

/**
 * Lets a card open the door of a guest's party by its number, as `addOverTheAir` does for the stay. @throws not_found
 */
export async function addForGuest(
  scope: Scope,
  { stayGuestId, uid, note }: { stayGuestId: number; uid: string; note?: string | undefined },
): Promise<z.infer<typeof schema.airCardOutcome>> {
  scope.require("cards.issue");
  const { stayId } = await partyOfGuest(scope, stayGuestId);
  return addOverTheAir(scope, schema.airCardInput.parse({ uid, note, stayId }));
}

type Input<S extends z.ZodType> = z.infer<S>;
type GrantCardInput = Input<typeof schema.grantCardInput>;

/**
 * First of two steps for a card that opens by its number: registers its kind and, optionally, its period. The card is
 * `pending`: no command is sent and no door opens. An earlier draft of the number is discarded. @throws card_in_use
 */
export async function register(
  scope: Scope,
  input: Input<typeof schema.registerCardInput>,
): Promise<{ cardId: number; state: "pending" }> {
  const { uid, kind, note } = input;
  scope.require(kind === "guest" ? "cards.issue" : "cards.master");
  const now = scope.now();
  const validFrom = input.validFrom === null ? now : new Date(input.validFrom);
  const validTo = endOf(scope, validFrom, input.validTo);
  return scope.write(async (tx) => {
    await requireUnused(scope, tx, uid, []);
    const { id: profileId } = await profileInUse(scope, tx);
    const { id: cardId } = await tx.db.card.create({
      data: {
        ...{ hotelId: scope.hotelId, uid, kind, note, overTheAir: true, profileId, sequence: 0, validFrom, validTo },
        issuedById: scope.operatorId,
        createdAt: now,
      },
      select: { id: true },
    });
    tx.audit({
      action: "card.register",
      entity: "card",
      entityId: cardId,
      after: kind === "guest" ? masked({ kind, note }, FREE_TEXTS) : { kind, note },
    });
    return { cardId, state: "pending" };
  });
}

interface GrantedCard extends Input<typeof schema.airCardOutcome> {
  /** `pending` until the locks have confirmed; `active` if no lock had to be sent the card */
  status: "pending" | "active";
}

/**
 * Second step: sets the doors and the period and sends the card to their locks at once. A master key card goes to every
 * lock, including those assigned to a door later. @throws state_conflict for a card that is no draft; lock_missing,
 * card_in_use; lock_without_hours for a lock that can't receive the card's hours; invalid_input without rooms or an end
 */
export async function grantCard(scope: Scope, input: GrantCardInput): Promise<GrantedCard> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const draft = await findCard(scope, tx, input.cardId);
    if (!isDraft(draft)) throw new DomainError("state_conflict", { state: draft.state });
    const window = windowOf(scope, draft, input);
    const roomIds = draft.kind === "universal" ? [] : roomsOf(scope, input);
    const locks = draft.kind === "universal" ? await listLocksOnDoors(tx, draft) : await locksOfRooms(tx, roomIds);
    if (hoursOf(draft).length > 0) await requireLocksWithHours(tx, locks);
    await requireNotRefused(scope, tx, draft.uid, locks);
    const card = await tx.db.card.update({
      where: { id: draft.id, state: "pending" },
      data: { ...window, state: "active", confirmedAt: scope.now() },
    });
    await tx.db.cardRoom.deleteMany({ where: { cardId: card.id } });
    const { hotelId } = scope;
    await tx.db.cardRoom.createMany({ data: roomIds.map((roomId) => ({ hotelId, cardId: card.id, roomId })) });
    const commandIds = await openByNumber(scope, tx, card, locks);
    const after = { kind: card.kind, roomIds, validTo: window.validTo };
    tx.audit({ action: "card.air", entity: "card", entityId: card.id, after });
    return { cardId: card.id, state: "active", status: commandIds.length > 0 ? "pending" : "active", commandIds };
  });
}

function roomsOf(scope: Scope, input: GrantCardInput): number[] {
  if (input.roomIds.length === 0)
    throw new DomainError("invalid_input", {}, { roomIds: { key: "validation.required" } });
  const roomIds = [...new Set(input.roomIds)];
  for (const roomId of roomIds) scope.requireRoom(roomId);
  return roomIds;
}

/** Omitted fields keep the values from registration. A card without an end must be explicitly permanent. */
function windowOf(scope: Scope, draft: CardDetails, input: GrantCardInput): AccessWindow {
  const validFrom = input.validFrom === null ? draft.validFrom : new Date(input.validFrom);
  if (input.permanent) return { validFrom, validTo: null };
  const validTo = endOf(scope, validFrom, input.validTo ?? draft.validTo?.toISOString() ?? null);
  if (validTo === null) throw new DomainError("invalid_input", {}, { validTo: { key: "validation.required" } });
  return { validFrom, validTo };
}

function endOf(scope: Scope, validFrom: Date, validTo: string | null): Date | null {
  const end = validTo === null ? null : new Date(validTo);
  if (end !== null && (end <= scope.now() || end <= validFrom)) {
    throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endBeforeStart" } });
  }
  return end;
}
