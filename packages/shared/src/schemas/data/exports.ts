import { z } from "zod";
import { ERROR_CODES } from "../../errors.ts";
import { EXPORT_FORMATS, EXPORT_STATES } from "../../exports.ts";
import { LIST_NAMES, type ListName } from "../../lists.ts";
import { cardReaderListInput } from "../access/card-readers.ts";
import { cardsInput } from "../access/cards.ts";
import { facesInput } from "../access/faces.ts";
import { passcodesInput } from "../access/passcodes.ts";
import { hotelRecordsInput } from "../access/unlocks.ts";
import * as f from "../fields.ts";
import { entryListInput } from "../folio/entries.ts";
import { alertsInput } from "../messaging/alerts.ts";
import { breakfastInput } from "../stays/breakfast.ts";
import { customerListInput } from "../stays/customers.ts";
import { historyInput } from "../stays/history.ts";
import { guestListInput } from "../stays/stays.ts";

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
