import { LANGUAGES, type LanguageCode } from "./languages.ts";

/** Money is an integer in minor units with the hotel's ISO 4217 currency; these are the only conversions. */

/** The largest amount of one act, in minor units: what fits a PostgreSQL integer with room for sums. */
export const MAX_MINOR = 1_000_000_000;

/** The most that one stay is charged, all its acts together: what a PostgreSQL integer holds. */
export const MAX_STAY_MINOR = 2_147_483_647;

/** A formatter costs far more than the amount it is asked about: lists hold hundreds. */
const knownDigits = new Map<string, number>();

/** How many minor digits a currency has (0 for JPY, 3 for KWD), after CLDR as shipped in the runtime. */
export function minorDigits(currency: string): number {
  let digits = knownDigits.get(currency);
  if (digits === undefined) {
    digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
    knownDigits.set(currency, digits);
  }
  return digits;
}

/** Minor units of one major unit: 100 for EUR. */
export function majorUnit(currency: string): number {
  return 10 ** minorDigits(currency);
}

/** "128.00" for 12800 EUR: a plain decimal string in major units, with a dot and all minor digits. */
export function toDecimal(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  const sign = minor < 0 ? "-" : "";
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Minor units for "128", "128.5" or "128.50"; null if it is no amount of this currency. */
export function fromDecimal(text: string, currency: string): number | null {
  const match = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(text.trim());
  if (!match) return null;
  const digits = minorDigits(currency);
  const fraction = (match[3] ?? "").replace(/0+$/, "");
  if (fraction.length > digits) return null;
  const minor = Number(match[2]) * 10 ** digits + Number(fraction.padEnd(digits, "0") || 0);
  return Number.isSafeInteger(minor) ? (match[1] ? -minor : minor) : null;
}

export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf("currency").includes(code);
}

/** "1,200.00 €" as a language writes it. */
export function moneyText(minor: number, currency: string, language: LanguageCode): string {
  const tag = LANGUAGES.find(({ code }) => code === language)?.tag;
  return new Intl.NumberFormat(tag, { style: "currency", currency }).format(minor / majorUnit(currency));
}

/**
 * What changes hands when a change of a stay is settled at once, minor units: a dearer room or a longer stay is paid, of a
 * cheaper one only what was paid already goes back (negative).
 */
export function movedMinor(differenceMinor: number, owedMinor: number): number {
  return differenceMinor > 0 ? differenceMinor : Math.min(0, owedMinor + differenceMinor);
}
