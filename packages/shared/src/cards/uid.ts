/**
 * A card's number. Readers, keyboards and other systems write it as hex in either byte order, with separators, or as a
 * decimal number of either byte order; we store it as upper-case hex of the bytes in the order read.
 */
const HEX_UID = /^(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})$/;

/** Returns upper-case hex of 4, 7 or 10 bytes; null if the text is not a UID. */
export function normalUid(text: string): string | null {
  const hex = text.replace(/[\s:.-]/g, "").toUpperCase();
  return HEX_UID.test(hex) ? hex : null;
}

export function reversedUid(uid: string): string {
  return (uid.match(/../g) ?? []).reverse().join("");
}

/**
 * Returns every UID that a text may mean, likeliest first: hex as read, hex reversed, decimal in either byte order (4
 * bytes).
 */
export function uidCandidates(text: string): string[] {
  const candidates: string[] = [];
  const hex = normalUid(text);
  if (hex) candidates.push(hex, reversedUid(hex));
  const digits = text.trim();
  if (/^\d{1,10}$/.test(digits) && Number(digits) <= 0xffffffff) {
    const decimal = Number(digits).toString(16).toUpperCase().padStart(8, "0");
    candidates.push(decimal, reversedUid(decimal));
  }
  return [...new Set(candidates)];
}
