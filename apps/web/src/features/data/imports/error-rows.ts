import type { ImportOutput } from "@innkey/shared/schemas/imports";
import { t } from "@/lib/i18n.ts";
import { problemText } from "./preview-table.tsx";
import { problemsByRow } from "./problems-by-row.ts";
import { type Plan, saveCsv, type TableFile } from "./table-file.ts";

/** Saves the rows with errors unchanged, and adds a column that describes the errors. */
export function saveErrorRows(file: TableFile, plan: Plan, { acts, problems }: ImportOutput): void {
  const byRow = problemsByRow(problems);
  const width = file.headings.length;
  const rows = file.rows.flatMap((cells, at) => {
    if (acts[at] !== "error") return [];
    const filled = Array.from({ length: width }, (_, index) => cells[index] ?? "");
    return [[...filled, (byRow.get(at) ?? []).map((problem) => problemText(problem, plan)).join("; ")]];
  });
  const name = `${t(`nav.${plan.kind}`)} – ${t("imports.whatIsWrong")}`;
  saveCsv(name, [[...file.headings, t("imports.whatIsWrong")], ...rows], file.separator);
}
