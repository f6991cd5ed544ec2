import { daysBetween } from "@innkey/shared/hotel-time";
import { type HotelCalendar, nightsOf, type QuoteLine, totalOf } from "@innkey/shared/price-rules";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { readAccount } from "../folio/public.ts";
import {
  checkRenewal,
  priceExchange,
  priceRenewal,
  priceStay,
  readLines,
  readRoom,
  readStay,
} from "../stays/public.ts";

type Input<S extends z.ZodType> = z.infer<S>;

function asQuote(scope: Scope, lines: QuoteLine[], depositMinor: number): schema.QuoteOutput {
  const [first, last] = [lines[0], lines.at(-1)];
  const nights = first && last && first.kind !== "hour" ? nightsFrom(first, last, scope.hotel) : 0;
  return { lines, totalMinor: totalOf(lines), depositMinor, nights };
}

/** Counts the nights from the first to the last line, as lines of a quote follow one another without a gap. */
function nightsFrom({ startsAt }: QuoteLine, { endsAt }: QuoteLine, hotel: HotelCalendar): number {
  const { first, end } = nightsOf({ startsAt, endsAt }, hotel);
  return daysBetween(first, end);
}

/** Returns the price of a stay, line by line. @throws price_missing */
export async function quote(scope: Scope, input: Input<typeof schema.quoteInput>): Promise<schema.QuoteOutput> {
  scope.require("stays.view");
  const room = await readRoom(scope, scope.sql, input.roomId);
  return asQuote(scope, priceStay(room, input, input.unit, scope.hotel), room.prices?.depositMinor ?? 0);
}

export async function renewQuote(
  scope: Scope,
  input: Input<typeof schema.renewQuoteInput>,
): Promise<schema.QuoteOutput> {
  scope.require("stays.view");
  const stay = await readStay(scope, scope.sql, input.stayId);
  checkRenewal(scope, stay, input.endsAt);
  const room = await readRoom(scope, scope.sql, stay.roomId);
  const charged = await readLines(scope.sql, stay.id);
  return asQuote(
    scope,
    priceRenewal(room, { ...stay, charged }, input.endsAt, input.unit ?? stay.unit, scope.hotel),
    0,
  );
}

/** Returns the refund and the price of moving to another room now. */
export async function changeRoomQuote(
  scope: Scope,
  input: Input<typeof schema.changeRoomQuoteInput>,
): Promise<Input<typeof schema.changeRoomQuote>> {
  scope.require("stays.view");
  const stay = await readStay(scope, scope.sql, input.stayId);
  const room = await readRoom(scope, scope.sql, input.roomId);
  const cut = stay.state === "reserved" ? stay.startsAt : scope.now().toISOString();
  const { credit, charge, differenceMinor } = priceExchange(
    await readLines(scope.sql, stay.id),
    (await readAccount(scope.sql, stay.id)).roomChargedMinor,
    room,
    stay,
    cut,
    scope.hotel,
  );
  return { credit, charge, creditMinor: totalOf(credit), chargeMinor: totalOf(charge), differenceMinor };
}
