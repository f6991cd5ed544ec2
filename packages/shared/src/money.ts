import { LANGUAGES, type LanguageCode } from "./languages.ts";

/**
 * Money is an integer in minor units with the hotel's ISO 4217 currency. Convert it only with the functions of this
 * file.
 */

/** Largest amount of one entry, in minor units: fits a PostgreSQL integer with room for sums. */
export const MAX_MINOR = 1_000_000_000;

/** Limit of a stay's charges, debt, credit and deposit: the maximum of a PostgreSQL integer. */
export const MAX_STAY_MINOR = 2_147_483_647;

/** Cache: creating a formatter costs far more than formatting an amount, and lists have hundreds of amounts. */
const digitsByCurrency = new Map<string, number>();

/** Returns the number of minor digits of a currency (0 for JPY, 3 for KWD), from the runtime's CLDR data. */
export function minorDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/** Returns the minor units of one major unit: 100 for EUR. */
export function majorUnit(currency: string): number {
  return 10 ** minorDigits(currency);
}

/** Returns "128.00" for 12800 EUR: a decimal string in major units, with a dot and all minor digits. */
export function toDecimal(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  const sign = minor < 0 ? "-" : "";
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns minor units for "128", "128.5" or "128.50"; null if the text is not an amount of this currency. */
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

const amountFormats = new Map<string, Intl.NumberFormat>();

/** Formats an amount in a language, for example "1,200.00 €". */
export function moneyText(minor: number, currency: string, language: LanguageCode): string {
  const key = `${language} ${currency}`;
  let format = amountFormats.get(key);
  if (!format) {
    const tag = LANGUAGES.find(({ code }) => code === language)?.tag;
    format = new Intl.NumberFormat(tag, { style: "currency", currency });
    amountFormats.set(key, format);
  }
  return format.format(minor / majorUnit(currency));
}
