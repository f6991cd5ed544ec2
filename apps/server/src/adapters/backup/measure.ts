import { createHash } from "node:crypto";

const NEWLINE = 10;

/** Counts and hashes the bytes passed to it. */
export interface Measure {
  add(chunk: Uint8Array): void;
  result(): { bytes: number; sha256: string; lines: number };
}

/** Counts lines by their ends; in COPY's text format each line is a row, since line ends inside values are escaped. */
export function measure(): Measure {
  const hash = createHash("sha256");
  let bytes = 0;
  let lines = 0;
  return {
    add(chunk) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    },
    result: () => ({ bytes, sha256: hash.digest("hex"), lines }),
  };
}
