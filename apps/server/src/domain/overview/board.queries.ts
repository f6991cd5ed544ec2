import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Scope } from "../../kernel/scope.ts";
import { endOfDay, ROOM_NOW } from "../property/public.ts";

/**
 * Builds the whole board as JSON text in one statement, so that version, rooms and groups are of one moment. The text
 * is sent as it is, without parsing it here (measured: twice as fast as building JSON from rows). Shape: `board` in
 * packages/shared/src/schemas/property/rooms.ts. Parameters as for ROOM_NOW.
 */
const BOARD = `WITH ${ROOM_NOW},
  state AS (SELECT board_version::text AS version FROM hotel_state WHERE hotel_id = $1),
  turn AS (
    SELECT iso(least($3::timestamptz,
      min(starts_at) FILTER (WHERE starts_at > $2::timestamptz),
      min(ends_at) FILTER (WHERE ends_at > $2::timestamptz))) AS changes_at
    FROM live WHERE kind = 'maintenance'
  )
  SELECT state.version, turn.changes_at AS "changesAt",
    '{"version":"' || state.version || '","changesAt":"' || turn.changes_at || '","groups":' ||
    coalesce((SELECT json_agg(json_build_object('id', id, 'name', name, 'sort', sort) ORDER BY sort, name)
              FROM room_group WHERE hotel_id = $1), '[]')::text || ',"rooms":' ||
    coalesce((SELECT json_agg(n ORDER BY n.sort, n.id) FROM room_now n), '[]')::text || '}' AS body
  FROM state, turn`;

const gzipText = promisify(gzip);
const GZIP_LEVEL = 6;

/** Number of cached boards; the least recently used is evicted first. A board of 500 rooms has about 200 kB with its gzip. */
const MAX_CACHED_BOARDS = 100;

/** A board serialised for the response. */
class BoardBody {
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

  /** Compresses the board once, for all readers. */
  gzipped(): Promise<Buffer> {
    this.#gzipped ??= gzipText(this.json, { level: GZIP_LEVEL });
    return this.#gzipped;
  }

  /** Checks whether the board includes all writes up to `version`, and no status has changed since by time alone. */
  isCurrent(version: number, nowMs: number): boolean {
    return this.#version >= version && nowMs < this.#changesAtMs;
  }
}

/** Number of board requests, and how many had to read the database. */
interface BoardCounts {
  reads: number;
  builds: number;
}

/**
 * Serves the board, the most frequent request. A board depends on hotel, visible rooms, version and day, and its ETag
 * encodes all four. So "not modified" needs only the version loaded with the session, and one cached body serves all
 * its readers.
 */
export class BoardReader {
  readonly counts: BoardCounts = { reads: 0, builds: 0 };
  readonly #cache = new Map<string, BoardBody>();
  readonly #builds = new Map<string, Promise<BoardBody>>();

  /** Checks without a query whether `etag` is the caller's current board. @throws no_permission */
  isCurrent(scope: Scope, etag: string | undefined, boardVersion: string): boolean {
    scope.require("rooms.view");
    const [, version, changesAt, viewer] = /^(?:W\/)?"(\d+)-([0-9a-z]+)-([\w-]+)"$/.exec(etag ?? "") ?? [];
    return (
      version === boardVersion &&
      scope.now().getTime() < Number.parseInt(changesAt ?? "", 36) &&
      viewer === viewerOf(scope)
    );
  }

  /** Returns a board at least as new as `boardVersion`; concurrent readers wait for one build. @throws no_permission */
  async read(scope: Scope, boardVersion: string): Promise<BoardBody> {
    scope.require("rooms.view");
    this.counts.reads += 1;
    const key = viewerOf(scope);
    const version = Number(boardVersion);
    const nowMs = scope.now().getTime();
    for (;;) {
      const cached = this.#cache.get(key);
      if (cached?.isCurrent(version, nowMs)) {
        this.#store(key, cached);
        return cached;
      }
      // A build that began before this caller's version was written doesn't include it; then the loop builds again.
      const runningBuild = this.#builds.get(key);
      const body = await (runningBuild ?? this.#build(scope, key));
      if (!runningBuild || body.isCurrent(version, nowMs)) return body;
    }
  }

  #build(scope: Scope, key: string): Promise<BoardBody> {
    this.counts.builds += 1;
    const build = buildBoard(scope).then((body) => {
      this.#store(key, body);
      return body;
    });
    this.#builds.set(key, build);
    const remove = (): void => {
      if (this.#builds.get(key) === build) this.#builds.delete(key);
    };
    build.then(remove, remove);
    return build;
  }

  #store(key: string, body: BoardBody): void {
    this.#cache.delete(key);
    this.#cache.set(key, body);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED_BOARDS && oldest !== undefined) this.#cache.delete(oldest);
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

/** Identifies the hotel and the set of rooms a caller can see; callers with the same set share one board. */
function viewerOf({ hotelId, roomIds }: Scope): string {
  if (roomIds === null) return `${hotelId}-all`;
  const ids = roomIds.toSorted((a, b) => a - b).join();
  return `${hotelId}-${createHash("sha256").update(ids).digest("base64url").slice(0, 16)}`;
}
