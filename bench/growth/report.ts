import type { BenchResult, Row } from "../measuring/result.ts";
import { type Block, formatDecimals, formatMs, formatWhole, markdownTable, rowsOf } from "../page/markdown.ts";
import type { Growth } from "./grow.ts";
import type { Measured } from "./measured.ts";
import type { Follows } from "./operations.ts";
import { plotOf } from "./plot.ts";
import { AXES, AXIS_NAMES, type Axis } from "./sizes.ts";
import { linesOf, type Verdict, verdictOf } from "./verdict.ts";

/** Returns the rows of a run's result. The table of an operation's cost is its axis. */
export function rowsOfGrowth({ measured, many, tables }: Growth): Row[] {
  return [
    ...measured.map(({ axis, ...cost }): Row => ({ table: axis, ...cost })),
    ...many.map(
      ({ memoryMb, ...one }): Row => ({
        table: "many",
        ...one,
        serverMbBefore: memoryMb.before,
        serverMbAfter: memoryMb.after,
      }),
    ),
    ...tables.map((one): Row => ({ table: "tables", ...one })),
  ];
}

export const measuredOf = ({ rows }: BenchResult): Measured[] =>
  AXIS_NAMES.flatMap((axis) =>
    rowsOf(rows, axis).map((row) => ({
      axis,
      size: Number(row.size),
      operation: String(row.operation),
      follows: row.follows as Follows,
      p50Ms: Number(row.p50Ms),
      p99Ms: Number(row.p99Ms),
      calls: Number(row.calls),
    })),
  );

/**
 * Writes the medians of an axis, with p99 at the largest size and each operation's growth over the last step, below
 * their picture.
 */
export const axisBlock =
  (axis: Axis): Block =>
  (result) => {
    const lines = linesOf(measuredOf(result), axis);
    if (lines.length === 0) return "";
    const sizes = [...new Set(lines.flat().map(({ size }) => size))].toSorted((a, b) => a - b);
    const costs = markdownTable(
      [`median ms by ${AXES[axis]}`, ...sizes.map(formatWhole), "p99", "grows as", "may be"],
      lines.map((line) => [
        line[0]?.operation ?? "",
        ...sizes.map((size) => formatMs(line.find((point) => point.size === size)?.p50Ms)),
        formatMs(line.at(-1)?.p99Ms),
        ...verdictCells(verdictOf(line)),
      ]),
    );
    return `![Median milliseconds by ${AXES[axis]}](${pictureName(axis)})\n\n${costs}`;
  };

function verdictCells(verdict: Verdict | null): [string, string] {
  if (!verdict) return ["", ""];
  const allowance = verdict.bound < 1 ? "flat" : "in proportion";
  return [`n^${verdict.exponent.toFixed(2)}`, verdict.isAllowed ? allowance : `**${allowance}: fails**`];
}

export const manyHotelsBlock: Block = ({ rows, parameters }) =>
  markdownTable(
    [
      `hotels of ${parameters.roomsOfHotel} rooms, up to 8 desks at once`,
      "check-ins and -outs/s",
      "boards built/s",
      "server MB before",
      "after all were seen",
      "database MB",
    ],
    rowsOf(rows, "many").map((row) =>
      [row.hotels, row.writesPerSecond, row.boardsPerSecond, row.serverMbBefore, row.serverMbAfter, row.databaseMb].map(
        formatWhole,
      ),
    ),
  );

export const recordTablesBlock: Block = ({ rows }) =>
  markdownTable(
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
    rowsOf(rows, "tables").map((row) => [
      String(row.title),
      formatWhole(row.rows),
      formatWhole(row.sizeMb),
      formatMs(row.insertMs),
      formatMs(row.repeatMs),
      formatDecimals(row.newestMs, 2),
      formatWhole(row.dropMs),
      formatWhole(row.dropped),
      formatWhole(row.vacuumMs),
    ]),
  );

/** Returns the operations that grow although they should not. */
export function failuresOf(measured: readonly Measured[]): string[] {
  return AXIS_NAMES.flatMap((axis) => linesOf(measured, axis)).flatMap((line) =>
    verdictOf(line)?.isAllowed === false ? [`${line[0]?.operation} grows with ${line[0]?.axis}`] : [],
  );
}

/** Draws a picture for each axis, by the name of its file. The same result always gives the same pictures. */
export function picturesOf(result: BenchResult): Map<string, string> {
  const measured = measuredOf(result);
  const axes = AXIS_NAMES.filter((axis) => measured.some((point) => point.axis === axis));
  return new Map(axes.map((axis) => [pictureName(axis), plotOf(linesOf(measured, axis), axis)]));
}

const pictureName = (axis: Axis): string => `growth-${axis}.svg`;
