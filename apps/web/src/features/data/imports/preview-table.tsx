import { IMPORT_ACTS, type ImportAct, type ImportOutput, type ImportProblem } from "@innkey/shared/schemas/data";
import { CircleMinus, CirclePlus, Pencil } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import { STATUS_ICONS, StatusChip } from "@/ui/status-chip.tsx";
import { COLUMN_LABELS } from "./column-labels.ts";
import { type Plan, saveCsv, type TableFile } from "./table-file.ts";

const STYLES = {
  create: { tone: "success", icon: CirclePlus, key: "imports.act.create" },
  update: { tone: "info", icon: Pencil, key: "imports.act.update" },
  skip: { tone: "neutral", icon: CircleMinus, key: "imports.act.skip" },
  checkIn: { tone: "checkedIn", icon: STATUS_ICONS.checkedIn, key: "room.state.in" },
  reserve: { tone: "reserved", icon: STATUS_ICONS.reserved, key: "room.state.reserved" },
  error: { tone: "danger", icon: STATUS_ICONS.danger, key: "imports.act.error" },
} as const;

/** Shows what the import does with a row. */
function ActChip({ act }: { act: ImportAct }) {
  const { tone, icon, key } = STYLES[act];
  return (
    <StatusChip tone={tone} icon={icon} size="sm">
      {t(key)}
    </StatusChip>
  );
}

/** Shows how many rows get each kind of import result. */
export function ActCounts({ acts }: { acts: ImportOutput["acts"] }) {
  const counts = IMPORT_ACTS.map((act) => ({ act, count: acts.filter((rowAct) => rowAct === act).length }));
  return (
    <ul className="flex flex-wrap gap-2">
      {counts
        .filter(({ count }) => count > 0)
        .map(({ act, count }) => (
          <li key={act}>
            <StatusChip tone={STYLES[act].tone} icon={STYLES[act].icon}>
              {t(STYLES[act].key)} · <span className="tabular-nums">{formatNumber(count)}</span>
            </StatusChip>
          </li>
        ))}
    </ul>
  );
}

/** Groups problems by row index. */
function problemsByRow(problems: readonly ImportProblem[]): Map<number, ImportProblem[]> {
  const rows = new Map<number, ImportProblem[]>();
  for (const problem of problems) rows.set(problem.row, [...(rows.get(problem.row) ?? []), problem]);
  return rows;
}

const MAX_ROWS = 50;
/** The headings are the first line of the file, so the data start at line 2. */
const FIRST_LINE = 2;

type PreviewTableProps = { file: TableFile; plan: Plan; outcome: ImportOutput; onlyErrors: boolean };

/** Shows the rows as read, what the import does with each, and which cells have errors. */
export function PreviewTable({ file, plan, outcome, onlyErrors }: PreviewTableProps) {
  const labels = COLUMN_LABELS[plan.kind];
  const columns = plan.mapping.flatMap((column, at) => (column ? [{ column, at }] : []));
  const visibleRows = file.rows
    .map((cells, index) => ({ cells, index }))
    .filter(({ index }) => !onlyErrors || outcome.acts[index] === "error");
  const problems = problemsByRow(outcome.problems);

  return (
    <>
      <section
        className="scroll-quiet overflow-x-auto border-t"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard, too
        tabIndex={0}
        aria-label={t("imports.preview")}
      >
        <Table>
          <TableHeader>
            <TableRow>
              <TableHead>{t("imports.row")}</TableHead>
              <TableHead>{t("imports.preview")}</TableHead>
              {columns.map(({ column }) => (
                <TableHead key={column}>{labels[column] && t(labels[column])}</TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {visibleRows.slice(0, MAX_ROWS).map(({ cells, index }) => {
              const rowProblems = problems.get(index) ?? [];
              return (
                <TableRow key={index} className={cn(rowProblems.length > 0 && "bg-danger-soft/40")}>
                  <TableCell className="text-muted-foreground tabular-nums">
                    {formatNumber(index + FIRST_LINE)}
                  </TableCell>
                  <TableCell>
                    <ActChip act={outcome.acts[index] ?? "error"} />
                    <ProblemTexts
                      problems={rowProblems.filter(({ column }) => column === null || !plan.mapping.includes(column))}
                      plan={plan}
                    />
                  </TableCell>
                  {columns.map(({ column, at }) => (
                    <TableCell key={column} className="max-w-56">
                      <span dir="auto" className="block truncate">
                        {cells[at] || <span className="text-faint-foreground">–</span>}
                      </span>
                      <ProblemTexts problems={rowProblems.filter((problem) => problem.column === column)} />
                    </TableCell>
                  ))}
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      </section>
      {visibleRows.length > MAX_ROWS && (
        <p className="px-5 pt-3 text-sm text-muted-foreground">
          {t("imports.firstRows", { shown: formatNumber(MAX_ROWS), total: formatNumber(visibleRows.length) })}
        </p>
      )}
    </>
  );
}

/** Shows the problems of a cell or row. With `plan`, each names its column, because the file has no such column. */
function ProblemTexts({ problems, plan }: { problems: readonly ImportProblem[]; plan?: Plan }) {
  return problems.map((problem) => (
    <span
      key={`${problem.column}${problem.key}`}
      className="block min-w-40 text-sm font-medium text-pretty text-danger"
    >
      {problemText(problem, plan)}
    </span>
  ));
}

/** Returns the text of a problem. With `plan`, the column's name comes first. */
function problemText({ column, key, params }: ImportProblem, plan?: Plan): string {
  const label = column && plan ? COLUMN_LABELS[plan.kind][column] : undefined;
  return label ? `${textOf(label)}: ${textOf(key, params)}` : textOf(key, params);
}

/** Saves the rows with errors unchanged, and adds a column that describes the errors. */
export function saveErrorRows(file: TableFile, plan: Plan, { acts, problems }: ImportOutput): void {
  const byRow = problemsByRow(problems);
  const width = file.headings.length;
  const rows = file.rows.flatMap((cells, at) => {
    if (acts[at] !== "error") return [];
    const paddedCells = Array.from({ length: width }, (_, index) => cells[index] ?? "");
    return [[...paddedCells, (byRow.get(at) ?? []).map((problem) => problemText(problem, plan)).join("; ")]];
  });
  const name = `${t(`nav.${plan.kind}`)} – ${t("imports.whatIsWrong")}`;
  saveCsv(name, [[...file.headings, t("imports.whatIsWrong")], ...rows], file.separator);
}
