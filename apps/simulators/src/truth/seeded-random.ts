/** Pseudo-random numbers that repeat with the same seed (mulberry32). */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** from 0 (inclusive) to 1 (exclusive) */
  readonly next = (): number => {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** Returns an integer from `min` to `max`, both inclusive. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.next() * from.length)];
  }

  /** Picks a name with probability proportional to its weight. @throws Error if the weights sum to 0 */
  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name {
    const entries = Object.entries<number | undefined>(weights) as [Name, number][];
    let remaining = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      remaining -= weight;
      if (remaining < 0) return name;
    }
    const last = entries.at(-1);
    if (!last) throw new Error("nothing to choose from");
    return last[0];
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.int(0, 9)).join("");
  }

  hex(bytes: number): string {
    return Array.from({ length: 2 * bytes }, () => this.int(0, 15).toString(16))
      .join("")
      .toUpperCase();
  }
}
