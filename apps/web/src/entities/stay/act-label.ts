import { formatMoney } from "@/lib/format.ts";
import type { Translate } from "@/lib/i18n.ts";

/** What changes hands with an act, minor units; both are of this moment, whatever the act charges. */
export interface MoneyMoved {
  takenMinor?: number;
  givenMinor?: number;
}

/** An act's button: what it does, and the money that changes hands by pressing it. */
export function actLabel(
  t: Translate,
  act: string,
  { takenMinor = 0, givenMinor = 0 }: MoneyMoved,
  currency: string,
): string {
  const [incoming, outgoing] = [formatMoney(takenMinor, currency), formatMoney(givenMinor, currency)];
  if (takenMinor > 0 && givenMinor > 0) return t("stay.actTakesAndGives", { act, taken: incoming, given: outgoing });
  if (takenMinor > 0) return t("stay.actTakes", { act, amount: incoming });
  if (givenMinor > 0) return t("stay.actGives", { act, amount: outgoing });
  return act;
}

/** Of a change that is settled at once: positive is taken, negative given back. */
export function moneyMoved(minor: number): MoneyMoved {
  return minor > 0 ? { takenMinor: minor } : { givenMinor: -minor };
}
