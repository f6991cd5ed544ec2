import { type KeyStatus, type LineKind, OrderType, type RoomStatus, type StayUnit } from "@innkey/shared/enums";
import type { CredentialRow } from "@innkey/shared/schemas/locks";
import type { StayDetail } from "@innkey/shared/schemas/stays";

/** The contract's words for states and kinds, where they are not ours. Each call's own mapping stands here, so that two calls never differ. */

/** A guest's place: "expired" is in the house past the planned departure. A cancelled reservation counts as left. */
export const GUEST_STATES = ["reserved", "in", "expired", "out"] as const;

export function guestStateOf({ state, expired }: Pick<StayDetail, "state" | "expired">): (typeof GUEST_STATES)[number] {
  if (state === "reserved") return "reserved";
  if (state === "checked_in") return expired ? "expired" : "in";
  return "out";
}

/** The old clients' seven, and one of ours: money taken for what a guest owes has no word there. */
export const ORDER_WORDS = ["room", "deposit", "renewal", "exchange", "refund", "recharge", "cash", "payment"] as const;
type OrderWord = (typeof ORDER_WORDS)[number];

/**
 * What old clients call each kind of order; a kind that they don't know goes by the one whose money it moves alike: a deposit
 * that settles what is owed is paid with, one that is kept is income as a room is.
 */
const WORD_OF_ORDER: Record<OrderType, OrderWord> = {
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
};

export const orderWordOf = (type: OrderType): OrderWord => WORD_OF_ORDER[type];
export const orderTypesOf = (word: OrderWord): OrderType[] =>
  OrderType.options.filter((type) => WORD_OF_ORDER[type] === word);

export const ORDER_STATES = ["done", "partly_refunded", "refunded"] as const;

interface StoredOrder {
  type: OrderType;
  amountMinor: number;
  /** what of it can still be given back */
  refundableMinor: number;
}

/** What gives money back is itself never given back. */
export function orderStateOf({ type, amountMinor, refundableMinor }: StoredOrder): (typeof ORDER_STATES)[number] {
  if (type === "refund" || type === "withdrawal" || type === "deposit_used" || refundableMinor >= amountMinor)
    return "done";
  return refundableMinor === 0 ? "refunded" : "partly_refunded";
}

export const ROOM_STATUSES = [
  "vacant",
  "reserved",
  "checked_in",
  "dirty",
  "maintenance",
] as const satisfies readonly RoomStatus[];

/** Why a line of a quote costs what it does. */
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

export const STAY_UNITS = ["hour", "day", "month", "year"] as const satisfies readonly StayUnit[];

/**
 * Where a card, a code or a face stands. Over all doors of one it is KEY_STANDINGS, whose words are the contract's; this is
 * of what one lock has.
 */
export function keyStateOf({ state, validTo }: Pick<CredentialRow, "state" | "validTo">, now: string): KeyStatus {
  if (state === "revoking" || state === "revoked") return state;
  if (validTo !== null && validTo <= now) return "expired";
  if (state === "failed") return "failed";
  return state === "queued" || state === "sent" ? "pending" : "active";
}
