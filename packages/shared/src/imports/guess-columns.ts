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

const known = new Map<ImportKind, Map<string, ImportColumn>>();

function wordsOf(kind: ImportKind): Map<string, ImportColumn> {
  const columns: readonly ImportColumn[] = IMPORT_COLUMNS[kind];
  const made = new Map(
    columns.flatMap((column) =>
      (HEADER_WORDS[kind][column] ?? "").split("|").map((word) => [headerKey(word), column] as const),
    ),
  );
  known.set(kind, made);
  return made;
}

/** What each heading means; null where nobody knows, or where another column means it already. */
export function guessColumns(kind: ImportKind, headings: readonly string[]): (ImportColumn | null)[] {
  const words = known.get(kind) ?? wordsOf(kind);
  const taken = new Set<ImportColumn>();
  return headings.map((heading) => {
    const column = words.get(headerKey(heading)) ?? null;
    if (column === null || taken.has(column)) return null;
    taken.add(column);
    return column;
  });
}
