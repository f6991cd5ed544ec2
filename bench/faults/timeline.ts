import { Measures } from "../soak/measures.ts";

export interface Failure {
  kind: string;
  /** the server's error code, or the connection error */
  reason: string;
  /** performance.now() when the client learned of it */
  atMs: number;
  tookMs: number;
}

/** Records when requests succeeded and failed, so that the fault's start and end can be seen. */
export class Timeline extends Measures {
  readonly failures: Failure[] = [];
  /** longest wait for an answer; files written in the background don't count */
  longest = { kind: "", ms: 0 };
  readonly #answers: { kind: string; atMs: number; tookMs: number }[] = [];

  override answered(kind: string, tookMs: number): void {
    super.answered(kind, tookMs);
    this.#answers.push({ kind, atMs: performance.now(), tookMs });
    this.#recordWait(kind, tookMs);
  }

  override failed(kind: string, reason: string, tookMs = 0): void {
    super.failed(kind, reason, tookMs);
    this.failures.push({ kind, reason, atMs: performance.now(), tookMs });
    this.#recordWait(kind, tookMs);
  }

  #recordWait(kind: string, ms: number): void {
    if (!kind.startsWith("export") && ms > this.longest.ms) this.longest = { kind, ms };
  }

  /** Returns the number of successful answers between two times. */
  answeredBetween(fromMs: number, toMs: number): number {
    return this.#answers.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length;
  }
}
