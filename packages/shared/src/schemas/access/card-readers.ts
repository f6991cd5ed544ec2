import { z } from "zod";
import * as f from "../fields.ts";

/** Card readers at the hotel's desks ("cardReaders"), and who uses them. */
export const CardReaderType = z.literal([1, 2, 3]);

/** Number as the device reports it: printable ASCII, in any case. */
export const deviceNo = f
  .requiredText(64)
  .regex(/^[ -~]*$/, f.v.unknown)
  .transform((number) => number.toUpperCase());

export const cardReaderInput = z.object({
  id: f.id.optional(),
  deviceNo,
  name: f.requiredText(80),
  type: CardReaderType,
  note: f.text(500).default(""),
});
export type CardReaderInput = z.output<typeof cardReaderInput>;
export const cardReaderRef = z.object({ id: z.int() });
export const cardReaderIdInput = z.object({ id: f.id });

/** Person who may use a card reader: an operator of this hotel, or a customer. */
export const cardReaderHolder = z.object({ kind: z.enum(["operator", "customer"]), id: f.id });
export type CardReaderHolder = z.infer<typeof cardReaderHolder>;

/** Adds a person to those who may use a reader, or removes one. */
export const bindCardReaderInput = z.object({ id: f.id, holder: cardReaderHolder });
export type BindCardReaderInput = z.output<typeof bindCardReaderInput>;

export const cardReaderRow = cardReaderInput.extend({
  id: z.int(),
  deviceNo: z.string(),
  /**
   * who may use it, in the order in which they were added; nobody: everybody may. A customer whom the caller may not
   * see has no name.
   */
  holders: z.array(cardReaderHolder.extend({ name: z.string() })),
  /** a desk reported it less than two minutes ago */
  online: z.boolean(),
  lastSeenAt: z.string().nullable(),
  createdAt: z.string(),
});
export type CardReaderRow = z.infer<typeof cardReaderRow>;
export const cardReaderListInput = z.object({
  keyword: f.text(100).default(""),
  bound: z.boolean().optional(),
  ...f.page,
});
export const cardReaderListOutput = z.object({ rows: z.array(cardReaderRow), total: z.int() });

export const cardReaderNumberInput = z.object({ deviceNo });
export const cardReaderStatus = z.object({
  online: z.boolean(),
  lastSeenAt: z.string().nullable(),
  bound: z.boolean(),
});

export const cardReaderPresenceInput = z.object({ deviceNo, type: CardReaderType });
export const cardReaderPresence = z.object({
  known: z.boolean(),
  /** whether the caller may read and write cards with it */
  allowed: z.boolean(),
  /** names of those who may, if the caller may not */
  holders: z.array(z.string()),
});
/** Number of the reader at the desk with which a client reads or writes a card; readers without a number: undefined. */
export const usedReader = deviceNo.optional();
