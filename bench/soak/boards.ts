import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Board, BoardDifference, BoardRoom } from "../../packages/shared/src/schemas/property/rooms.ts";
import { type Browser, Refused } from "./asking.ts";
import type { Measures } from "./measures.ts";

/** What an act makes of a room, and when its request was sent. */
interface ExpectedRoom {
  sentAtMs: number;
  isShown(room: BoardRoom): boolean;
}

/** What acts make of rooms, by room, so that every open board can measure how long it takes until it shows it. */
export class ExpectedRooms {
  readonly #expected = new Map<number, ExpectedRoom>();

  /** Call it when the request is sent. Call the function that it returns if the server refuses the act. */
  expect(roomId: number, isShown: (room: BoardRoom) => boolean): () => void {
    const expected = { sentAtMs: performance.now(), isShown };
    this.#expected.set(roomId, expected);
    return () => {
      if (this.#expected.get(roomId) === expected) this.#expected.delete(roomId);
    };
  }

  of(room: BoardRoom): ExpectedRoom | undefined {
    const expected = this.#expected.get(room.id);
    return expected?.isShown(room) ? expected : undefined;
  }
}

/** An open board: it follows the stream of changes and merges the changed rooms, as the console does. */
export class OpenBoard {
  /** number of streams that ended unexpectedly */
  cuts = 0;
  boardEvents = 0;
  readonly #server: string;
  readonly #desk: Browser;
  readonly #measures: Measures;
  readonly #expectedRooms: ExpectedRooms;
  readonly #shown = new WeakSet<ExpectedRoom>();
  #board: Board | undefined;
  #isClosed = false;
  #isReading = false;
  #mustReadAgain = false;
  #end: () => void = () => {};

  constructor(server: string, desk: Browser, measures: Measures, expectedRooms = new ExpectedRooms()) {
    this.#server = server;
    this.#desk = desk;
    this.#measures = measures;
    this.#expectedRooms = expectedRooms;
  }

  /** Follows the stream until the board is closed, and reconnects a second after it ends. */
  async follow(): Promise<void> {
    while (!this.#isClosed) {
      await this.#listen();
      if (this.#isClosed) return;
      this.cuts += 1;
      await delay(1_000);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  /** Waits up to `patienceMs` until the board shows what the server's whole board shows. Returns whether it does. */
  async isCurrent(patienceMs: number): Promise<boolean> {
    for (const end = performance.now() + patienceMs; ; await delay(500)) {
      const whole = await readBoard(this.#desk);
      if (isDeepStrictEqual(this.#board?.rooms, whole.rooms)) return true;
      if (performance.now() > end) return false;
    }
  }

  #listen(): Promise<void> {
    return new Promise((resolve) => {
      const startedAt = performance.now();
      const { agent, headers } = this.#desk;
      const stream = request(`${this.#server}/api/events`, { agent, headers });
      this.#end = () => stream.destroy();
      stream.on("error", () => resolve());
      stream.on("response", (response) => {
        if (response.statusCode !== 200) {
          this.#measures.failed("board events", `HTTP ${response.statusCode}`, performance.now() - startedAt);
          response.resume();
        }
        let unread = "";
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          const events = (unread + text).split("\n\n");
          unread = events.pop() ?? "";
          for (const event of events) this.#take(event);
        });
        response.on("close", () => resolve());
        void this.#read();
      });
      stream.end();
    });
  }

  #take(event: string): void {
    const data = /^event: board\ndata: (.*)$/m.exec(event)?.[1];
    if (data === undefined) return;
    this.boardEvents += 1;
    const { version, difference } = JSON.parse(data) as { version: string; difference: BoardDifference | null };
    // A read on its way answers with the state after the first event of a stream, as the console knows too.
    if (this.#isReading && difference) this.#mustReadAgain = true;
    if (!this.#board || version === this.#board.version) return;
    if (!difference || Number(difference.since) > Number(this.#board.version)) {
      void this.#read();
      return;
    }
    const changed = new Map(difference.rooms.map((room) => [room.id, room]));
    this.#board = { ...this.#board, version, rooms: this.#board.rooms.map((room) => changed.get(room.id) ?? room) };
    for (const room of difference.rooms) this.#measureShown(room);
  }

  /** Runs one read at a time; changes announced meanwhile cause one more read afterwards. */
  async #read(): Promise<void> {
    if (this.#isReading) {
      this.#mustReadAgain = true;
      return;
    }
    this.#isReading = true;
    do {
      this.#mustReadAgain = false;
      const sentAtMs = performance.now();
      try {
        this.#board = await readBoard(this.#desk);
        this.#measures.answered(WHOLE, performance.now() - sentAtMs);
        for (const room of this.#board.rooms) this.#measureShown(room);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!this.#isClosed) this.#measures.failed(WHOLE, reason, performance.now() - sentAtMs);
      }
    } while (this.#mustReadAgain && !this.#isClosed);
    this.#isReading = false;
  }

  #measureShown(room: BoardRoom): void {
    const expected = this.#expectedRooms.of(room);
    if (!expected || this.#shown.has(expected)) return;
    this.#shown.add(expected);
    this.#measures.answered(SHOWN, performance.now() - expected.sentAtMs);
  }
}

/** The way of a change from the click at one desk to the board of another */
const SHOWN = "a change, from its request until each board shows it";

/** All desks open their boards in one moment, as after a restart of the server. */
const WHOLE = "the whole board, read by all desks at once";

/** Reads the whole board. @throws Refused */
export async function readBoard(desk: Browser): Promise<Board> {
  const { status, body } = await desk.get("board", { "accept-encoding": "identity" });
  if (status !== 200) throw new Refused(status, undefined);
  return JSON.parse(body.toString()) as Board;
}
