import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { resultText } from "../page/tables.ts";
import { type FlagPlan, type Flags, readFlags, type Sizes } from "./flags.ts";
import { RESULTS, TRIALS } from "./folders.ts";
import { currentCommit, describeMachine } from "./machine.ts";
import { type BenchResult, checkResult, type Parameter, type Row } from "./result.ts";

/** A run of a bench: what its command line says, and a place for its result. */
export interface Bench<S extends Sizes> extends Flags<S> {
  /** Writes the rows to the result's file and prints their tables. `parameters` come in addition to the sizes. */
  finish(rows: readonly Row[], parameters?: Record<string, Parameter>): Promise<BenchResult>;
}

/**
 * Begins a run. Its result goes to bench/results/<name>.json if it is a full run, else to .tmp/bench/<name>.json, or to
 * the file of `--json=<file>`.
 */
export function openBench<S extends Sizes>(name: string, plan: FlagPlan<S>): Bench<S> {
  const flags = readFlagsOrExit(name, plan);
  const start = { date: new Date().toISOString(), machine: describeMachine(), commit: currentCommit() };
  return {
    ...flags,
    async finish(rows, parameters = {}) {
      const result: BenchResult = {
        ...{ bench: name, ...start, node: process.version, isTiny: flags.isTiny },
        parameters: { ...flags.sizes, ...parameters },
        rows: rows.map(roundRow),
      };
      checkResult(result);
      const file = flags.json ?? join(flags.isFull ? RESULTS : TRIALS, `${name}.json`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
      console.log(`\n${resultText(result)}\n\nWritten to ${file}`);
      return result;
    },
  };
}

/** Rounds numbers to thousandths, more than a measurement can tell. */
const roundRow = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
    ]),
  ) as Row;

function readFlagsOrExit<S extends Sizes>(name: string, plan: FlagPlan<S>): Flags<S> {
  try {
    return readFlags(process.argv.slice(2), plan);
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
