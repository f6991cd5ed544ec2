import { searchText, searchWords } from "@innkey/shared/search-text";
import type { PaletteCommand } from "./commands.ts";

const MAX_LISTED_PER_GROUP = 8;

/**
 * Returns how well an option fits the typed text, from 1 (the exact name) to 0 (not at all). Every typed word must
 * occur in it unchanged. A fuzzy match would offer other rooms whose names have the same digits in the same order.
 */
export function matchScore(typed: string, label: string, keywords: readonly string[] = []): number {
  if (searchText(label) === searchText(typed)) return 1;
  const parts = searchWords(typed);
  const total = (texts: readonly string[]): number | null =>
    distance({ text: searchText(texts.join(" ")), words: texts.flatMap(searchWords) }, parts);
  const inLabel = total([label]);
  if (inLabel !== null) return 0.9 / (1 + inLabel);
  const anywhere = total([label, ...keywords]);
  return anywhere === null ? 0 : 0.09 / (1 + anywhere);
}

export type SearchableCommand = { command: PaletteCommand; text: string; words: readonly string[] };

export function searchable(commands: readonly PaletteCommand[]): SearchableCommand[] {
  return commands.map((command) => {
    const text = [command.label, command.detail ?? "", ...(command.keywords ?? [])].join(" ");
    return { command, text: searchText(text), words: searchWords(text) };
  });
}

/** Returns the distance of a command from the typed text: 0 is equal, null is no match. */
function distance({ text, words }: Pick<SearchableCommand, "text" | "words">, typed: readonly string[]): number | null {
  let total = 0;
  for (const part of typed) {
    if (!text.includes(part)) return null;
    total += words.includes(part) ? 0 : words.some((word) => word.startsWith(part)) ? 1 : 2;
  }
  return total;
}

/**
 * Returns the commands that contain every typed word, by group, best first; the group with the best match comes first.
 */
export function findCommands(all: readonly SearchableCommand[], typed: string): Map<string, PaletteCommand[]> {
  const parts = searchWords(typed);
  const matches = all.flatMap((candidate) => {
    if (parts.length === 0 && candidate.command.whenTyped) return [];
    const rank = distance(candidate, parts);
    return rank === null ? [] : [{ rank, command: candidate.command }];
  });
  const groups = new Map<string, PaletteCommand[]>();
  for (const { command } of matches.toSorted((one, other) => one.rank - other.rank)) {
    const group = groups.get(command.group) ?? [];
    if (group.length < MAX_LISTED_PER_GROUP || parts.length === 0) groups.set(command.group, [...group, command]);
  }
  return groups;
}
