import { plain } from "./cells.ts";
import { IMPORT_COLUMNS, type ImportColumn, type ImportKind } from "./columns.ts";
import { HEADER_WORDS } from "./header-words.ts";

/** Returns a heading without case, accents, punctuation and text in brackets: "Price (EUR)" becomes "price". */
export function headerKey(heading: string): string {
  return plain(heading)
    .replace(/\s*[([{（［【].*$/, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const cache = new Map<ImportKind, Map<string, ImportColumn>>();

function wordsOf(kind: ImportKind): Map<string, ImportColumn> {
  const columns: readonly ImportColumn[] = IMPORT_COLUMNS[kind];
  const headings = new Map(
    columns.flatMap((column) =>
      (HEADER_WORDS[kind][column] ?? "").split("|").map((word) => [headerKey(word), column] as const),
    ),
  );
  cache.set(kind, headings);
  return headings;
}

/**
 * Returns the column that each heading means; null if it is unknown, or if another heading already means that column.
 */
export function guessColumns(kind: ImportKind, headings: readonly string[]): (ImportColumn | null)[] {
  const words = cache.get(kind) ?? wordsOf(kind);
  const used = new Set<ImportColumn>();
  return headings.map((heading) => {
    const column = words.get(headerKey(heading)) ?? null;
    if (column === null || used.has(column)) return null;
    used.add(column);
    return column;
  });
}
