/**
 * Normalises hex in any case, with spaces, colons, dashes or dots, to upper case without separators; undefined if it
 * isn't hex.
 */
export function hexOf(typed: string): string | undefined {
  const bare = typed.replace(/[\s:.-]+/g, "").toUpperCase();
  return /^(?:[0-9A-F]{2})*$/.test(bare) ? bare : undefined;
}

export function byteHex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hexOfBytes(bytes: Iterable<number>): string {
  return Array.from(bytes, byteHex).join("");
}

/** Formats "A1 B2 C3 D4", for reading aloud and comparing. */
export function spaced(hex: string): string {
  return hex.match(/../g)?.join(" ") ?? "";
}

/** Hex digits of a card's number: 4, 7 or 10 bytes (source: ISO 14443-3). */
const UID_HEX_LENGTHS = [8, 14, 20];
const MAX_DECIMAL = 0xffff_ffff;

const reversed = (hex: string): string => (hex.match(/../g) ?? []).toReversed().join("");

/**
 * Parses what a reader answered or typed; undefined if it is no card number. Nine or ten decimal digits are
 * a number of four bytes, which eight hex digits would be otherwise.
 */
export function uidOf(text: string): string | undefined {
  const bare = text.trim();
  if (/^\d{9,10}$/.test(bare) && Number(bare) <= MAX_DECIMAL)
    return Number(bare).toString(16).toUpperCase().padStart(8, "0");
  const hex = hexOf(bare);
  return hex !== undefined && UID_HEX_LENGTHS.includes(hex.length) ? hex : undefined;
}

interface UidForms {
  uid: string;
  reversed: string;
  /** Of four-byte numbers: as other programs print them, most and least significant byte first. */
  decimal?: string;
  reversedDecimal?: string;
}

/** Returns all forms in which lists and other readers write the same card. */
export function formsOf(uid: string): UidForms {
  const backwards = reversed(uid);
  if (uid.length !== 8) return { uid, reversed: backwards };
  const decimalOf = (hex: string): string => String(Number.parseInt(hex, 16)).padStart(10, "0");
  return { uid, reversed: backwards, decimal: decimalOf(uid), reversedDecimal: decimalOf(backwards) };
}
