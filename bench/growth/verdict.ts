import type { Measured } from "./measured.ts";
import type { Follows } from "./operations.ts";
import type { Axis } from "./sizes.ts";

/** How a cost grew over the last step of an axis, and whether that growth is allowed. */
export interface Verdict {
  /** exponent of the cost as a power of the size: 0 is constant, 1 is proportional */
  exponent: number;
  bound: number;
  isAllowed: boolean;
}

const FLAT = 0.25;
const LINEAR = 1.15;
/** Growth by less than this counts as flat whatever the ratio; it is noise of the machine. */
const NOISE_MS = 1;

const MAY_FOLLOW: Record<Follows, readonly Axis[]> = { nothing: [], rooms: ["rooms"], locks: ["rooms", "hotels"] };

/** Judges one operation along one axis. `line` starts with the smallest size; returns null for fewer than two sizes. */
export function verdictOf(line: readonly Measured[]): Verdict | null {
  const [before, last] = line.slice(-2);
  if (!before || !last) return null;
  const exponent = Math.log(last.p50Ms / before.p50Ms) / Math.log(last.size / before.size);
  const bound = MAY_FOLLOW[last.follows].includes(last.axis) ? LINEAR : FLAT;
  return { exponent, bound, isAllowed: exponent <= bound || last.p50Ms - before.p50Ms < NOISE_MS };
}

/** Returns the lines of an axis, in the order in which they were measured. */
export function linesOf(measured: readonly Measured[], axis: Measured["axis"]): Measured[][] {
  const points = measured.filter((point) => point.axis === axis);
  const names = [...new Set(points.map(({ operation }) => operation))];
  return names.map((name) => points.filter(({ operation }) => operation === name).toSorted((a, b) => a.size - b.size));
}
