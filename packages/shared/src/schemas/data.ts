import { z } from "zod";
import { ERROR_CODES } from "../errors.ts";
import { EXPORT_FORMATS, EXPORT_STATES } from "../exports.ts";
import { DATE_ORDERS } from "../imports/cells.ts";
import {
  IMPORT_COLUMNS,
  IMPORT_KINDS,
  type ImportColumn,
  MAX_IMPORT_CELL,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from "../imports/columns.ts";
import { LIST_NAMES, type ListName } from "../lists.ts";
import { cardReaderListInput } from "./access/card-readers.ts";
import { cardsInput } from "./access/cards.ts";
import { facesInput } from "./access/faces.ts";
import { passcodesInput } from "./access/passcodes.ts";
import { hotelRecordsInput } from "./access/unlocks.ts";
import * as f from "./fields.ts";
import { entryListInput } from "./folio.ts";
import { alertsInput } from "./messaging.ts";
import { occupancyInput } from "./overview/occupancy.ts";
import { breakfastInput } from "./stays/breakfast.ts";
import { customerListInput } from "./stays/customers.ts";
import { historyInput } from "./stays/history.ts";
import { guestListInput } from "./stays/stays.ts";

const paging = { page: true, pageSize: true } as const;
/** For lists that the browser filters and sorts itself: the ids of the rows it shows, in its order. */
const visibleIds = z.object({ ids: z.array(f.id).max(5000).optional() });

/** Filters of each list: the input of its screen, without the page. */
export const EXPORT_FILTERS = {
  rooms: visibleIds,
  guests: guestListInput.omit(paging),
  history: historyInput.omit({ cursor: true, limit: true }),
  customers: customerListInput.omit(paging),
  folio: entryListInput.omit(paging),
  cards: cardsInput.omit(paging),
  passcodes: passcodesInput.omit(paging),
  faces: facesInput.omit(paging),
  locks: visibleIds,
  unlocks: hotelRecordsInput
    .omit({ cursor: true, limit: true })
    .extend({ roomId: f.id.optional(), stayGuestId: f.id.optional(), lockId: f.id.optional() }),
  alerts: alertsInput.omit(paging),
  staff: visibleIds,
  cardReaders: cardReaderListInput.omit(paging),
  audit: z.object({}),
  breakfast: breakfastInput,
  occupancy: occupancyInput,
} as const satisfies Record<ListName, z.ZodType>;
export type ExportFilters<List extends ListName> = z.output<(typeof EXPORT_FILTERS)[List]>;

/** Exports a list as a file. `filters` are checked against the list's filter schema, `columns` against its columns. */
export const exportInput = z.object({
  list: z.enum(LIST_NAMES),
  filters: z.record(z.string().max(40), z.unknown()).default({}),
  /** in the order of the file's columns */
  columns: z.array(z.string().max(40)).min(1, f.v.required).max(40),
  /** null: all rows that match */
  page: z
    .object({
      page: z.int({ error: f.v.integer }).min(1, f.v.integer).max(1_000_000, f.v.integer),
      pageSize: z.int({ error: f.v.integer }).min(1, f.v.integer).max(100_000, f.v.integer),
    })
    .nullable()
    .default(null),
  fileName: f.text(120).default(""),
  format: z.enum(EXPORT_FORMATS),
});
export type ExportInput = z.output<typeof exportInput>;

export const exportRef = z.object({ exportId: f.uuid });
export const exportRow = z.object({
  id: z.string(),
  list: z.enum(LIST_NAMES),
  format: z.enum(EXPORT_FORMATS),
  fileName: z.string(),
  state: z.enum(EXPORT_STATES),
  rowsDone: z.int(),
  rowsTotal: z.int().nullable(),
  sizeBytes: z.number().nullable(),
  /** why it failed, or ""; a newer server may have stored a code that this one lacks */
  error: z.enum(ERROR_CODES).or(z.literal("")).catch("internal"),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
});
export type ExportRow = z.infer<typeof exportRow>;
export const exportRows = z.array(exportRow);

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
