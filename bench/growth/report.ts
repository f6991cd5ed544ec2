import { rewrite, writePicture } from "../measuring/pages.ts";
import type { Growth } from "./grow.ts";
import type { ManyHotels } from "./many-hotels.ts";
import type { Measured } from "./measured.ts";
import type { TableCost } from "./partitions.ts";
import { plotOf } from "./plot.ts";
import { AXES, AXIS_NAMES, type Axis } from "./sizes.ts";
import { linesOf, type Verdict, verdictOf } from "./verdict.ts";

const formatMs = (ms: number): string => (ms < 10 ? ms.toFixed(1) : formatWhole(ms));
const formatWhole = (value: number): string => Math.round(value).toLocaleString("en");

function table(head: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  const ruler = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [head, ruler, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Formats the medians of an axis, with p99 at the largest size and each operation's growth over the last step. */
function costsOf(measured: readonly Measured[], axis: Axis): string {
  const lines = linesOf(measured, axis);
  const sizes = [...new Set(lines.flat().map(({ size }) => size))].toSorted((a, b) => a - b);
  return table(
    [
      `median ms by ${AXES[axis].title}`,
      ...sizes.map((size) => size.toLocaleString("en")),
      "p99",
      "grows as",
      "may be",
    ],
    lines.map((line) => [
      line[0]?.operation,
      ...sizes.map((size) => formatMs(line.find((point) => point.size === size)?.p50Ms ?? Number.NaN)),
      formatMs(line.at(-1)?.p99Ms ?? Number.NaN),
      ...verdictCells(verdictOf(line)),
    ]),
  );
}

function verdictCells(verdict: Verdict | null): [string, string] {
  if (!verdict) return ["", ""];
  const allowance = verdict.bound < 1 ? "flat" : "in proportion";
  return [`n^${verdict.exponent.toFixed(2)}`, verdict.isAllowed ? allowance : `**${allowance}: fails**`];
}

const manyOf = (many: readonly ManyHotels[]): string =>
  table(
    [
      "hotels of 50 rooms, 8 desks at once",
      "check-ins and -outs/s",
      "boards built/s",
      "server MB before",
      "after all were seen",
      "database MB",
    ],
    many.map((one) => [
      formatWhole(one.hotels),
      formatWhole(one.writesPerSecond),
      formatWhole(one.boardsPerSecond),
      formatWhole(one.memoryMb.before),
      formatWhole(one.memoryMb.after),
      formatWhole(one.databaseMb),
    ]),
  );

const tablesOf = (tables: readonly TableCost[]): string =>
  table(
    [
      "unlock records",
      "rows",
      "MB",
      "1,000 new, ms",
      "1,000 repeated, ms",
      "newest 20, ms",
      "oldest month goes, ms",
      "rows of it",
      "vacuum, ms",
    ],
    tables.map((one) => [
      one.title,
      formatWhole(one.rows),
      formatWhole(one.sizeMb),
      formatMs(one.insertMs),
      formatMs(one.repeatMs),
      one.newestMs.toFixed(2),
      formatWhole(one.dropMs),
      formatWhole(one.dropped),
      formatWhole(one.vacuumMs),
    ]),
  );

const axesOf = (measured: readonly Measured[]): Axis[] =>
  AXIS_NAMES.filter((axis) => measured.some((point) => point.axis === axis));

export function reportText({ measured, many, tables }: Growth): string {
  const parts = axesOf(measured).map((axis) => costsOf(measured, axis));
  if (many.length > 0) parts.push(manyOf(many));
  if (tables.length > 0) parts.push(tablesOf(tables));
  return `\n${parts.join("\n\n")}\n`;
}

/** Returns the operations that grow although they should not. */
export function failuresOf(measured: readonly Measured[]): string[] {
  return axesOf(measured)
    .flatMap((axis) => linesOf(measured, axis))
    .flatMap((line) =>
      verdictOf(line)?.isAllowed === false ? [`${line[0]?.operation} grows with ${line[0]?.axis}`] : [],
    );
}

/** Writes the blocks of docs/operators/performance.md and the pictures beside it. The same run always gives the same output. */
export async function write({ measured, many, tables }: Growth, machine: string): Promise<void> {
  for (const axis of axesOf(measured)) {
    await writePicture(`growth-${axis}.svg`, plotOf(linesOf(measured, axis), axis));
    const picture = `![Median milliseconds by ${AXES[axis].title}](growth-${axis}.svg)`;
    await rewrite("performance.md", `growth ${axis}`, `${picture}\n\n${machine}.\n\n${costsOf(measured, axis)}`);
  }
  if (many.length > 0) await rewrite("performance.md", "growth many", manyOf(many));
  if (tables.length > 0) await rewrite("performance.md", "growth tables", tablesOf(tables));
}
