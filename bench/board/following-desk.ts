import assert from "node:assert/strict";
import { type ClientRequest, request } from "node:http";
import type { Board, BoardDifference, BoardRoom } from "../../packages/shared/src/schemas/property/rooms.ts";

/** An open board that follows the event stream and merges what changed, as the console does. */
export class FollowingDesk {
  /** bytes of all events */
  bytes = 0;
  events = 0;
  wholeReads = 0;
  readonly #server: string;
  readonly #cookie: string;
  #board: Board | undefined;
  #stream: ClientRequest | undefined;
  #unread = "";

  constructor(server: string, cookie: string) {
    this.#server = server;
    this.#cookie = cookie;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream = request(`${this.#server}/api/events`, { agent: false, headers: { cookie: this.#cookie } });
      this.#stream.on("error", reject);
      this.#stream.on("response", (response) => {
        assert.equal(response.statusCode, 200);
        response.setEncoding("utf8");
        response.on("data", (text: string) => this.#take(text));
        resolve();
      });
      this.#stream.end();
    });
    await this.#read();
  }

  rooms(): BoardRoom[] {
    return this.#board?.rooms ?? [];
  }

  async readWhole(): Promise<BoardRoom[]> {
    const response = await fetch(`${this.#server}/api/board`, { headers: { cookie: this.#cookie } });
    return ((await response.json()) as Board).rooms;
  }

  close(): void {
    this.#stream?.destroy();
  }

  async #read(): Promise<void> {
    this.wholeReads += 1;
    const response = await fetch(`${this.#server}/api/board`, { headers: { cookie: this.#cookie } });
    this.#board = (await response.json()) as Board;
  }

  #take(text: string): void {
    this.bytes += Buffer.byteLength(text);
    const parts = (this.#unread + text).split("\n\n");
    this.#unread = parts.pop() ?? "";
    for (const part of parts) {
      const data = /^event: board\ndata: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) this.#merge(JSON.parse(data));
    }
  }

  #merge({ version, difference }: { version: string; difference: BoardDifference | null }): void {
    if (!this.#board || version === this.#board.version) return;
    if (!difference || Number(difference.since) > Number(this.#board.version)) {
      void this.#read();
      return;
    }
    this.events += 1;
    const changed = new Map(difference.rooms.map((room) => [room.id, room]));
    this.#board = { ...this.#board, version, rooms: this.#board.rooms.map((room) => changed.get(room.id) ?? room) };
  }
}
