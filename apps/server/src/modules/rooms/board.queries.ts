import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Scope } from "../../core/scope.ts";
import type { Relay } from "../../infra/relay.ts";
import { BoardFeed, type BoardListener } from "./board.feed.ts";
import { BOARD } from "./board.sql.ts";
import { endOfDay } from "./hotel-day.ts";

const gzipText = promisify(gzip);
const GZIP_LEVEL = 6;

/** Kept boards, the least used of which leaves first; one of 500 rooms is about 200 kB with its gzip. */
const KEPT_BOARDS = 100;

/** A board as it travels. */
export class BoardBody {
  readonly json: Buffer;
  readonly etag: string;
  readonly #changesAtMs: number;
  readonly #version: number;
  #gzipped: Promise<Buffer> | undefined;

  constructor(built: { body: string; version: string; changesAt: string }, viewer: string) {
    this.json = Buffer.from(built.body);
    this.#version = Number(built.version);
    this.#changesAtMs = Date.parse(built.changesAt);
    this.etag = `"${built.version}-${this.#changesAtMs.toString(36)}-${viewer}"`;
  }

  /** Compressed once, for all who read it. */
  gzipped(): Promise<Buffer> {
    this.#gzipped ??= gzipText(this.json, { level: GZIP_LEVEL });
    return this.#gzipped;
  }

  /** Whether it shows what was written up to `version`, and time alone has changed no status since. */
  shows(version: number, nowMs: number): boolean {
    return this.#version >= version && nowMs < this.#changesAtMs;
  }
}

/** How often a board was asked for and how often it had to be read from the database. */
export interface BoardCounts {
  reads: number;
  builds: number;
}

/**
 * The board's hot path. A board is a function of hotel, visible rooms, version and day: its ETag says all four, so "not
 * modified" needs nothing but the version that came with the session, and one built body serves every reader of it.
 */
export class BoardReader {
  readonly counts: BoardCounts = { reads: 0, builds: 0 };
  readonly #feed: BoardFeed;
  readonly #kept = new Map<string, BoardBody>();
  readonly #building = new Map<string, Promise<BoardBody>>();

  constructor(relay: Relay) {
    this.#feed = new BoardFeed(relay);
  }

  /** Whether `etag` is still the board of this caller. No query. @throws no_permission */
  isCurrent(scope: Scope, etag: string | undefined, boardVersion: string): boolean {
    scope.require("rooms.view");
    const [, version, changesAt, viewer] = /^(?:W\/)?"(\d+)-([0-9a-z]+)-([\w-]+)"$/.exec(etag ?? "") ?? [];
    return (
      version === boardVersion &&
      scope.now().getTime() < Number.parseInt(changesAt ?? "", 36) &&
      viewer === viewerOf(scope)
    );
  }

  /** The board, at least as new as `boardVersion`; concurrent readers wait for one build. @throws no_permission */
  async read(scope: Scope, boardVersion: string): Promise<BoardBody> {
    scope.require("rooms.view");
    this.counts.reads += 1;
    const key = viewerOf(scope);
    const version = Number(boardVersion);
    const nowMs = scope.now().getTime();
    for (;;) {
      const cached = this.#kept.get(key);
      if (cached?.shows(version, nowMs)) {
        this.#keep(key, cached);
        return cached;
      }
      // A build that began before this caller's version was written doesn't show it: then the loop builds again.
      const joined = this.#building.get(key);
      const body = await (joined ?? this.#build(scope, key));
      if (!joined || body.shows(version, nowMs)) return body;
    }
  }

  /** Word of every change of the caller's board. Returns the way out. @throws no_permission */
  watch(scope: Scope, listener: BoardListener): () => void {
    scope.require("rooms.view");
    return this.#feed.watch(scope.hotelId, listener);
  }

  #build(scope: Scope, key: string): Promise<BoardBody> {
    this.counts.builds += 1;
    const building = buildBoard(scope).then((body) => {
      this.#keep(key, body);
      return body;
    });
    this.#building.set(key, building);
    const done = (): void => {
      if (this.#building.get(key) === building) this.#building.delete(key);
    };
    building.then(done, done);
    return building;
  }

  #keep(key: string, body: BoardBody): void {
    this.#kept.delete(key);
    this.#kept.set(key, body);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_BOARDS && oldest !== undefined) this.#kept.delete(oldest);
  }
}

async function buildBoard(scope: Scope): Promise<BoardBody> {
  const now = scope.now().toISOString();
  const [built] = await scope.sql.rows<{ body: string; version: string; changesAt: string }>(
    BOARD,
    now,
    endOfDay(now, scope.hotel.timeZone),
    scope.roomIds,
  );
  if (!built) throw new Error(`hotel ${scope.hotelId} has no state row`);
  return new BoardBody(built, viewerOf(scope));
}

/** Names the hotel and the set of rooms a caller sees: those who see the same share one board. */
function viewerOf({ hotelId, roomIds }: Scope): string {
  if (roomIds === null) return `${hotelId}-all`;
  const ids = roomIds.toSorted((a, b) => a - b).join();
  return `${hotelId}-${createHash("sha256").update(ids).digest("base64url").slice(0, 16)}`;
}
