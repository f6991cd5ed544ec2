import { chargeEntries, depositEntries, paymentEntries } from "../../apps/server/src/domain/folio/orders/ledger.ts";
import type { Entry } from "../../apps/server/src/domain/folio/orders/order-draft.ts";
import type { OrderType, PaymentChannel } from "../../packages/shared/src/enums.ts";
import type { InstantIso } from "../../packages/shared/src/hotel-time.ts";
import {
  creditOf,
  type Quoted,
  type QuoteLine,
  quoteRenewal,
  quoteStay,
  type RoomPrices,
  restOf,
  totalOf,
} from "../../packages/shared/src/quote.ts";
import { CALENDAR, type RoomPlan } from "./hotel-plan.ts";
import type { Random } from "./random.ts";
import type { StayPlan } from "./stay-plan.ts";

export interface OrderPlan {
  type: OrderType;
  amountMinor: number;
  channel: PaymentChannel | null;
  refunds: OrderPlan | null;
  createdAt: InstantIso;
  /** lines, each with the index of the stay's occupancy */
  lines: { line: QuoteLine; occupancy: number }[];
  entries: Entry[];
}

const CHANNELS = [
  ["card", 60],
  ["cash", 25],
  ["transfer", 15],
] as const satisfies readonly (readonly [PaymentChannel, number])[];

/** Plans every order of a stay up to now, oldest first, as the desk's services would have written them. */
export function planOrders(random: Random, stay: StayPlan, rooms: readonly RoomPlan[]): OrderPlan[] {
  return new StayMoney(random, stay, rooms).plan();
}

class StayMoney {
  readonly #orders: OrderPlan[] = [];
  readonly #channel: PaymentChannel;

  constructor(
    private readonly random: Random,
    private readonly stay: StayPlan,
    private readonly rooms: readonly RoomPlan[],
  ) {
    this.#channel = random.weighted(CHANNELS);
  }

  plan(): OrderPlan[] {
    const { stay, random } = this;
    const period = { startsAt: stay.startsAt, endsAt: stay.bookedEndsAt };
    const lines = linesOf(quoteStay(period, stay.unit, this.#prices(0), CALENDAR));
    const paidAhead = random.chance(stay.state === "reserved" ? 0.4 : 0.3);
    const booked = this.#charge("room", lines, stay.createdAt, paidAhead ? this.#channel : null);
    if (stay.cancelledAt) this.#cancel(booked, paidAhead, stay.cancelledAt);
    if (!stay.checkedInAt) return this.#orders;

    const deposit = this.#deposit(stay.checkedInAt);
    if (!paidAhead && random.chance(0.65)) this.#settle(stay.checkedInAt);
    if (stay.renewedAt) {
      const renewal = quoteRenewal({ ...period, charged: lines }, stay.endsAt, stay.unit, this.#prices(0), CALENDAR);
      this.#charge("renewal", linesOf(renewal), stay.renewedAt, random.chance(0.5) ? this.#channel : null);
    }
    if (stay.occupancies.length > 1) this.#exchange(lines);
    if (stay.checkedOutAt) {
      this.#settle(stay.checkedOutAt);
      if (deposit) this.#returnDeposit(deposit, stay.checkedOutAt);
    }
    return this.#orders;
  }

  #prices(occupancy: number): RoomPrices {
    const room = this.rooms[this.stay.occupancies[occupancy]?.room ?? -1];
    if (!room) throw new RangeError("stay without a room");
    return room.prices;
  }

  #post(order: Omit<OrderPlan, "refunds" | "lines"> & Partial<OrderPlan>): OrderPlan {
    const entries = order.entries.filter(({ amountMinor }) => amountMinor !== 0);
    const posted = { refunds: null, lines: [], ...order, entries };
    this.#orders.push(posted);
    return posted;
  }

  get #owedMinor(): number {
    return totalOf(this.#orders.flatMap(({ entries }) => entries).filter(({ account }) => account === "receivable"));
  }

  #charge(
    type: "room" | "renewal",
    lines: QuoteLine[],
    createdAt: InstantIso,
    channel: PaymentChannel | null,
  ): OrderPlan {
    const amountMinor = totalOf(lines);
    return this.#post({
      type,
      amountMinor,
      channel,
      createdAt,
      lines: lines.map((line) => ({ line, occupancy: 0 })),
      entries: chargeEntries(amountMinor, channel),
    });
  }

  #deposit(createdAt: InstantIso): OrderPlan | null {
    const amountMinor = this.#prices(0).depositMinor;
    if (amountMinor === 0) return null;
    const channel = this.random.pick(["cash", "card"] as const);
    return this.#post({
      type: "deposit",
      amountMinor,
      channel,
      createdAt,
      entries: depositEntries(amountMinor, channel),
    });
  }

  #returnDeposit(deposit: OrderPlan, createdAt: InstantIso): void {
    const { amountMinor } = deposit;
    const channel = deposit.channel ?? "cash";
    this.#post({
      type: "refund",
      amountMinor,
      channel,
      createdAt,
      refunds: deposit,
      entries: depositEntries(-amountMinor, channel),
    });
  }

  /** Pays the open balance, or refunds it after a change to a cheaper room. */
  #settle(createdAt: InstantIso): void {
    const amountMinor = this.#owedMinor;
    const channel = this.#channel;
    if (amountMinor !== 0) {
      this.#post({ type: "payment", amountMinor, channel, createdAt, entries: paymentEntries(amountMinor, channel) });
    }
  }

  #exchange(lines: readonly QuoteLine[]): void {
    const { stay } = this;
    const cut = stay.occupancies[1]?.startsAt ?? stay.endsAt;
    const credit = creditOf(restOf(lines, cut, CALENDAR));
    const charge = restOf(linesOf(quoteStay(stay, stay.unit, this.#prices(1), CALENDAR)), cut, CALENDAR);
    const amountMinor = totalOf(credit) + totalOf(charge);
    this.#post({
      type: "exchange",
      amountMinor,
      channel: null,
      createdAt: cut,
      lines: [...credit.map((line) => ({ line, occupancy: 0 })), ...charge.map((line) => ({ line, occupancy: 1 }))],
      entries: chargeEntries(amountMinor, null),
    });
  }

  #cancel(booked: OrderPlan, paid: boolean, createdAt: InstantIso): void {
    const { amountMinor } = booked;
    this.#post({
      type: "refund",
      amountMinor,
      channel: paid ? this.#channel : null,
      createdAt,
      refunds: booked,
      entries: [
        { account: "revenue", amountMinor },
        { account: "receivable", amountMinor: -amountMinor },
        ...(paid ? paymentEntries(-amountMinor, this.#channel) : []),
      ],
    });
  }
}

function linesOf(quoted: Quoted): QuoteLine[] {
  if ("refusal" in quoted) throw new Error("a room without a price by the hour was let by the hour");
  return quoted.lines;
}
