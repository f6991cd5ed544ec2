import type { BenchResult } from "../measuring/result.ts";
import { blockText } from "./tables.ts";

/** A place in a page for a block of a bench: `<!-- bench NAME BLOCK -->`, its text and `<!-- /bench -->`. */
const PLACE = /<!-- bench (\S+) (\S+) -->\n([\s\S]*?)<!-- \/bench -->/g;

export interface Place {
  bench: string;
  block: string;
  text: string;
}

export const placesOf = (page: string): Place[] =>
  [...page.matchAll(PLACE)].map(([, bench = "", block = "", text = ""]) => ({ bench, block, text: text.trim() }));

/** Returns a page with the blocks of the results; a block without a result stays as it is. */
export function fillPage(page: string, results: ReadonlyMap<string, BenchResult>): string {
  return page.replace(PLACE, (place: string, bench: string, block: string) => {
    const result = results.get(bench);
    return result ? `<!-- bench ${bench} ${block} -->\n\n${blockText(result, block)}\n\n<!-- /bench -->` : place;
  });
}
