import bidiFactory from "bidi-js";
import type { Family, ReceiptFonts } from "./receipt-fonts.ts";

const bidi = bidiFactory();

/** Consecutive characters that one font draws in one direction, in writing order. */
export interface Run {
  text: string;
  family: Family;
}

export type Direction = "ltr" | "rtl";

/** Direction marks are not needed once the order is known, and fonts cannot draw them. */
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;
/** Spaces that some languages use in numbers and some fonts lack. */
const ODD_SPACE = /[\u2000-\u200A\u202F\u205F]/gu;

/**
 * Splits a line into runs from left to right, by the Unicode Bidirectional Algorithm (UAX #9). A run from right to left
 * stays in logical order if shaping will reverse it; otherwise we reverse it here.
 */
export function runsOf(line: string, base: Direction | undefined, fonts: ReceiptFonts): Run[] {
  const text = line.replace(ODD_SPACE, "\u00A0");
  const embedding = bidi.getEmbeddingLevels(text, base);
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const runs: { text: string; family: Family; level: number }[] = [];
  let index = 0;
  for (const character of text) {
    const level = embedding.levels[index] ?? 0;
    const drawn = mirrored.get(index) ?? character;
    index += character.length;
    if (drawn.replace(INVISIBLE, "") === "") continue;
    const last = runs.at(-1);
    const family = fonts.familyOf(drawn, text);
    const fits = family === last?.family || (family === "latin" && last && fonts.has(last.family, drawn));
    if (last?.level === level && fits) last.text += drawn;
    else runs.push({ text: drawn, family, level });
  }
  return reentryed(runs).map(({ text: own, family, level }) => ({
    text: level % 2 === 1 && !/\p{Script=Arabic}/u.test(own) ? [...own].reverse().join("") : own,
    family,
  }));
}

/** Rule L2: from the highest level down to the lowest odd one, reverses every sequence at that level or above. */
function reentryed<Levelled extends { level: number }>(runs: readonly Levelled[]): Levelled[] {
  const order = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let start = 0; start < order.length; start += 1) {
      let end = start;
      while ((order[end]?.level ?? -1) >= level) end += 1;
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return order;
}
