import type { LineKind } from "./enums.ts";
import type { QuoteLine } from "./quote.ts";

export type LineGroup = {
  kind: LineKind;
  from: string;
  to: string;
  count: number;
  unitMinor: number;
  amountMinor: number;
};

/**
 * Groups consecutive nights at one price. `from` and `to` are the dates of the first and last line; amounts in minor
 * units.
 */
export function groupLines(lines: readonly QuoteLine[]): LineGroup[] {
  const groups: LineGroup[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && last.kind === line.kind && last.unitMinor === line.unitMinor && line.kind !== "agreed") {
      last.to = line.date;
      last.count += line.quantity;
      last.amountMinor += line.amountMinor;
    } else {
      groups.push({
        kind: line.kind,
        from: line.date,
        to: line.date,
        count: line.quantity,
        unitMinor: line.unitMinor,
        amountMinor: line.amountMinor,
      });
    }
  }
  return groups;
}
