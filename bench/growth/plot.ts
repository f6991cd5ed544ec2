import type { Measured } from "./measured.ts";
import { AXES, type Axis } from "./sizes.ts";

const WIDTH = 860;
const HEIGHT = 520;
const LEFT = 66;
const TOP = 20;
const RIGHT = 300;
const BOTTOM = 56;
const DOT = 3;
/** Colours that colour-blind readers can tell apart, legible on white and on black. */
const COLOURS = ["#3b82c4", "#c2762b", "#2f9464", "#b8527f", "#8a6fc9", "#8c8c2a", "#2a97a8", "#c7503f"];
const DASHES = ["", "7 3", "2 3"];

const STYLE = `text{font:12px system-ui,sans-serif;fill:#444}.grid{stroke:#8884;stroke-width:1}.axis{stroke:#888}
.line{fill:none;stroke-width:1.8}@media(prefers-color-scheme:dark){text{fill:#ccc}}`;

/**
 * Plots cost over size, both on logarithmic scales: a flat line is a constant cost, a diagonal one grows with the size.
 */
export function plotOf(lines: readonly (readonly Measured[])[], axis: Axis): string {
  const points = lines.flat();
  const sizes = [...new Set(points.map(({ size }) => size))].toSorted((a, b) => a - b);
  const costs = points.map(({ p50Ms }) => p50Ms);
  const x = scale(sizes[0] ?? 1, sizes.at(-1) ?? 10, LEFT, WIDTH - RIGHT);
  const decades = powers(Math.min(...costs), Math.max(...costs));
  const y = scale(decades[0] ?? 1, decades.at(-1) ?? 10, HEIGHT - BOTTOM, TOP);
  const grid = [
    ...decades.map((ms) => rule(LEFT, y(ms), WIDTH - RIGHT, y(ms)) + label(LEFT - 8, y(ms) + 4, `${ms}`, "end")),
    ...sizes.map(
      (size) =>
        rule(x(size), TOP, x(size), HEIGHT - BOTTOM) + label(x(size), HEIGHT - BOTTOM + 18, short(size), "middle"),
    ),
  ];
  const drawn = lines.map((line, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? "";
    const dash = DASHES[Math.floor(index / COLOURS.length) % DASHES.length];
    const at = line.map(({ size, p50Ms }) => [x(size).toFixed(1), y(p50Ms).toFixed(1)] as const);
    const path = `<polyline class="line" stroke="${colour}"${dash ? ` stroke-dasharray="${dash}"` : ""} points="${at.map((pair) => pair.join()).join(" ")}"/>`;
    const dots = at.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="${DOT}" fill="${colour}"/>`);
    return path + dots.join("");
  });
  const position = keyOf(lines, y);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">
<title>Median milliseconds by ${AXES[axis]}</title>
<style>${STYLE}</style>
${[...grid, ...drawn, ...position].join("\n")}
${label(LEFT, 12, "ms")}
${label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, AXES[axis], "middle")}
</svg>
`;
}

/** Labels the lines at their ends, and moves labels apart that are too close. */
function keyOf(lines: readonly (readonly Measured[])[], y: (ms: number) => number): string[] {
  const GAP = 15;
  const labels = lines
    .map((line, index) => ({ index, name: line[0]?.operation ?? "", end: y(line.at(-1)?.p50Ms ?? 1) }))
    .toSorted((a, b) => a.end - b.end);
  let free = TOP - 4;
  const placed = labels.map((entry) => {
    const at = Math.max(entry.end, free);
    free = at + GAP;
    return { ...entry, at };
  });
  // Labels that were moved below the plot move back up, together with those above.
  let most = HEIGHT - BOTTOM + 12;
  for (const entry of placed.toReversed()) {
    entry.at = Math.min(entry.at, most);
    most = entry.at - GAP;
  }
  const [from, to] = [WIDTH - RIGHT + DOT + 2, WIDTH - RIGHT + 18];
  return placed.map(({ index, name, end, at }) => {
    const colour = COLOURS[index % COLOURS.length] ?? "";
    return `<path d="M${from} ${end.toFixed(1)}L${to} ${at.toFixed(1)}" stroke="${colour}"/>${label(to + 5, at + 4, name)}`;
  });
}

function scale(low: number, high: number, from: number, to: number): (value: number) => number {
  const span = Math.log(high / low) || 1;
  return (value) => from + ((to - from) * Math.log(value / low)) / span;
}

function powers(low: number, high: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return Array.from({ length: Math.max(2, last - first + 1) }, (_, step) =>
    Number((10 ** (first + step)).toPrecision(1)),
  );
}

const short = (size: number): string =>
  size >= 1_000_000 ? `${size / 1_000_000} M` : size >= 100_000 ? `${size / 1_000_000} M` : size.toLocaleString("en");
const rule = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line class="grid" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;
const label = (x: number, y: number, text: string, anchor: "start" | "middle" | "end" = "start"): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${text}</text>`;
