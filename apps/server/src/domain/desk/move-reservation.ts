import { DomainError } from "@innkey/shared/errors";
import { creditOf, type QuoteLine, totalOf } from "@innkey/shared/price-rules";
import type { MoveReservationInput, ReservationMoved } from "@innkey/shared/schemas/overview/timeline";
import type { HotelContext, Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { moveAccess, reschedule } from "../access/public.ts";
import { postExchange, readAccount } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { lockRooms } from "../property/public.ts";
import {
  checkArrival,
  checkCharged,
  checkExpected,
  type LiveStay,
  type PricedRoom,
  priceAgain,
  priceStay,
  readLines,
  readRoom,
  rebookStay,
  selectStayForUpdate,
  unconfirmBooking,
  unitOf,
} from "../stays/public.ts";

/**
 * Moves a reservation to another room, other days, or both. The charge is refunded in full and the stay is priced as if
 * booked now; one folio entry carries both and the difference. Its keys move along.
 */
export async function moveReservationIn(
  scope: Scope,
  tx: Transaction,
  input: MoveReservationInput,
): Promise<ReservationMoved> {
  const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved");
  checkMove(scope, stay, input);
  await lockRooms(
    scope,
    tx,
    [...new Set([stay.roomId, input.roomId])].sort((a, b) => a - b),
  );
  const room = await readRoom(scope, tx.sql, input.roomId);
  const charged = await readLines(tx.sql, stay.id);
  const { chargedMinor, roomChargedMinor, owedMinor } = await readAccount(tx.sql, stay.id);
  const credit = creditOf(charged);
  const charge = priceMoved(room, stay, charged, input, scope.hotel);
  // Amounts that were already refunded manually must not be refunded again.
  const differenceMinor = Math.max(totalOf(credit) + totalOf(charge), -roomChargedMinor);
  checkExpected(input.expectedDifferenceMinor, differenceMinor);
  checkCharged(chargedMinor + differenceMinor);
  const undo = await inverseMove(scope, tx, stay, input, { charged, roomChargedMinor, differenceMinor });

  const occupancyId = await rebookStay(scope, tx, stay, input);
  const { startsAt, endsAt } = input;
  if (room.id !== stay.roomId || startsAt !== stay.startsAt) await unconfirmBooking(scope, tx, stay.id);
  if (room.id !== stay.roomId) {
    await moveAccess(scope, tx, { ...stay, startsAt, endsAt }, { roomId: room.id, startsAt });
  }
  await reschedule(scope, tx, { id: stay.id, startsAt, endsAt });
  const entryId =
    room.id === stay.roomId && sameLines(charged, charge)
      ? null
      : await postExchange(scope, tx, {
          stayId: stay.id,
          differenceMinor,
          owedMinor,
          channel: input.channel,
          lines: [
            ...credit.map((line) => ({ ...line, occupancyId: stay.occupancyId })),
            ...charge.map((line) => ({ ...line, occupancyId })),
          ],
        });
  tx.audit({
    action: "stay.move",
    entity: "stay",
    entityId: stay.id,
    before: { roomId: stay.roomId, startsAt: stay.startsAt, endsAt: stay.endsAt },
    after: { roomId: room.id, startsAt, endsAt, differenceMinor },
  });
  const previous = { previousStartsAt: stay.startsAt, previousEndsAt: stay.endsAt, previousRoomId: stay.roomId };
  const event = room.id === stay.roomId ? "stay.renewed" : "stay.room_changed";
  await announceStay(scope, tx, event, stay.id, { ...previous, previousRoomName: stay.roomName });
  tx.boardChanged([stay.roomId, room.id]);
  return { stayId: stay.id, roomId: room.id, entryId, differenceMinor, undo };
}

/** A start in the past may stay as planned, but a reservation can't be moved into the past. */
function checkMove(scope: Scope, stay: LiveStay, { roomId, startsAt, endsAt }: MoveReservationInput): void {
  if (roomId === stay.roomId && startsAt === stay.startsAt && endsAt === stay.endsAt) {
    throw new DomainError("invalid_input", {}, { startsAt: { key: "validation.nothingChanged" } });
  }
  checkArrival(scope, startsAt === stay.startsAt ? scope.now().toISOString() : startsAt, endsAt, false);
}

/** Returns the price of the reservation in `room`; on other days than booked, its hours and nights are priced anew. */
export function priceMoved(
  room: PricedRoom,
  stay: LiveStay,
  charged: readonly QuoteLine[],
  { startsAt, endsAt, agreedTotalMinor }: Pick<MoveReservationInput, "startsAt" | "endsAt" | "agreedTotalMinor">,
  hotel: HotelContext,
): QuoteLine[] {
  const isOtherPeriod = startsAt !== stay.startsAt || endsAt !== stay.endsAt;
  return isOtherPeriod || agreedTotalMinor !== null
    ? priceStay(room, { startsAt, endsAt }, unitOf(charged, stay.unit), hotel, agreedTotalMinor)
    : priceAgain(charged, room, stay, hotel);
}

interface Account {
  charged: readonly QuoteLine[];
  roomChargedMinor: number;
  differenceMinor: number;
}

/**
 * Returns the inverse move if it would cost exactly what this one refunds; null otherwise, for example if prices have
 * changed since.
 */
async function inverseMove(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
  input: MoveReservationInput,
  { charged, roomChargedMinor, differenceMinor }: Account,
): Promise<ReservationMoved["undo"]> {
  const isPaid = input.channel !== null && differenceMinor !== 0;
  if (isPaid || totalOf(charged) !== roomChargedMinor || stay.startsAt < scope.now().toISOString()) return null;
  const formerPrice = await priceFormer(scope, tx, stay, charged);
  if (!formerPrice || !sameLines(formerPrice, charged)) return null;
  const { id: stayId, roomId, startsAt, endsAt } = stay;
  return { stayId, roomId, startsAt, endsAt, expectedDifferenceMinor: -differenceMinor };
}

/**
 * Returns the current price of the former room and period; null if the caller can't see the room, or it has no price.
 */
async function priceFormer(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
  charged: readonly QuoteLine[],
): Promise<QuoteLine[] | null> {
  try {
    return priceAgain(charged, await readRoom(scope, tx.sql, stay.roomId), stay, scope.hotel);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

const sameLines = (a: readonly QuoteLine[], b: readonly QuoteLine[]): boolean =>
  a.length === b.length &&
  a.every((line, at) => {
    const other = b[at];
    return other?.kind === line.kind && other.date === line.date && other.amountMinor === line.amountMinor;
  });

/**
 * Moves a reservation to another room or other days, earlier ones included, and prices it anew. @throws room_taken,
 * price_changed with the current difference, price_missing; payout_not_allowed for a refund
 */
export async function moveReservation(scope: Scope, input: MoveReservationInput): Promise<ReservationMoved> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((tx) => moveReservationIn(scope, tx, input));
}
