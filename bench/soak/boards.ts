import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser } from "./asking.ts";
import { readBoard } from "./hour.ts";
import type { Measures } from "./measures.ts";

/** An open board: it follows the stream of changes and reads the board again after each change, as the console does. */
export class OpenBoard {
  /** number of streams that ended unexpectedly */
  cuts = 0;
  boardEvents = 0;
  readonly #server: string;
  readonly #desk: Browser;
  readonly #measures: Measures;
  #closed = false;
  #reading = false;
  #again = false;
  #etag: string | undefined;
  #end: () => void = () => {};

  constructor(server: string, desk: Browser, measures: Measures) {
    this.#server = server;
    this.#desk = desk;
    this.#measures = measures;
  }

  /** Follows the stream until the board is closed, and reconnects a second after it ends. */
  async follow(): Promise<void> {
    while (!this.#closed) {
      await this.#listen();
      if (this.#closed) return;
      this.cuts += 1;
      await delay(1_000);
    }
  }

  close(): void {
    this.#closed = true;
    this.#end();
  }

  #listen(): Promise<void> {
    return new Promise((resolve) => {
      const startedAt = performance.now();
      const stream = request(`${this.#server}/api/events`, { agent: false, headers: this.#desk.headers });
      this.#end = () => stream.destroy();
      stream.on("error", () => resolve());
      stream.on("response", (response) => {
        if (response.statusCode !== 200) {
          this.#measures.failed("board events", `HTTP ${response.statusCode}`, performance.now() - startedAt);
          response.resume();
        }
        response.on("data", (chunk: Buffer) => {
          if (!chunk.includes("event: board")) return;
          this.boardEvents += 1;
          void this.#read(performance.now());
        });
        response.on("close", () => resolve());
      });
      stream.end();
    });
  }

  /** Runs one read at a time; changes announced meanwhile cause one more read afterwards. */
  async #read(announcedMs: number): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    let since = announcedMs;
    do {
      this.#again = false;
      try {
        this.#etag = await readBoard(this.#desk, this.#etag);
        this.#measures.answered("board after a change", performance.now() - since);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!this.#closed) this.#measures.failed("board after a change", reason, performance.now() - since);
      }
      since = performance.now();
    } while (this.#again && !this.#closed);
    this.#reading = false;
  }
}
