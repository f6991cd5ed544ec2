import { guessSeparator, parseCsv } from "@innkey/shared/csv";
import { guessColumns, type ImportKind } from "@innkey/shared/imports/columns";

/** Encodings that spreadsheets write, most likely first. All browsers can decode them. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-kr",
  "windows-1252",
  "windows-1251",
  "windows-1256",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Decodes a file. Returns null if the bytes are not valid text in this encoding. */
export function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

const LATIN: readonly Encoding[] = ["windows-1252", "windows-1251", "windows-1256"];
const HEADING_SAMPLE_CHARACTERS = 4096;

/**
 * Guesses the encoding: the one in which the file is valid text and most of its headings are recognized. A byte order
 * mark or valid UTF-8 decides at once. Otherwise, isolated bytes beyond ASCII count against the two-byte encodings.
 */
export function guessEncoding(bytes: Uint8Array, kind: ImportKind): Encoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const readable = ENCODINGS.flatMap((encoding) => {
    const text = decode(bytes, encoding);
    return text === null ? [] : [{ encoding, knownHeadings: countKnownHeadings(text, kind) }];
  });
  const utf8 = readable.find(({ encoding }) => encoding === "utf-8");
  if (utf8) return "utf-8";
  const isolated = mostlyIsolated(bytes);
  const likelihood = (encoding: Encoding): number => (LATIN.includes(encoding) === isolated ? 0.5 : 0);
  const best = readable
    .filter(({ encoding }) => !encoding.startsWith("utf-16") || bytes.includes(0))
    .toSorted((a, b) => b.knownHeadings + likelihood(b.encoding) - a.knownHeadings - likelihood(a.encoding));
  return best[0]?.encoding ?? "windows-1252";
}

function countKnownHeadings(text: string, kind: ImportKind): number {
  const sample = text.slice(0, HEADING_SAMPLE_CHARACTERS);
  const [headings = []] = parseCsv(sample, guessSeparator(sample));
  return guessColumns(kind, headings).filter((column) => column !== null).length;
}

function mostlyIsolated(bytes: Uint8Array): boolean {
  let isolated = 0;
  let paired = 0;
  for (let at = 0; at < Math.min(bytes.length, 64 * 1024); at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    if ((bytes[at + 1] ?? 0) < 0x80) isolated += 1;
    else {
      paired += 1;
      at += 1;
    }
  }
  return isolated > paired;
}
