import { z } from "zod";
import { DATE_ORDERS } from "../../imports/cells.ts";
import {
  IMPORT_COLUMNS,
  IMPORT_KINDS,
  type ImportColumn,
  MAX_IMPORT_CELL,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from "../../imports/columns.ts";
import * as f from "../fields.ts";

const COLUMNS = [...new Set(Object.values(IMPORT_COLUMNS).flat())] as [ImportColumn, ...ImportColumn[]];

/** A table without its header row; `mapping` names the target of each column, null: left out. */
export const importInput = z
  .object({
    kind: z.enum(IMPORT_KINDS),
    rows: z
      .array(z.array(z.string().max(MAX_IMPORT_CELL, f.v.tooLong)).max(MAX_IMPORT_COLUMNS))
      .min(1, f.v.required)
      .max(MAX_IMPORT_ROWS),
    mapping: z.array(z.enum(COLUMNS).nullable()).min(1, f.v.required).max(MAX_IMPORT_COLUMNS),
    /** how 2/3/2026 is to be read */
    dateOrder: z.enum(DATE_ORDERS).default("auto"),
    /** what to do with rooms that already exist */
    existing: z.enum(["skip", "update"]).default("skip"),
  })
  .superRefine(({ kind, mapping }, ctx) => {
    const allowed: readonly string[] = IMPORT_COLUMNS[kind];
    mapping.forEach((column, at) => {
      if (column !== null && (!allowed.includes(column) || mapping.indexOf(column) !== at))
        ctx.addIssue({ code: "custom", message: f.v.unknown, path: ["mapping", at] });
    });
    if (!mapping.includes("name")) ctx.addIssue({ code: "custom", message: f.v.required, path: ["mapping"] });
  });
export type ImportInput = z.output<typeof importInput>;

/** `skipErrors`: leaves out rows with errors; otherwise one such row refuses the whole import. */
export const importRunInput = importInput.safeExtend({ skipErrors: z.boolean().default(false) });
export type ImportRunInput = z.output<typeof importRunInput>;

export const IMPORT_ACTS = ["create", "update", "skip", "checkIn", "reserve", "error"] as const;
export type ImportAct = (typeof IMPORT_ACTS)[number];

export const importProblem = z.object({
  /** row index, from 0, as in the input */
  row: z.int(),
  /** null: the issue concerns the whole row */
  column: z.enum(COLUMNS).nullable(),
  /** locale key */
  key: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type ImportProblem = z.infer<typeof importProblem>;

/** Result of each row, as a preview or after the import. */
export const importOutput = z.object({
  acts: z.array(z.enum(IMPORT_ACTS)),
  problems: z.array(importProblem),
  /** names of groups in the table that do not exist yet */
  newGroups: z.array(z.string()),
  /** party number of each row; rows with the same number are imported together or not at all */
  parties: z.array(z.int()),
});
export type ImportOutput = z.infer<typeof importOutput>;
