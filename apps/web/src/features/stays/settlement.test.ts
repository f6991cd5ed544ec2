import { describe, expect, it } from "vitest";
import { settlement } from "./settlement.ts";

const money = {
  chargedMinor: 30_000,
  paidMinor: 20_000,
  owedMinor: 10_000,
  depositHeldMinor: 5_000,
  unusedMinor: 15_000,
};

describe("what changes hands at check-out", () => {
  it("keeps the deposit apart from what is owed", () => {
    expect(settlement(money, 0, true)).toEqual({ dueMinor: 10_000, backMinor: 5_000 });
    expect(settlement(money, 0, false)).toEqual({ dueMinor: 10_000, backMinor: 0 });
  });

  it("strikes unused nights off what is owed before anything goes back", () => {
    expect(settlement(money, 4_000, false)).toEqual({ dueMinor: 6_000, backMinor: 0 });
    expect(settlement(money, 15_000, true)).toEqual({ dueMinor: 0, backMinor: 10_000 });
  });

  it("treats an amount that can't be read as none", () => {
    expect(settlement(money, Number.NaN, false)).toEqual({ dueMinor: 10_000, backMinor: 0 });
  });
});
