import type { ImportKind } from "@innkey/shared/imports/columns";
import type { ImportOutput } from "@innkey/shared/schemas/imports";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { refreshEverything } from "@/lib/refresh.ts";
import { api } from "@/lib/trpc.ts";
import { sendTable } from "./send-table.ts";
import { inputOf, type Plan, planOf, readTable, type Source, type TableFile } from "./table-file.ts";

/** The way of a table from a file to the house. What is changed in an earlier step takes back the later ones. */
export function useImport(kind: ImportKind) {
  const [file, setFile] = useState<TableFile | null>(null);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [done, setDone] = useState(0);

  const preview = useMutation({
    mutationFn: ({ plan, file }: { plan: Plan; file: TableFile }) =>
      api.imports.preview.mutate(inputOf(plan, file.rows)),
    meta: { shownInForm: true },
  });
  const run = useMutation({
    mutationFn: ({ plan, file, seen }: { plan: Plan; file: TableFile; seen: ImportOutput }) => {
      setDone(0);
      return sendTable(inputOf(plan, file.rows), seen, setDone);
    },
    meta: { shownInForm: true },
    onSettled: refreshEverything,
  });

  function take(next: TableFile): void {
    preview.reset();
    run.reset();
    setFile(next);
    setPlan(planOf(kind, next));
  }

  return {
    file,
    plan,
    seen: preview.data ?? null,
    checking: preview.isPending,
    checkError: preview.error,
    result: run.data ?? null,
    running: run.isPending,
    runError: run.error,
    done,
    choose: (source: Source) => take(readTable(source, kind)),
    readAs: (told: Partial<Pick<TableFile, "encoding" | "separator">>) => {
      if (file) take(readTable(file.source, kind, { encoding: file.encoding, separator: file.separator, ...told }));
    },
    change: (next: Plan) => {
      preview.reset();
      run.reset();
      setPlan(next);
    },
    check: () => {
      if (!file || !plan) return;
      run.reset();
      preview.mutate({ plan, file });
    },
    start: () => {
      if (file && plan && preview.data) run.mutate({ plan, file, seen: preview.data });
    },
    again: () => {
      preview.reset();
      run.reset();
      setFile(null);
      setPlan(null);
    },
  };
}
export type Import = ReturnType<typeof useImport>;
