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
 * The lines that still stand: those that were given back whole are gone, together with what gave them back. Without this,
 * each further change of a stay would give back and charge all the former ones again, twice as many lines every time.
 */
export function netLines(lines: readonly QuoteLine[]): QuoteLine[] {
  const standing: QuoteLine[] = [];
  for (const line of lines) {
    const mirrored = keyOf(line, -1);
    const at = line.amountMinor === 0 ? -1 : standing.findLastIndex((other) => keyOf(other, 1) === mirrored);
    if (at === -1) standing.push(line);
    else standing.splice(at, 1);
  }
  return standing;
}
