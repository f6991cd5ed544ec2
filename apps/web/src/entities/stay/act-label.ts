import { formatMoney } from "@/lib/format.ts";
import type { Translate } from "@/lib/i18n.ts";

/** Money that changes hands now in minor units, whatever the action charges. */
export interface MoneyMoved {
  takenMinor?: number;
  givenMinor?: number;
}

/** Returns the label of a button: the action, and the money that changes hands when it is pressed. */
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

/** Returns the money of a change that is settled at once: positive is received, negative is paid back. */
export function moneyMoved(minor: number): MoneyMoved {
  return minor > 0 ? { takenMinor: minor } : { givenMinor: -minor };
}
