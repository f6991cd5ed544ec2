import type { ImportProblem } from "@innkey/shared/schemas/imports";

/** Groups problems by row index. */
export function problemsByRow(problems: readonly ImportProblem[]): Map<number, ImportProblem[]> {
  const rows = new Map<number, ImportProblem[]>();
  for (const problem of problems) rows.set(problem.row, [...(rows.get(problem.row) ?? []), problem]);
  return rows;
}
