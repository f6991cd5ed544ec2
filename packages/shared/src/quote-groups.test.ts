import { describe, expect, it } from "vitest";
import { groupLines } from "./price-rules.ts";

const line = (date: string, kind: "usual" | "weekend" | "agreed", amountMinor: number) => ({
  kind,
  date,
  startsAt: "",
  endsAt: "",
  quantity: 1,
  unitMinor: amountMinor,
  amountMinor,
});

describe("grouped lines of a quote", () => {
  it("joins consecutive nights at one price, with the same sum", () => {
    const lines = [
      line("2026-11-19", "usual", 100),
      line("2026-11-20", "weekend", 150),
      line("2026-11-21", "weekend", 150),
      line("2026-11-22", "usual", 100),
    ];
    const groups = groupLines(lines);
    expect(groups.map(({ kind, from, to, count }) => [kind, from, to, count])).toEqual([
      ["usual", "2026-11-19", "2026-11-19", 1],
      ["weekend", "2026-11-20", "2026-11-21", 2],
      ["usual", "2026-11-22", "2026-11-22", 1],
    ]);
    expect(groups.reduce((sum, group) => sum + group.amountMinor, 0)).toBe(500);
  });

  it("never joins agreed totals", () => {
    expect(groupLines([line("2026-11-19", "agreed", 100), line("2026-11-20", "agreed", 100)])).toHaveLength(2);
  });
});
