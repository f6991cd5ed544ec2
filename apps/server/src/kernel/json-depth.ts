/** Valid input has only a few levels; the time of parsers grows disproportionately with depth. */
const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Counts the opening brackets, but not further than just above the limit; texts mostly have few of them. */
function countOpening(json: string): number {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    let at = json.indexOf(bracket);
    while (at !== -1 && count <= MAX_DEPTH) {
      count += 1;
      at = json.indexOf(bracket, at + 1);
    }
  }
  return count;
}

/** Checks whether a JSON text nests too deeply, before it is parsed. */
export function isTooDeep(json: string): boolean {
  if (countOpening(json) <= MAX_DEPTH) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (inText) {
      if (sign === BACKSLASH) at += 1;
      else if (sign === QUOTE) inText = false;
    } else if (sign === QUOTE) {
      inText = true;
    } else if (OPENING.has(sign)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(sign)) {
      depth -= 1;
    }
  }
  return false;
}
