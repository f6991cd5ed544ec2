import {
  chargeEntries,
  depositEntries,
  type LedgerEntry,
  paymentEntries,
} from "../../apps/server/src/domain/folio/entries/ledger.ts";
import type { FolioEntryType, PaymentChannel } from "../../packages/shared/src/enums.ts";
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
} from "../../packages/shared/src/price-rules.ts";
import { CALENDAR, type RoomPlan } from "./hotel-plan.ts";
import type { Random } from "./random.ts";
import type { StayPlan } from "./stay-plan.ts";

export interface EntryPlan {
  type: FolioEntryType;
  amountMinor: number;
  channel: PaymentChannel | null;
  refunds: EntryPlan | null;
  createdAt: InstantIso;
  /** lines, each with the index of the stay's occupancy */
  lines: { line: QuoteLine; occupancy: number }[];
  entries: LedgerEntry[];
}

const CHANNELS = [
  ["card", 60],
  ["cash", 25],
  ["transfer", 15],
] as const satisfies readonly (readonly [PaymentChannel, number])[];

/** Plans every entry of a stay up to now, oldest first, as the desk's services would have written them. */
export function planEntries(random: Random, stay: StayPlan, rooms: readonly RoomPlan[]): EntryPlan[] {
  return new StayMoney(random, stay, rooms).plan();
}

class StayMoney {
  readonly #entries: EntryPlan[] = [];
  readonly #channel: PaymentChannel;

  constructor(
    private readonly random: Random,
    private readonly stay: StayPlan,
    private readonly rooms: readonly RoomPlan[],
  ) {
    this.#channel = random.weighted(CHANNELS);
  }

  plan(): EntryPlan[] {
    const { stay, random } = this;
    const period = { startsAt: stay.startsAt, endsAt: stay.bookedEndsAt };
    const lines = linesOf(quoteStay(period, stay.unit, this.#prices(0), CALENDAR));
    const paidAhead = random.chance(stay.state === "reserved" ? 0.4 : 0.3);
    const booked = this.#charge("room", lines, stay.createdAt, paidAhead ? this.#channel : null);
    if (stay.cancelledAt) this.#cancel(booked, paidAhead, stay.cancelledAt);
    if (!stay.checkedInAt) return this.#entries;

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
    return this.#entries;
  }

  #prices(occupancy: number): RoomPrices {
    const room = this.rooms[this.stay.occupancies[occupancy]?.room ?? -1];
    if (!room) throw new RangeError("stay without a room");
    return room.prices;
  }

  #post(entry: Omit<EntryPlan, "refunds" | "lines"> & Partial<EntryPlan>): EntryPlan {
    const entries = entry.entries.filter(({ amountMinor }) => amountMinor !== 0);
    const posted = { refunds: null, lines: [], ...entry, entries };
    this.#entries.push(posted);
    return posted;
  }

  get #owedMinor(): number {
    return totalOf(this.#entries.flatMap(({ entries }) => entries).filter(({ account }) => account === "receivable"));
  }

  #charge(
    type: "room" | "renewal",
    lines: QuoteLine[],
    createdAt: InstantIso,
    channel: PaymentChannel | null,
  ): EntryPlan {
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

  #deposit(createdAt: InstantIso): EntryPlan | null {
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

  #returnDeposit(deposit: EntryPlan, createdAt: InstantIso): void {
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

  #cancel(booked: EntryPlan, paid: boolean, createdAt: InstantIso): void {
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
