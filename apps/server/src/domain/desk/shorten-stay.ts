import { DomainError } from "@innkey/shared/errors";
import {
  creditOf,
  type HotelCalendar,
  MIN_STAY_MS,
  nightsOf,
  type QuoteLine,
  totalOf,
  unusedOf,
} from "@innkey/shared/price-rules";
import type { ShortenInput, stayShortened } from "@innkey/shared/schemas/overview/timeline";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { adjustAccess, reschedule } from "../access/public.ts";
import { postExchange, readAccount } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { lockRooms } from "../property/public.ts";
import { checkExpected, type LiveStay, readLines, selectStayForUpdate, setDeparture } from "../stays/public.ts";

/** Moves the planned departure earlier, refunds unused nights and ends the keys with it. */
export async function shortenIn(
  scope: Scope,
  tx: Transaction,
  input: ShortenInput,
): Promise<z.infer<typeof stayShortened>> {
  const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved", "checked_in");
  checkShorter(scope, stay, input.endsAt);
  await lockRooms(scope, tx, [stay.roomId]);
  const { endsAt } = input;
  const { roomChargedMinor, owedMinor } = await readAccount(tx.sql, stay.id);
  const credit = creditOf(linesToRefund(await readLines(tx.sql, stay.id), { ...stay, endsAt }, scope.hotel));
  // Amounts that were already refunded manually must not be refunded again.
  const differenceMinor = Math.max(totalOf(credit), -roomChargedMinor);
  checkExpected(input.expectedDifferenceMinor, differenceMinor);
  await setDeparture(tx, stay, endsAt);
  const keysOf = { id: stay.id, startsAt: stay.startsAt, endsAt };
  // The party of a reservation has not come, so a card written for longer is taken back.
  if (stay.state === "reserved") await reschedule(scope, tx, keysOf);
  else await adjustAccess(scope, tx, keysOf);
  const entryId =
    credit.length === 0
      ? null
      : await postExchange(scope, tx, {
          stayId: stay.id,
          differenceMinor,
          owedMinor,
          channel: input.channel,
          lines: credit.map((line) => ({ ...line, occupancyId: stay.occupancyId })),
        });
  tx.audit({
    action: "stay.shorten",
    entity: "stay",
    entityId: stay.id,
    before: { endsAt: stay.endsAt },
    after: { endsAt, differenceMinor },
  });
  await announceStay(scope, tx, "stay.renewed", stay.id, { previousEndsAt: stay.endsAt });
  tx.boardChanged([stay.roomId]);
  return { stayId: stay.id, entryId, differenceMinor, endsAt };
}

/**
 * Checks the new departure: earlier than planned, in the future, and at least an hour after the start of the stay.
 */
function checkShorter(scope: Scope, stay: LiveStay, endsAt: string): void {
  const refuse = (key: string): never => {
    throw new DomainError("invalid_input", {}, { endsAt: { key } });
  };
  if (endsAt >= stay.endsAt) refuse("validation.notEarlier");
  if (Date.parse(endsAt) <= scope.now().getTime()) refuse("validation.departurePast");
  if (Date.parse(endsAt) - Date.parse(stay.startsAt) < MIN_STAY_MS) refuse("validation.checkOutTooEarly");
}

/**
 * Returns the charged lines for nights and hours after the new departure; a stay by the day always pays for one night.
 */
function linesToRefund(
  lines: readonly QuoteLine[],
  stay: { startsAt: string; endsAt: string },
  hotel: HotelCalendar,
): QuoteLine[] {
  return unusedOf(lines, stay.endsAt, hotel, nightsOf(stay, hotel).end);
}

/**
 * Moves the planned departure earlier, of a checked-in stay or a reservation; nights that have not begun are refunded.
 * @throws price_changed with the current difference; payout_not_allowed for a refund
 */
export async function shorten(scope: Scope, input: ShortenInput): Promise<z.infer<typeof stayShortened>> {
  scope.require("stays.manage");
  return scope.write((tx) => shortenIn(scope, tx, input));
}
