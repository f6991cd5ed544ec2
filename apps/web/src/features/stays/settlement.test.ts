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

describe("settlement at check-out", () => {
  it("settles the balance from the deposit, and returns none of it while anything is owed", () => {
    expect(settlement(money, usual)).toMatchObject({ dueMinor: 5_000, depositUsedMinor: 5_000, depositBackMinor: 0 });
    const owesLittle = { ...money, owedMinor: 2_000 };
    expect(settlement(owesLittle, usual)).toMatchObject({
      dueMinor: 0,
      depositUsedMinor: 2_000,
      depositBackMinor: 3_000,
    });
  });

  it("returns the whole deposit if the balance is paid separately", () => {
    const beside = settlement(money, { ...usual, useDeposit: false });
    expect(beside).toMatchObject({ dueMinor: 10_000, depositUsedMinor: 0, depositBackMinor: 5_000 });
    expect(settlement(money, { ...usual, useDeposit: false, refundDeposit: false }).depositBackMinor).toBe(0);
  });

  it("withholds at most what is left of the deposit", () => {
    const paid = { ...money, owedMinor: 0 };
    expect(settlement(paid, { ...usual, keepMinor: 1_500 }).depositBackMinor).toBe(3_500);
    expect(settlement(paid, { ...usual, keepMinor: 9_000 }).depositBackMinor).toBe(0);
  });

  it("deducts unused nights from the balance first", () => {
    expect(settlement(money, { ...usual, refundUnusedMinor: 4_000 })).toMatchObject({
      dueMinor: 1_000,
      creditMinor: 0,
    });
    const all = settlement(money, { ...usual, refundUnusedMinor: 15_000 });
    expect(all).toMatchObject({ dueMinor: 0, depositUsedMinor: 0, depositBackMinor: 5_000, creditMinor: 5_000 });
  });

  it("treats an unreadable amount as zero", () => {
    expect(settlement(money, { ...usual, refundUnusedMinor: Number.NaN, keepMinor: Number.NaN }).dueMinor).toBe(5_000);
  });
});
