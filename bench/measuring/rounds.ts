/** Measured values by case, one per round. */
export class Rounds<Case extends string> {
  readonly #values = new Map<Case, number[]>();

  add(name: Case, value: number): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  median(name: Case): number {
    const values = (this.#values.get(name) ?? []).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? Number.NaN;
  }

  /** Returns the median of the ratios within each round, which is unaffected when a whole round is slow. */
  ratio(name: Case, against: Case): number {
    const others = this.#values.get(against) ?? [];
    const ratios = (this.#values.get(name) ?? []).map((value, i) => value / (others[i] ?? Number.NaN));
    return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
  }
}
