import { EXPORT_FORMATS, EXPORT_LISTS, type ExportListName } from "@innkey/shared/exports";
import { exportInput } from "@innkey/shared/schemas/exports";
import * as f from "@innkey/shared/schemas/fields";
import { z } from "zod";

const page = exportInput.shape.page.unwrap().unwrap();

/** What the dialog asks; the rest of an export is what the screen shows. */
export const exportForm = z.object({
  rows: z.enum(["all", "page"]),
  ...page.shape,
  columns: z.array(z.string()).min(1, f.v.required),
  fileName: f.text(120),
  format: z.enum(EXPORT_FORMATS),
});
export type ExportForm = z.input<typeof exportForm>;

const keyOf = (list: ExportListName): string => `export-columns:${list}`;

/** All columns of a list, in the vocabulary's order. */
export const columnsOf = (list: ExportListName): string[] => Object.keys(EXPORT_LISTS[list].columns);

/** The columns chosen last in this browser, else all. */
export function rememberedColumns(list: ExportListName): string[] {
  const all = columnsOf(list);
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? "null");
    const columns = Array.isArray(saved) ? all.filter((name) => saved.includes(name)) : [];
    if (!Array.isArray(saved) || columns.length === 0) return all;
    return columns.sort((a, b) => saved.indexOf(a) - saved.indexOf(b));
  } catch {
    return all;
  }
}

export function rememberColumns(list: ExportListName, columns: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(list), JSON.stringify(columns));
  } catch {
    // Without storage all are offered again next time.
  }
}
