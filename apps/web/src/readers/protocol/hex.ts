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
