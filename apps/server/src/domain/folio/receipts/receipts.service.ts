import { guestLanguage } from "@innkey/shared/guest-language";
import type { LanguageCode } from "@innkey/shared/languages";
import type { Scope } from "../../../kernel/scope.ts";
import { readReceipt } from "./receipt.queries.ts";
import { drawReceipt } from "./receipt-document.ts";

/**
 * Returns the receipt of a stay as a PDF, in the requested language or else the first guest's; dates are in the hotel's
 * time zone.
 * @throws no_permission; not_found as for a stay that doesn't exist
 */
export async function receipt(
  scope: Scope,
  stayId: number,
  language?: LanguageCode,
): Promise<{ fileName: string; content: Buffer }> {
  scope.require("orders.view");
  const receiptData = await readReceipt(scope, stayId);
  const content = await drawReceipt(receiptData, {
    language: language ?? guestLanguage(receiptData.guests[0]?.nationality ?? null, scope.hotel.language),
    timeZone: scope.hotel.timeZone,
    currency: scope.hotel.currency,
    now: scope.now(),
  });
  return { fileName: `receipt-${receiptData.number}.pdf`, content };
}
