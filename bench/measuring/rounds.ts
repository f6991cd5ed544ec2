import { median } from "./durations.ts";
import type { LoadResult } from "./load.ts";

/** Measured values by case, one per round. */
export class Rounds<Case extends string> {
  readonly #values = new Map<Case, number[]>();

  add(name: Case, value: number): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  median(name: Case): number {
    return median(this.#values.get(name) ?? []);
  }

  /** Returns the median of the ratios within each round, which is unaffected when a whole round is slow. */
  ratio(name: Case, against: Case): number {
    const others = this.#values.get(against) ?? [];
    return median((this.#values.get(name) ?? []).map((value, i) => value / (others[i] ?? Number.NaN)));
  }
}

/** Results of a load by case, one per round. */
export class LoadRounds<Case extends string> {
  readonly #results = new Map<Case, LoadResult[]>();
  readonly #perSecond = new Rounds<Case>();

  add(name: Case, result: LoadResult): void {
    this.#results.set(name, [...(this.#results.get(name) ?? []), result]);
    this.#perSecond.add(name, result.perSecond);
  }

  median(name: Case, field: keyof LoadResult): number {
    return median((this.#results.get(name) ?? []).map((result) => result[field]));
  }

  sum(name: Case, field: keyof LoadResult): number {
    return (this.#results.get(name) ?? []).reduce((total, result) => total + result[field], 0);
  }

  /** Returns how many times as many calls a second a case reaches as another. */
  ratio(name: Case, against: Case): number {
    return this.#perSecond.ratio(name, against);
  }
}

export interface RoundSizes {
  rounds: number;
  seconds: number;
  /** length of the round before the first, which isn't measured; 0 leaves it out */
  warmSeconds: number;
}

/** Measures all cases in turn, in several rounds, so that a slow minute of the machine affects all of them. */
export async function measureRounds<Case extends string>(
  cases: readonly Case[],
  { rounds, seconds, warmSeconds }: RoundSizes,
  measure: (name: Case, seconds: number) => Promise<LoadResult>,
): Promise<LoadRounds<Case>> {
  if (warmSeconds > 0) for (const name of cases) await measure(name, warmSeconds);
  const measured = new LoadRounds<Case>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of cases) measured.add(name, await measure(name, seconds));
    console.log(`round ${round} of ${rounds} done`);
  }
  return measured;
}
