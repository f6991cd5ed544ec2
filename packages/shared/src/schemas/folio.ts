import { z } from "zod";
import { FolioEntryType, PaymentChannel } from "../enums.ts";
import { LANGUAGES, type LanguageCode } from "../languages.ts";
import { MAX_MINOR } from "../money.ts";
import { WITHDRAWAL_ACCOUNT_TYPES } from "../words.ts";
import * as f from "./fields.ts";
import { entryRow } from "./stays/stays.ts";

/** Amounts are minor units; sums over the hotel may exceed a PostgreSQL integer, never 2^53. */
const sum = z.int();
const positive = f.amountMinor.min(1, f.v.amount);

export const WithdrawalAccountType = z.enum(WITHDRAWAL_ACCOUNT_TYPES);

/** If the number were shorter, showing its last four characters would reveal most of it. */
const MIN_NUMBER = 6;

export const setAccountInput = z.object({
  type: WithdrawalAccountType,
  /** name of the account holder */
  name: f.requiredText(120),
  bank: f.text(120).default(""),
  /** null leaves the number unchanged */
  number: f.requiredText(64).min(MIN_NUMBER, f.v.unknown).nullable().default(null),
});

export const balanceOutput = z.object({
  /** sum over all channels */
  moneyMinor: sum,
  /** deposits that belong to guests */
  heldMinor: sum,
  /** amounts that guests paid beyond what they owe */
  creditsMinor: sum,
  /**
   * amount that may be withdrawn: the money minus what belongs to guests; negative if guests are owed more than there
   * is
   */
  availableMinor: sum,
  channels: z.array(z.object({ channel: PaymentChannel, amountMinor: sum })),
  account: z
    .object({
      type: WithdrawalAccountType,
      name: z.string(),
      bank: z.string(),
      /** last four characters of the number; the rest is never shown again */
      numberEnd: z.string(),
      updatedAt: z.string(),
    })
    .nullable(),
});
export type Balance = z.infer<typeof balanceOutput>;

export const statementInput = z.object({
  /** days of the date's month, or months of its year */
  span: z.enum(["day", "month"]),
  /** hotel-local; null: today */
  date: f.localDateField.nullable().default(null),
});
export const statementRow = z.object({
  /** the day, or the first day of the month */
  date: z.string(),
  /** charges of stays, minus what was written off */
  chargedMinor: sum,
  /** payments by guests, deposits included */
  taken: z.array(z.object({ channel: PaymentChannel, amountMinor: sum })),
  takenMinor: sum,
  /** refunds to guests, returned deposits included */
  returnedMinor: sum,
  depositsInMinor: sum,
  depositsOutMinor: sum,
  /** the hotel's own deposits, minus what it withdrew of them */
  rechargedMinor: sum,
  withdrawnMinor: sum,
  /** sum over all channels at the end of the period */
  closingMinor: sum,
});
export const statementOutput = z.object({
  /** hotel-local first day of the period */
  from: z.string(),
  openingMinor: sum,
  /** up to the current day or month; later ones are left out */
  rows: z.array(statementRow),
});
export type Statement = z.infer<typeof statementOutput>;

export const rechargeInput = z.object({
  amountMinor: positive,
  channel: PaymentChannel,
  note: f.text(200).default(""),
});
export const withdrawInput = z.object({ amountMinor: positive, note: f.text(200).default("") });
/** In the console the amount is typed twice, because a withdrawal leaves the hotel in one step. */
export const confirmedWithdrawInput = withdrawInput
  .extend({ repeatedMinor: z.int({ error: f.v.amount }) })
  .superRefine(({ amountMinor, repeatedMinor }, ctx) => {
    if (amountMinor === repeatedMinor) return;
    ctx.addIssue({ code: "custom", message: f.v.amountsDiffer, path: ["repeatedMinor"] });
  });
export const balanceMoved = z.object({ entryId: z.int(), availableMinor: sum });

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
/** Charges something that isn't the room, such as the minibar or a damage. */
export const chargeExtraInput = z
  .object({
    stayId: f.id,
    /** what is charged, as the guest reads it on the receipt */
    text: f.requiredText(120),
    quantity: z.int({ error: f.v.integer }).min(1, f.v.integer).max(999, "validation.tooLarge"),
    /** what one costs */
    unitMinor: positive,
    /** how it is paid now; null: it stays owed */
    channel: PaymentChannel.nullable().default(null),
  })
  .superRefine(({ quantity, unitMinor }, ctx) => {
    if (quantity * unitMinor > MAX_MINOR)
      ctx.addIssue({ code: "custom", message: f.v.amountTooLarge, path: ["unitMinor"] });
  });
/** Takes back what is left of an extra. No money moves; what was paid for it becomes the guest's credit. */
export const cancelChargeInput = z.object({ entryId: f.id, reason: f.requiredText(200) });
/** Undoes a withdrawal that never reached the account, whole and once. */
export const undoWithdrawalInput = z.object({ entryId: f.id, reason: f.requiredText(200) });
export const entryDone = z.object({ entryId: z.int(), owedMinor: z.int(), depositHeldMinor: z.int() });

export const entryListInput = z.object({
  /** guest of the entry's stay, or one of its rooms */
  keyword: f.text(100).optional(),
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
      /** a withdrawal that was not undone yet */
      undoable: z.boolean(),
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
