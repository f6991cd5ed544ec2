import { plain } from "./cells.ts";
import { IMPORT_COLUMNS, type ImportColumn, type ImportKind } from "./columns.ts";
import { HEADER_WORDS } from "./header-words.ts";

/** A heading without case, accents, signs, and what stands in brackets: "Price (EUR)" is "price". */
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

/** What each heading means; null where nobody knows, or where another column means it already. */
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
