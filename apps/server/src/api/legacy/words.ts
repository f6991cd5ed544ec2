import { FolioEntryType, type Gender, type LineKind, type RoomStatus, type StayUnit } from "@innkey/shared/enums";
import type { entryRow } from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";

/**
 * The contract's words for states and kinds where they differ from ours. They are in one place so that all calls use
 * the same.
 */

/**
 * State of a guest: "expired" means in the hotel past the planned departure. A reservation that was cancelled or whose
 * guests didn't come counts as left.
 */
export const GUEST_STATES = ["reserved", "in", "expired", "out"] as const;

/**
 * The seven words of old clients and one of ours, "payment", because they have no word for a payment of a guest's
 * debt.
 */
export const ORDER_WORDS = ["room", "deposit", "renewal", "exchange", "refund", "recharge", "cash", "payment"] as const;
type OrderWord = (typeof ORDER_WORDS)[number];

/**
 * Legacy word for each kind of order. An unknown kind gets the word with the same effect on money: a deposit used for
 * a debt counts as payment; extras, breakfasts and a deposit that the hotel keeps are income like a room charge; and
 * what takes a charge back is a refund, what takes a refund back is a charge, and an undone withdrawal puts money in.
 */
const WORD_OF_ORDER: Record<FolioEntryType, OrderWord> = {
  room: "room",
  deposit: "deposit",
  renewal: "renewal",
  exchange: "exchange",
  refund: "refund",
  recharge: "recharge",
  withdrawal: "cash",
  payment: "payment",
  deposit_used: "payment",
  deposit_kept: "room",
  extra: "room",
  breakfast: "room",
  cancellation: "refund",
  reversal: "room",
  withdrawal_undone: "recharge",
};

/** Amount of an order as old clients know it: what takes a refund back is a charge, whose amount is positive. */
export const orderAmountOf = ({ type, amountMinor }: { type: FolioEntryType; amountMinor: number }): number =>
  type === "reversal" ? -amountMinor : amountMinor;

export const orderWordOf = (type: FolioEntryType): OrderWord => WORD_OF_ORDER[type];
export const orderTypesOf = (word: OrderWord): FolioEntryType[] =>
  FolioEntryType.options.filter((type) => WORD_OF_ORDER[type] === word);

export const ORDER_STATES = ["done", "partly_refunded", "refunded"] as const satisfies readonly z.infer<
  typeof entryRow
>["refundState"][];

export const ROOM_STATUSES = [
  "vacant",
  "reserved",
  "checked_in",
  "dirty",
  "maintenance",
] as const satisfies readonly RoomStatus[];

/** Reasons for the price of a quote's line. */
export const LINE_KINDS = [
  "usual",
  "weekend",
  "special",
  "hour",
  "month",
  "year",
  "renewal",
  "agreed",
] as const satisfies readonly LineKind[];

export const GENDERS = ["male", "female", "other"] as const satisfies readonly Gender[];

export const STAY_UNITS = ["hour", "day", "month", "year"] as const satisfies readonly StayUnit[];
