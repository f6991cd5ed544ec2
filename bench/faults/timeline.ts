import { Measures } from "../soak/measures.ts";

export interface Failure {
  kind: string;
  /** the server's word for it, or what became of the connection */
  reason: string;
  /** performance.now() when whoever asked heard of it */
  atMs: number;
  tookMs: number;
}

/** What happened when, so that a fault's beginning and end can be told. */
export class Timeline extends Measures {
  readonly failures: Failure[] = [];
  /** the longest that anyone waited for an answer; a file that is written in the background is none */
  longest = { kind: "", ms: 0 };
  readonly #answers: { kind: string; atMs: number; tookMs: number }[] = [];

  override answered(kind: string, tookMs: number): void {
    super.answered(kind, tookMs);
    this.#answers.push({ kind, atMs: performance.now(), tookMs });
    this.#waited(kind, tookMs);
  }

  override failed(kind: string, reason: string, tookMs = 0): void {
    super.failed(kind, reason, tookMs);
    this.failures.push({ kind, reason, atMs: performance.now(), tookMs });
    this.#waited(kind, tookMs);
  }

  #waited(kind: string, ms: number): void {
    if (!kind.startsWith("export") && ms > this.longest.ms) this.longest = { kind, ms };
  }

  /** How many were answered well in a time. */
  answeredBetween(fromMs: number, toMs: number): number {
    return this.#answers.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length;
  }
}
