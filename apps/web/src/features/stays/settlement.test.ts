import { describe, expect, it } from "vitest";
import { settlement } from "./settlement.ts";

const money = {
  chargedMinor: 30_000,
  paidMinor: 20_000,
  owedMinor: 10_000,
  depositHeldMinor: 5_000,
  depositChannels: [],
  unusedMinor: 15_000,
};
const usual = { refundUnusedMinor: 0, useDeposit: true, keepMinor: 0, refundDeposit: true };

describe("what changes hands at check-out", () => {
  it("settles what is owed from the deposit, and gives nothing of it back while anything is owed", () => {
    expect(settlement(money, usual)).toMatchObject({ dueMinor: 5_000, depositUsedMinor: 5_000, depositBackMinor: 0 });
    const owesLittle = { ...money, owedMinor: 2_000 };
    expect(settlement(owesLittle, usual)).toMatchObject({
      dueMinor: 0,
      depositUsedMinor: 2_000,
      depositBackMinor: 3_000,
    });
  });

  it("gives the whole deposit back where what is owed is paid beside it", () => {
    const beside = settlement(money, { ...usual, useDeposit: false });
    expect(beside).toMatchObject({ dueMinor: 10_000, depositUsedMinor: 0, depositBackMinor: 5_000 });
    expect(settlement(money, { ...usual, useDeposit: false, refundDeposit: false }).depositBackMinor).toBe(0);
  });

  it("keeps at most what is left of the deposit", () => {
    const paid = { ...money, owedMinor: 0 };
    expect(settlement(paid, { ...usual, keepMinor: 1_500 }).depositBackMinor).toBe(3_500);
    expect(settlement(paid, { ...usual, keepMinor: 9_000 }).depositBackMinor).toBe(0);
  });

  it("strikes unused nights off what is owed before anything else", () => {
    expect(settlement(money, { ...usual, refundUnusedMinor: 4_000 })).toMatchObject({
      dueMinor: 1_000,
      creditMinor: 0,
    });
    const all = settlement(money, { ...usual, refundUnusedMinor: 15_000 });
    expect(all).toMatchObject({ dueMinor: 0, depositUsedMinor: 0, depositBackMinor: 5_000, creditMinor: 5_000 });
  });

  it("treats an amount that can't be read as none", () => {
    expect(settlement(money, { ...usual, refundUnusedMinor: Number.NaN, keepMinor: Number.NaN }).dueMinor).toBe(5_000);
  });
});
