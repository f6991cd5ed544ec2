import { DAY_MS } from "@innkey/shared/durations";
import { MAX_PAPER_ROWS, paperRow } from "@innkey/shared/schemas/overview/outage";
import { z } from "zod";
import { readStored, writeStored } from "../browser/stored.ts";
import { forgetKeptPaper, PAPER_KEY } from "./forget-kept-paper.ts";

/** What a person has entered of the paper from an outage, until it is applied. */
const keptPaper = z.object({
  keptAt: z.string(),
  rows: z.array(z.object({ id: z.string(), row: paperRow, stayId: z.int().nullable() })).max(MAX_PAPER_ROWS),
});
export type KeptRow = z.infer<typeof keptPaper>["rows"][number];

/** An outage is entered within days; the names are not kept for longer. */
const KEPT_MS = 3 * DAY_MS;

const ownerOf = (me: { hotelId: number; operatorId: number }): string => `${me.hotelId}.${me.operatorId}`;

/** Returns the rows that this person has kept for this hotel in this browser, at most three days old. */
export function readKeptPaper(me: { hotelId: number; operatorId: number }, now = Date.now()): KeptRow[] {
  const text = readStored(PAPER_KEY);
  if (text === null) return [];
  try {
    const { owner, ...paper } = z.object({ owner: z.string() }).loose().parse(JSON.parse(text));
    const { keptAt, rows } = keptPaper.parse(paper);
    if (owner === ownerOf(me) && now - Date.parse(keptAt) < KEPT_MS) return rows;
  } catch {
    // Written by another version.
  }
  forgetKeptPaper();
  return [];
}

/** Keeps the rows in place of those before; without any, nothing is kept. */
export function keepPaper(me: { hotelId: number; operatorId: number }, rows: readonly KeptRow[]): void {
  const paper = { owner: ownerOf(me), keptAt: new Date().toISOString(), rows };
  writeStored(PAPER_KEY, rows.length === 0 ? null : JSON.stringify(paper));
}
