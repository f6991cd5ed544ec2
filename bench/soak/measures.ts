/** Results of one kind of request. */
interface Kind {
  latenciesMs: number[];
  /** by code, expected refusals because two people wanted the same thing at once */
  conflicts: Map<string, number>;
  errors: Map<string, number>;
}

export interface KindSummary {
  kind: string;
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  mostMs: number;
  conflicts: Record<string, number>;
  errors: Record<string, number>;
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

const increment = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Latencies by kind, measured from the time a request was due, because users also wait in the queue before it. */
export class Measures {
  readonly #kinds = new Map<string, Kind>();

  answered(kind: string, latencyMs: number): void {
    this.#of(kind).latenciesMs.push(latencyMs);
  }

  conflict(kind: string, code: string): void {
    increment(this.#of(kind).conflicts, code);
  }

  /** `tookMs`: time until the client learned of the failure */
  failed(kind: string, reason: string, _tookMs = 0): void {
    increment(this.#of(kind).errors, reason);
  }

  get errors(): number {
    return this.summaries().reduce((sum, { errors }) => sum + Object.values(errors).reduce((a, b) => a + b, 0), 0);
  }

  summaries(): KindSummary[] {
    return [...this.#kinds]
      .map(([kind, { latenciesMs, conflicts, errors }]) => {
        const sorted = latenciesMs.toSorted((a, b) => a - b);
        return {
          kind,
          count: sorted.length,
          p50Ms: percentile(sorted, 0.5),
          p95Ms: percentile(sorted, 0.95),
          p99Ms: percentile(sorted, 0.99),
          mostMs: sorted.at(-1) ?? 0,
          conflicts: Object.fromEntries(conflicts),
          errors: Object.fromEntries(errors),
        };
      })
      .sort((a, b) => b.count - a.count);
  }

  #of(kind: string): Kind {
    const measures = this.#kinds.get(kind);
    if (measures) return measures;
    const fresh = { latenciesMs: [], conflicts: new Map(), errors: new Map() };
    this.#kinds.set(kind, fresh);
    return fresh;
  }
}
