import { DomainError, type FieldMessage } from "@innkey/shared/errors";
import { fieldMessages } from "@innkey/shared/field-messages";
import type { ImportColumn } from "@innkey/shared/imports/columns";
import type {
  ImportAct,
  ImportInput,
  ImportOutput,
  ImportProblem,
  ImportRunInput,
} from "@innkey/shared/schemas/data/imports";
import type { z } from "zod";

/** Refuses a table with errors, unless rows with errors are to be skipped. @throws import_has_errors */
export function refuseErrors(table: Table, { skipErrors }: ImportRunInput): void {
  if (table.hasErrors && !skipErrors) throw new DomainError("import_has_errors");
}

/** Row of a table with its problems. */
export interface Row {
  index: number;
  /** Text of the cell; empty if the cell is empty or the column is missing. */
  cell(column: ImportColumn): string;
  problem(column: ImportColumn | null, message: FieldMessage): void;
  wrong(): boolean;
}

/** Table being imported: its rows, their problems and what happens to each row. */
export class Table {
  readonly rows: readonly Row[];
  readonly problems: ImportProblem[] = [];
  readonly acts: ImportAct[];
  readonly parties: number[];
  readonly newGroups = new Set<string>();
  readonly #wrong = new Set<number>();

  constructor(readonly input: ImportInput) {
    const columns = new Map(input.mapping.flatMap((column, at) => (column ? [[column, at] as const] : [])));
    this.acts = input.rows.map(() => "skip");
    this.parties = input.rows.map((_, index) => index);
    this.rows = input.rows.map((cells, index) => ({
      index,
      cell: (column) => cells[columns.get(column) ?? -1]?.trim() ?? "",
      problem: (column, message) => this.problem(index, column, message),
      wrong: () => this.#wrong.has(index),
    }));
  }

  problem(row: number, column: ImportColumn | null, { key, params }: FieldMessage): void {
    this.#wrong.add(row);
    this.acts[row] = "error";
    this.problems.push({ row, column, key, params });
  }

  get hasErrors(): boolean {
    return this.#wrong.size > 0;
  }

  /** Checks whether any row has a value in one of these columns. */
  says(columns: readonly ImportColumn[]): boolean {
    const columnsPresent = columns.filter((column) => this.input.mapping.includes(column));
    return (
      columnsPresent.length > 0 && this.rows.some((row) => columnsPresent.some((column) => row.cell(column) !== ""))
    );
  }

  output(): ImportOutput {
    const { acts, parties } = this;
    const problems = this.problems.toSorted((a, b) => a.row - b.row);
    return { acts, problems, newGroups: [...this.newGroups], parties };
  }

  counts(): Partial<Record<ImportAct, number>> {
    const counts: Partial<Record<ImportAct, number>> = {};
    for (const act of this.acts) counts[act] = (counts[act] ?? 0) + 1;
    return counts;
  }
}

/**
 * Parses the row with `schema`. On errors returns null and records one problem for each path, under the column that
 * `columnOf` returns for it.
 */
export function checked<S extends z.ZodType>(
  row: Row,
  schema: S,
  value: z.input<S>,
  columnOf: (path: string) => ImportColumn | null,
): z.output<S> | null {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const [path, message] of Object.entries(fieldMessages(result.error.issues)))
    row.problem(columnOf(path), message);
  return null;
}
