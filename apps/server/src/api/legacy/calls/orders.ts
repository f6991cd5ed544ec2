import * as b from "@innkey/shared/schemas/folio";
import { mac } from "@innkey/shared/schemas/property/rooms";
import { PAYMENT_CHANNELS, WITHDRAWAL_ACCOUNT_TYPES } from "@innkey/shared/words";
import { z } from "zod";
import * as locks from "../../../domain/access/locks/locks.queries.ts";
import * as hotelBalance from "../../../domain/folio/balance/balance.service.ts";
import * as entries from "../../../domain/folio/entries/entries.service.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { ORDER_STATES, ORDER_WORDS, orderAmountOf, orderTypesOf, orderWordOf } from "../words.ts";

const { out } = f;
const moved = z.strictObject({ order_id: out.id(), balance: out.money("1280.00") });
const macInput = z.object({ mac });

/** Calls for money: orders of stays, and the hotel's own balance. */
export const ordersCalls = [
  call("order/orderList", {
    summary: "Orders, newest first, and the hotel's balance for callers who may see it.",
    input: {
      type: f.choice(ORDER_WORDS).optional(),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      ...f.paging,
    },
    output: f.listOf(
      {
        order_id: out.id(),
        type: out.choice(ORDER_WORDS),
        amount: out.money(),
        state: out.choice(ORDER_STATES),
        manage_id: out.id(21).nullable(),
        room_name: out.text("101"),
        operator: out.text("Ann Lee"),
        create_time: out.time(),
      },
      { balance: out.money("1280.00").nullable() },
    ),
    names: { from: "start", to: "end" },
    async run({ scope }, input) {
      const { type: word, start: from, end: to } = input;
      const type = word && orderTypesOf(word);
      const { rows, total } = await entries.list(scope, b.entryListInput.parse({ type, from, to, ...f.pageOf(input) }));
      const list = rows.map((row) => ({
        order_id: row.id,
        type: orderWordOf(row.type),
        amount: f.moneyOf(scope, orderAmountOf(row)),
        state: row.refundState,
        manage_id: row.stayGuestId,
        room_name: row.roomName ?? "",
        operator: row.operatorName ?? "",
        create_time: f.seconds(row.createdAt),
      }));
      const balance = f.optionalMoney(scope, await hotelBalance.readAvailable(scope));
      return { ...f.pageAnswer(list, total, input), balance };
    },
  }),
  call("order/recharge", {
    summary: "Adds the hotel's own money to the balance.",
    changes: true,
    input: {
      amount: f.money("500.00"),
      channel: f.choice(PAYMENT_CHANNELS),
      note: f.text(200, "Change for the till").optional(),
    },
    output: moved,
    async run({ scope }, { amount, channel, note }) {
      const amountMinor = f.minorOf(scope, amount, "amount");
      const done = await hotelBalance.recharge(scope, b.rechargeInput.parse({ amountMinor, channel, note }));
      return { order_id: done.entryId, balance: f.moneyOf(scope, done.availableMinor) };
    },
  }),
  call("order/refund", {
    summary:
      "Refunds an order, fully or in part, through the channel it was paid with; an unpaid part reduces what the guest owes.",
    changes: true,
    input: { order_id: f.id(), amount: f.money("10.00"), reason: f.text(200, "Left a day early").optional() },
    output: z.strictObject({ order_id: out.id(18), balance: out.money("1280.00").nullable() }),
    names: { note: "reason" },
    errors: ["refund_too_large"],
    async run({ scope }, { order_id: entryId, amount, reason: note }) {
      const amountMinor = f.minorOf(scope, amount, "amount");
      const done = await entries.refundAsPaid(
        scope,
        b.refundInput.parse({ entryId, amountMinor, channel: null, note }),
      );
      return { order_id: done.entryId, balance: f.optionalMoney(scope, done.availableMinor) };
    },
  }),
  call("order/setCashData", {
    summary: "Sets the account for withdrawals. Only the account's last digits are shown afterwards.",
    changes: true,
    input: {
      type: f.choice(WITHDRAWAL_ACCOUNT_TYPES),
      name: f.name(120, "Harbour Ltd"),
      account: f.name(64, "DE02120300000000202051"),
      bank: f.text(120, "Harbour Bank").optional(),
    },
    output: f.nothing,
    names: { number: "account", account: "account" },
    async run({ scope }, { account: number, ...rest }) {
      await hotelBalance.setAccount(scope, b.setAccountInput.parse({ number, ...rest }));
      return {};
    },
  }),
  call("order/cash", {
    summary: "Withdraws money to the account of setCashData.",
    changes: true,
    input: { amount: f.money("100.00") },
    output: moved,
    errors: ["withdrawal_account_missing", "balance_too_small"],
    async run({ scope }, { amount }) {
      const amountMinor = f.minorOf(scope, amount, "amount");
      const done = await hotelBalance.withdraw(scope, b.withdrawInput.parse({ amountMinor }));
      return { order_id: done.entryId, balance: f.moneyOf(scope, done.availableMinor) };
    },
  }),
  call("order/macMember", {
    summary: "A lock's service period, which never ends, because the hotel runs its own server.",
    input: { mac_id: f.name(64, "02:00:00:00:01:01") },
    output: z.strictObject({
      mac_id: out.text("02:00:00:00:01:01"),
      member: out.flag(),
      expire: out.time().nullable(),
      room_name: out.text("101"),
    }),
    async run({ scope }, input) {
      const lock = await locks.readByMac(scope, macInput.parse({ mac: input.mac_id }).mac);
      return { mac_id: lock.mac, member: f.bit(true), expire: null, room_name: lock.roomName ?? "" };
    },
  }),
];
