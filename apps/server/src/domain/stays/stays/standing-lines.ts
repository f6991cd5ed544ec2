import type { QuoteLine } from "@innkey/shared/quote";

const keyOf = (line: QuoteLine, sign: 1 | -1): string =>
  [
    line.kind,
    line.date,
    line.startsAt,
    line.endsAt,
    line.quantity,
    line.unitMinor * sign,
    line.amountMinor * sign,
  ].join();

/**
 * Returns the lines still in effect: a line that was refunded in full is removed together with its refund. Otherwise
 * each further change of a stay would refund and charge all former lines again and double their number.
 */
export function netLines(lines: readonly QuoteLine[]): QuoteLine[] {
  const remaining: QuoteLine[] = [];
  for (const line of lines) {
    const mirrored = keyOf(line, -1);
    const at = line.amountMinor === 0 ? -1 : remaining.findLastIndex((other) => keyOf(other, 1) === mirrored);
    if (at === -1) remaining.push(line);
    else remaining.splice(at, 1);
  }
  return remaining;
}
