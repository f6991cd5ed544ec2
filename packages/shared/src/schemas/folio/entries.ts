import { z } from "zod";
import { FolioEntryType, PaymentChannel } from "../../enums.ts";
import { LANGUAGES, type LanguageCode } from "../../languages.ts";
import * as f from "../fields.ts";
import { entryRow } from "../stays/stays.ts";

const positive = f.amountMinor.min(1, f.v.amount);

export const payInput = z.object({
  stayId: f.id,
  amountMinor: positive,
  channel: PaymentChannel,
  note: f.text(200).default(""),
});
export const refundInput = z.object({
  entryId: f.id,
  amountMinor: positive,
  /** null: the unpaid amount is only written off, nothing is paid back */
  channel: PaymentChannel.nullable(),
  note: f.text(200).default(""),
});
/** Pays out what the hotel owes a guest, for example after a move to a cheaper room or a shortened stay. */
export const payOutCreditInput = z.object({
  stayId: f.id,
  /** at most the guest's credit */
  amountMinor: positive,
  channel: PaymentChannel,
  note: f.text(200).default(""),
});
export const entryDone = z.object({ entryId: z.int(), owedMinor: z.int(), depositHeldMinor: z.int() });

export const entryListInput = z.object({
  /** one type, or several */
  type: z.union([FolioEntryType, z.array(FolioEntryType).min(1).max(FolioEntryType.options.length)]).optional(),
  from: f.instant.optional(),
  to: f.instant.optional(),
  ...f.page,
});
export const entryListOutput = z.object({
  rows: z.array(
    entryRow.omit({ lines: true }).extend({
      stayId: z.int().nullable(),
      stayGuestId: z.int().nullable(),
      roomName: z.string().nullable(),
      guestName: z.string().nullable(),
      /** masked account that a withdrawal went to */
      destination: z.string(),
    }),
  ),
  total: z.int(),
  /** totals of all rows that match, not only of this page */
  totals: z.object({
    chargedMinor: z.int(),
    channels: z.array(z.object({ channel: PaymentChannel, takenMinor: z.int(), returnedMinor: z.int() })),
  }),
});

const codes = LANGUAGES.map(({ code }) => code);

/** Query of a receipt's address: /api/receipts/<stay>.pdf?language=<storage code>. Defaults to the guest's language. */
export const receiptQuery = z.object({
  language: z
    .string()
    .refine((code): code is LanguageCode => codes.some((supported) => supported === code), f.v.choice)
    .optional(),
});
