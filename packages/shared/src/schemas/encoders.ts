import { z } from "zod";
import * as f from "./fields.ts";

/** Card readers at the hotel's desks ("encoders"), and who uses them. */
export const EncoderType = z.literal([1, 2, 3]);

/** Number as the device reports it: printable ASCII, in any case. */
export const deviceNo = f
  .requiredText(64)
  .regex(/^[ -~]*$/, f.v.unknown)
  .transform((number) => number.toUpperCase());

export const encoderInput = z.object({
  id: f.id.optional(),
  deviceNo,
  name: f.requiredText(80),
  type: EncoderType,
  note: f.text(500).default(""),
});
export type EncoderInput = z.output<typeof encoderInput>;
export const encoderRef = z.object({ id: z.int() });
export const encoderIdInput = z.object({ id: f.id });

/** Person who works with a card reader: an operator of this hotel, or a customer. */
export const encoderHolder = z.object({ kind: z.enum(["operator", "customer"]), id: f.id });
export type EncoderHolder = z.infer<typeof encoderHolder>;

export const bindEncoderInput = z.object({
  id: f.id,
  holder: encoderHolder,
  /** previous holder of the reader, as the caller last saw it */
  replaces: encoderHolder.nullable().default(null),
});
export type BindEncoderInput = z.output<typeof bindEncoderInput>;

export const encoderRow = encoderInput.extend({
  id: z.int(),
  deviceNo: z.string(),
  holder: encoderHolder.extend({ name: z.string() }).nullable(),
  /** a desk reported it less than two minutes ago */
  online: z.boolean(),
  lastSeenAt: z.string().nullable(),
  createdAt: z.string(),
});
export type EncoderRow = z.infer<typeof encoderRow>;
export const encoderListInput = z.object({
  keyword: f.text(100).default(""),
  bound: z.boolean().optional(),
  ...f.page,
});
export const encoderListOutput = z.object({ rows: z.array(encoderRow), total: z.int() });

export const encoderNumberInput = z.object({ deviceNo });
export const encoderStatus = z.object({ online: z.boolean(), lastSeenAt: z.string().nullable(), bound: z.boolean() });

export const encoderPresenceInput = z.object({ deviceNo, type: EncoderType });
export const encoderPresence = z.object({ known: z.boolean() });
