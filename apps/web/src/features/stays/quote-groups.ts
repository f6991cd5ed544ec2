import type { LineKind } from "@innkey/shared/enums";
import type { QuoteLine } from "@innkey/shared/quote";

export type LineGroup = {
  kind: LineKind;
  from: string;
  to: string;
  count: number;
  unitMinor: number;
  amountMinor: number;
};

/** Nights in a row at one price read as one line. `from` and `to` are the first and last line's dates. */
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
