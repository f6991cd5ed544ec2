import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PaymentChannel } from "./enums.ts";
import { settleAtCheckOut, signedMinor } from "./folio.ts";

it("shows money that leaves the hotel, and what takes a charge back, as negative amounts", () => {
  expect(signedMinor({ type: "refund", amountMinor: 500 })).toBe(-500);
  expect(signedMinor({ type: "withdrawal", amountMinor: 500 })).toBe(-500);
  expect(signedMinor({ type: "payment", amountMinor: 500 })).toBe(500);
  expect(signedMinor({ type: "extra", amountMinor: 500 })).toBe(500);
  expect(signedMinor({ type: "cancellation", amountMinor: 500 })).toBe(-500);
  expect(signedMinor({ type: "withdrawal_undone", amountMinor: 500 })).toBe(500);
  expect(signedMinor({ type: "exchange", amountMinor: -500 })).toBe(-500);
});

const balances = { owedMinor: 10_000, depositHeldMinor: 5_000 };
const usual = { refundUnusedMinor: 0, channel: null, useDeposit: true, keepDepositMinor: 0, refundDeposit: true };

describe("settlement at check-out", () => {
  it("settles the balance from the deposit, and returns none of it while anything is owed", () => {
    expect(settleAtCheckOut(balances, usual)).toMatchObject({
      dueMinor: 5_000,
      depositUsedMinor: 5_000,
      depositRefundMinor: 0,
    });
    expect(settleAtCheckOut({ ...balances, owedMinor: 2_000 }, usual)).toMatchObject({
      dueMinor: 0,
      depositUsedMinor: 2_000,
      depositRefundMinor: 3_000,
    });
  });

  it("returns the whole deposit if the balance is paid separately", () => {
    const separate = { ...usual, useDeposit: false, channel: "cash" as const };
    expect(settleAtCheckOut(balances, separate)).toMatchObject({
      dueMinor: 10_000,
      depositUsedMinor: 0,
      depositRefundMinor: 5_000,
    });
    expect(settleAtCheckOut(balances, { ...separate, refundDeposit: false }).depositRefundMinor).toBe(0);
  });

  it("withholds at most what is left of the deposit", () => {
    const paid = { ...balances, owedMinor: 0 };
    expect(settleAtCheckOut(paid, { ...usual, keepDepositMinor: 1_500 }).depositRefundMinor).toBe(3_500);
    expect(settleAtCheckOut(paid, { ...usual, keepDepositMinor: 9_000 })).toMatchObject({
      depositKeptMinor: 5_000,
      depositRefundMinor: 0,
    });
  });

  it("deducts unused nights from the balance first", () => {
    expect(settleAtCheckOut(balances, { ...usual, refundUnusedMinor: 4_000 })).toMatchObject({
      dueMinor: 1_000,
      creditMinor: 0,
    });
    expect(settleAtCheckOut(balances, { ...usual, refundUnusedMinor: 15_000 })).toMatchObject({
      dueMinor: 0,
      depositUsedMinor: 0,
      depositRefundMinor: 5_000,
      creditMinor: 5_000,
    });
  });

  it("returns no deposit while the guest owes money, and spends no more of it than there is", () => {
    const amount = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(
        fc.record({ owedMinor: fc.integer({ min: -100_000, max: 100_000 }), depositHeldMinor: amount }),
        fc.record({
          refundUnusedMinor: amount,
          channel: fc.option(fc.constantFrom(...PaymentChannel.options)),
          useDeposit: fc.boolean(),
          keepDepositMinor: amount,
          refundDeposit: fc.boolean(),
        }),
        (before, choice) => {
          const after = settleAtCheckOut(before, choice);
          const unpaidMinor = choice.channel === null ? after.dueMinor : 0;
          if (unpaidMinor > 0) expect(after.depositRefundMinor).toBe(0);
          const spentMinor = after.depositUsedMinor + after.depositKeptMinor + after.depositRefundMinor;
          expect(spentMinor).toBeLessThanOrEqual(before.depositHeldMinor);
        },
      ),
    );
  });
});
