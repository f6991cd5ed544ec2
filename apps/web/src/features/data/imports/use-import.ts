import type { ImportKind } from "@innkey/shared/imports/columns";
import type { ImportInput, ImportOutput } from "@innkey/shared/schemas/data";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/lib/api.ts";
import { inputOf, type Plan, planOf, readTable, type Source, type TableFile } from "./table-file.ts";

/** State of an import from file to result. A change in an earlier step resets the later ones. */
export function useImport(kind: ImportKind) {
  const [file, setFile] = useState<TableFile | null>(null);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [doneCount, setDoneCount] = useState(0);

  const previewMutation = useMutation({
    mutationFn: ({ plan, file }: { plan: Plan; file: TableFile }) =>
      api.imports.preview.mutate(inputOf(plan, file.rows)),
    meta: { shownInForm: true },
  });
  const runMutation = useMutation({
    mutationFn: ({ plan, file, preview }: { plan: Plan; file: TableFile; preview: ImportOutput }) => {
      setDoneCount(0);
      return sendTable(inputOf(plan, file.rows), preview, setDoneCount);
    },
    meta: { shownInForm: true },
  });

  function openTable(next: TableFile): void {
    previewMutation.reset();
    runMutation.reset();
    setFile(next);
    setPlan(planOf(kind, next));
  }

  return {
    file,
    plan,
    preview: previewMutation.data ?? null,
    checking: previewMutation.isPending,
    checkError: previewMutation.error,
    result: runMutation.data ?? null,
    running: runMutation.isPending,
    runError: runMutation.error,
    doneCount,
    choose: (source: Source) => openTable(readTable(source, kind)),
    readAs: (hints: Partial<Pick<TableFile, "encoding" | "separator">>) => {
      if (file)
        openTable(readTable(file.source, kind, { encoding: file.encoding, separator: file.separator, ...hints }));
    },
    change: (next: Plan) => {
      previewMutation.reset();
      runMutation.reset();
      setPlan(next);
    },
    check: () => {
      if (!file || !plan) return;
      runMutation.reset();
      previewMutation.mutate({ plan, file });
    },
    start: () => {
      if (file && plan && previewMutation.data) runMutation.mutate({ plan, file, preview: previewMutation.data });
    },
    restart: () => {
      previewMutation.reset();
      runMutation.reset();
      setFile(null);
      setPlan(null);
    },
  };
}
export type Import = ReturnType<typeof useImport>;

/** Maximum number of guests per call, so that a call ends well within its time limit. */
const MAX_GUESTS_PER_CALL = 60;

/** Returns the indexes of rows to send together. Guests are sent in several parts, and each party stays in one part. */
function partsOf({ kind, rows }: ImportInput, { acts, parties }: ImportOutput): number[][] {
  const rowIndexes = rows.map((_, at) => at).filter((at) => acts[at] !== "error");
  if (kind !== "guests") return [rowIndexes];
  const rowsByParty = new Map<number, number[]>();
  for (const at of rowIndexes) {
    const party = parties[at] ?? at;
    rowsByParty.set(party, [...(rowsByParty.get(party) ?? []), at]);
  }
  const parts: number[][] = [];
  for (const party of rowsByParty.values()) {
    const last = parts.at(-1);
    if (last && last.length + party.length <= MAX_GUESTS_PER_CALL) last.push(...party);
    else parts.push([...party]);
  }
  return parts;
}

/**
 * Imports the rows that the preview accepted. Returns the result of every row of the table; rows with errors keep their
 * result from the preview.
 * @throws The server's error; `onDone` has then reported how many rows were imported.
 */
async function sendTable(
  input: ImportInput,
  preview: ImportOutput,
  onDone: (done: number) => void,
): Promise<ImportOutput> {
  const result: ImportOutput = { ...preview, acts: [...preview.acts], problems: [...preview.problems] };
  let done = 0;
  for (const part of partsOf(input, preview)) {
    const rows = part.map((at) => input.rows[at] ?? []);
    const answer = await api.imports.run.mutate({ ...input, rows, skipErrors: true });
    for (const [position, at] of part.entries()) result.acts[at] = answer.acts[position] ?? "error";
    result.problems.push(...answer.problems.map((problem) => ({ ...problem, row: part[problem.row] ?? 0 })));
    done += part.length;
    onDone(done);
  }
  return result;
}
