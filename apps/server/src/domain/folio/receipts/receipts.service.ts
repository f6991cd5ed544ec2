import { guestLanguage } from "@innkey/shared/guest-language";
import type { LanguageCode } from "@innkey/shared/languages";
import { HotelTurns } from "../../../kernel/hotel-turns.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { type Receipt, readReceipt } from "./receipt.queries.ts";
import { drawReceipt } from "./receipt-document.ts";

/** A receipt of more lines takes seconds and a hundred megabytes. */
const SHORT_LINES = 500;
const longReceipts = new HotelTurns();

/**
 * Returns the receipt of a stay as a PDF, in the requested language or else the first guest's; dates are in the hotel's
 * time zone. Long receipts are drawn one at a time.
 * @throws no_permission; not_found as for a stay that doesn't exist; too_many_attempts if too many long receipts of this
 * person are waiting
 */
export async function receipt(
  scope: Scope,
  stayId: number,
  language?: LanguageCode,
): Promise<{ fileName: string; content: Buffer }> {
  scope.require("folio.view");
  const receiptData = await readReceipt(scope, stayId);
  const draw = (): Promise<Buffer> =>
    drawReceipt(receiptData, {
      language: language ?? guestLanguage(receiptData.guests[0]?.nationality ?? null, scope.hotel.language),
      timeZone: scope.hotel.timeZone,
      currency: scope.hotel.currency,
      now: scope.now(),
    });
  const content =
    linesOf(receiptData) > SHORT_LINES ? await longReceipts.run(scope.hotelId, personOf(scope), draw) : await draw();
  return { fileName: `receipt-${receiptData.number}.pdf`, content };
}

const linesOf = ({ charges, moves }: Receipt): number =>
  charges.reduce((sum, { lines }) => sum + Math.max(1, lines.length), moves.length);

const personOf = ({ operatorId, actor }: Scope): string => String(operatorId ?? `key:${actor.id}`);
