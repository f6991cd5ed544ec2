import type { ImportInput, ImportOutput } from "@innkey/shared/schemas/imports";
import { api } from "@/lib/trpc.ts";

/** Guests that are booked in one call: well within the time a call may take. */
const GUESTS_AT_ONCE = 60;

/** The rows that are sent together: a table of guests in parts, none of which parts a party. */
function partsOf({ kind, rows }: ImportInput, { acts, parties }: ImportOutput): number[][] {
  const rowIndexes = rows.map((_, at) => at).filter((at) => acts[at] !== "error");
  if (kind !== "guests") return [rowIndexes];
  const together = new Map<number, number[]>();
  for (const at of rowIndexes) {
    const party = parties[at] ?? at;
    together.set(party, [...(together.get(party) ?? []), at]);
  }
  const parts: number[][] = [];
  for (const party of together.values()) {
    const last = parts.at(-1);
    if (last && last.length + party.length <= GUESTS_AT_ONCE) last.push(...party);
    else parts.push([...party]);
  }
  return parts;
}

/**
 * Imports what the preview found good. Answers what became of each row of the whole table; rows with errors keep those of
 * the preview. @throws what the server refuses, after `onDone` told how far it came
 */
export async function sendTable(
  input: ImportInput,
  preview: ImportOutput,
  onDone: (done: number) => void,
): Promise<ImportOutput> {
  const result: ImportOutput = { ...preview, acts: [...preview.acts], problems: [...preview.problems] };
  let done = 0;
  for (const part of partsOf(input, preview)) {
    const rows = part.map((at) => input.rows[at] ?? []);
    const answer = await api.imports.run.mutate({ ...input, rows, skipErrors: true });
    for (const [place, at] of part.entries()) result.acts[at] = answer.acts[place] ?? "error";
    result.problems.push(...answer.problems.map((problem) => ({ ...problem, row: part[problem.row] ?? 0 })));
    done += part.length;
    onDone(done);
  }
  return result;
}
