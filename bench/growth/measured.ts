import { percentile } from "../measuring/durations.ts";
import type { Follows, Operation } from "./operations.ts";
import type { Axis, GrowthSizes } from "./sizes.ts";

/** Cost of one operation at one size. */
export interface Measured {
  axis: Axis;
  size: number;
  operation: string;
  follows: Follows;
  p50Ms: number;
  p99Ms: number;
  calls: number;
}

/** Time limit per operation, so that slow operations are called less often. */
const MAX_MS = 3_000;
const MIN_CALLS = 5;

/** Calls an operation repeatedly, one call after the other; this measures its cost, not the concurrent throughput. */
export async function measure(
  axis: Axis,
  size: number,
  { name, follows, calls, run }: Operation,
  { warmCalls }: Pick<GrowthSizes, "warmCalls">,
): Promise<Measured> {
  const timesMs: number[] = [];
  const end = performance.now() + MAX_MS;
  for (let call = 0; call < warmCalls + calls; call += 1) {
    const ms = await run(call);
    if (call >= warmCalls) timesMs.push(ms);
    if (timesMs.length >= MIN_CALLS && performance.now() > end) break;
  }
  const [p50Ms, p99Ms] = [percentile(timesMs, 0.5), percentile(timesMs, 0.99)];
  return { axis, size, operation: name, follows, calls: timesMs.length, p50Ms, p99Ms };
}
