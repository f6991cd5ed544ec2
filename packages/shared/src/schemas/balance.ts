import { z } from "zod";
import { PaymentChannel } from "../enums.ts";
import { WITHDRAWAL_ACCOUNT_TYPES } from "../words.ts";
import * as f from "./fields.ts";

/** Amounts are minor units; sums over the house may exceed a PostgreSQL integer, never 2^53. */
const sum = z.int();
const positive = f.amountMinor.min(1, f.v.amount);

export const WithdrawalAccountType = z.enum(WITHDRAWAL_ACCOUNT_TYPES);

/** Shorter than this, the last four characters would give most of a number away. */
const MIN_NUMBER = 6;

export const setAccountInput = z.object({
  type: WithdrawalAccountType,
  /** whose account it is */
  name: f.requiredText(120),
  bank: f.text(120).default(""),
  /** null leaves it as it is */
  number: f.text(64).min(MIN_NUMBER, f.v.unknown).nullable().default(null),
});

export const balanceOutput = z.object({
  /** what the channels hold together */
  moneyMinor: sum,
  /** deposits that belong to guests */
  heldMinor: sum,
  /** paid by guests beyond what they owe */
  creditsMinor: sum,
  /** what may be withdrawn: the money less what belongs to guests; negative if guests are owed more than there is */
  availableMinor: sum,
  channels: z.array(z.object({ channel: PaymentChannel, amountMinor: sum })),
  account: z
    .object({
      type: WithdrawalAccountType,
      name: z.string(),
      bank: z.string(),
      /** the number's last four characters; the rest is never shown again */
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
  /** the day, or the month's first */
  date: z.string(),
  /** what stays were charged, less what was struck off */
  chargedMinor: sum,
  /** what guests paid, deposits among it */
  taken: z.array(z.object({ channel: PaymentChannel, amountMinor: sum })),
  takenMinor: sum,
  /** what guests got back, deposits among it */
  returnedMinor: sum,
  depositsInMinor: sum,
  depositsOutMinor: sum,
  /** what the house put in, less what it took back of that */
  rechargedMinor: sum,
  withdrawnMinor: sum,
  /** what the channels hold together at its end */
  closingMinor: sum,
});
export const statementOutput = z.object({
  /** hotel-local first day of the period */
  from: z.string(),
  openingMinor: sum,
  /** up to the present day or month; those to come are not there */
  rows: z.array(statementRow),
});
export type Statement = z.infer<typeof statementOutput>;

export const rechargeInput = z.object({
  amountMinor: positive,
  channel: PaymentChannel,
  note: f.text(200).default(""),
});
export const withdrawInput = z.object({ amountMinor: positive, note: f.text(200).default("") });
export const balanceMoved = z.object({ orderId: z.int(), availableMinor: sum });
