import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { RoomStatus } from "@innkey/shared/enums";
import type { Board, BoardDifference, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import type { Scope } from "../../kernel/scope.ts";
import { endOfDay, ROOM_NOW } from "../property/public.ts";

/** Separates the rooms of one answer. JSON text never contains it, because it escapes control characters. */
const SEPARATOR = "\u001e";

/**
 * Reads rooms in the board's order as JSON texts, which are sent as they are, without parsing them here (measured: twice
 * as fast as building JSON from rows). Shape of a room: `boardRoom` in packages/shared/src/schemas/property/rooms.ts.
 * Parameters $1 to $4 as for ROOM_NOW.
 */
const ROOMS = `turn AS (
    SELECT iso(least($3::timestamptz,
      min(starts_at) FILTER (WHERE starts_at > $2::timestamptz),
      min(ends_at) FILTER (WHERE ends_at > $2::timestamptz))) AS changes_at
    FROM live WHERE kind = 'maintenance'
  ),
  shown AS (
    SELECT coalesce(array_agg(n.id ORDER BY n.sort, n.id), '{}') AS ids,
      coalesce(string_agg(row_to_json(n)::text, E'\\x1e' ORDER BY n.sort, n.id), '') AS rooms
    FROM room_now n
  )`;

/** The whole board with its version and groups, in one statement, so that all of it is of one moment. */
const WHOLE = `WITH ${ROOM_NOW}, ${ROOMS}
  SELECT state.board_version::text AS version, turn.changes_at AS "changesAt", shown.ids, shown.rooms,
    coalesce((SELECT json_agg(json_build_object('id', id, 'name', name, 'sort', sort) ORDER BY sort, name)
              FROM room_group WHERE hotel_id = $1), '[]')::text AS groups
  FROM hotel_state state, turn, shown WHERE state.hotel_id = $1`;

const SOME_ROOMS = `WITH ${ROOM_NOW}, ${ROOMS}
  SELECT turn.changes_at AS "changesAt", shown.ids, shown.rooms FROM turn, shown`;

/** What changed after version $2; `whole` if a list of rooms can't say it. */
const CHANGES = `SELECT s.board_version::text AS version, s.board_whole_version > $2::bigint AS whole,
    ARRAY(SELECT c.room_id FROM board_room c WHERE c.hotel_id = $1 AND c.version > $2::bigint) AS "roomIds"
  FROM hotel_state s WHERE s.hotel_id = $1`;

interface RoomTexts {
  changesAt: string;
  ids: number[];
  rooms: string;
}

const gzipText = promisify(gzip);
const GZIP_LEVEL = 6;

/**
 * Number of hotels in memory; the least recently used is evicted first. A snapshot of 500 rooms has about 200 kB of rooms,
 * and as much again for each of its serialised boards.
 */
const MAX_HOTELS = 100;

/** Number of serialised boards per snapshot: one for everybody who sees all rooms, and one per set of granted rooms. */
const MAX_BODIES = 10;

/** A difference with more rooms is no cheaper than the whole board. */
const MAX_CHANGED_ROOMS = 100;

/** A board or a difference, serialised for the response. */
export class BoardBody {
  readonly json: Buffer;
  readonly etag: string;
  #gzipped: Promise<Buffer> | undefined;

  constructor(json: string, etag: string) {
    this.json = Buffer.from(json);
    this.etag = etag;
  }

  /** Compresses the board once, for all readers. */
  gzipped(): Promise<Buffer> {
    this.#gzipped ??= gzipText(this.json, { level: GZIP_LEVEL });
    return this.#gzipped;
  }
}

/** A caller's board as objects, for reads that show the same rooms in another way. */
export type BoardView = Readonly<Pick<Board, "version" | "groups" | "rooms">>;

/** Counts rooms by their status. */
export function countStatuses(rooms: readonly BoardRoom[]): Record<RoomStatus, number> {
  const counts: Record<RoomStatus, number> = { vacant: 0, reserved: 0, checked_in: 0, dirty: 0, maintenance: 0 };
  for (const { status } of rooms) counts[status] += 1;
  return counts;
}

interface ParsedRoom {
  text: string;
  room: BoardRoom;
}

/** All rooms of a hotel at one version of its board. */
class BoardSnapshot {
  readonly version: number;
  readonly changesAt: string;
  readonly #groups: string;
  readonly #rooms: ReadonlyMap<number, string>;
  readonly #parsed: Map<number, ParsedRoom>;
  readonly #bodies = new Map<string, BoardBody>();
  readonly #views = new Map<string, BoardView>();

  constructor(
    version: number,
    changesAt: string,
    groups: string,
    rooms: ReadonlyMap<number, string>,
    parsed = new Map<number, ParsedRoom>(),
  ) {
    this.version = version;
    this.changesAt = changesAt;
    this.#groups = groups;
    this.#rooms = rooms;
    this.#parsed = parsed;
  }

  /** Checks whether the snapshot includes all writes up to `version`, and no status has changed since by time alone. */
  isCurrent(version: number, nowMs: number): boolean {
    return this.version >= version && nowMs < Date.parse(this.changesAt);
  }

  /**
   * Returns the snapshot with some rooms read again. Both share one map: a reader who still has the older snapshot gets newer
   * rooms under its version, and gets them once more with the next difference.
   */
  withRooms(version: number, changed: RoomTexts): BoardSnapshot {
    const rooms = this.#rooms as Map<number, string>;
    for (const [id, text] of textsOf(changed)) rooms.set(id, text);
    // A removed maintenance may have been the next change by time. Then the board is read once more than necessary.
    const changesAt = [this.changesAt, changed.changesAt].sort()[0] ?? this.changesAt;
    return new BoardSnapshot(version, changesAt, this.#groups, rooms, this.#parsed);
  }

  /** Returns the board of a caller, with the rooms that they see, serialised once for all who see the same. */
  body(scope: Scope): BoardBody {
    const viewer = viewerOf(scope);
    const cached = this.#bodies.get(viewer);
    if (cached) return cached;
    const rooms: string[] = [];
    for (const [id, text] of this.#rooms) if (scope.seesRoom(id)) rooms.push(text);
    const json = `{"version":"${this.version}","changesAt":"${this.changesAt}","groups":${this.#groups},"rooms":[${rooms.join()}]}`;
    const body = new BoardBody(json, this.etag(viewer));
    if (this.#bodies.size >= MAX_BODIES) this.#bodies.clear();
    this.#bodies.set(viewer, body);
    return body;
  }

  /** Returns the board of a caller as objects, made once for all who see the same rooms; nobody may change them. */
  view(scope: Scope): BoardView {
    const viewer = viewerOf(scope);
    const cached = this.#views.get(viewer);
    if (cached) return cached;
    const rooms: BoardRoom[] = [];
    for (const [id, text] of this.#rooms) if (scope.seesRoom(id)) rooms.push(this.#parse(id, text));
    const view = { version: String(this.version), groups: JSON.parse(this.#groups) as Board["groups"], rooms };
    if (this.#views.size >= MAX_BODIES) this.#views.clear();
    this.#views.set(viewer, view);
    return view;
  }

  #parse(id: number, text: string): BoardRoom {
    const earlier = this.#parsed.get(id);
    if (earlier?.text === text) return earlier.room;
    const room = JSON.parse(text) as BoardRoom;
    this.#parsed.set(id, { text, room });
    return room;
  }

  /** Returns what changed for a caller since their board, as JSON. */
  difference(scope: Scope, since: string, roomIds: readonly number[]): string {
    const rooms = roomIds.filter((id) => scope.seesRoom(id)).flatMap((id) => this.#rooms.get(id) ?? []);
    const etag = JSON.stringify(this.etag(viewerOf(scope)));
    return `{"version":"${this.version}","since":"${since}","etag":${etag},"changesAt":"${this.changesAt}","rooms":[${rooms.join()}]}`;
  }

  etag(viewer: string): string {
    return `"${this.version}-${Date.parse(this.changesAt).toString(36)}-${viewer}"`;
  }
}

/** Number of board requests, how many read the whole board from the database, and how many only the changed rooms. */
interface BoardCounts {
  reads: number;
  builds: number;
  differences: number;
}

/** What a board's ETag says. */
interface BoardTag {
  version: string;
  changesAtMs: number;
  viewer: string;
}

/**
 * Serves the board, the most frequent request. A hotel is read once and then only the rooms that changed; everybody's
 * board is taken from it. A board depends on hotel, visible rooms, version and day, and its ETag encodes all four. So "not
 * modified" needs only the version loaded with the session.
 */
export class BoardReader {
  readonly counts: BoardCounts = { reads: 0, builds: 0, differences: 0 };
  readonly #snapshots = new Map<number, BoardSnapshot>();
  readonly #running = new Map<number, Promise<BoardSnapshot>>();

  /** Checks without a query whether `etag` is the caller's current board. @throws no_permission */
  isCurrent(scope: Scope, etag: string | undefined, boardVersion: string): boolean {
    scope.require("rooms.view");
    const tag = tagOf(scope, etag);
    return tag?.version === boardVersion;
  }

  /** Returns a board at least as new as `boardVersion`; concurrent readers wait for one build. @throws no_permission */
  async read(scope: Scope, boardVersion: string): Promise<BoardBody> {
    scope.require("rooms.view");
    this.counts.reads += 1;
    return (await this.#snapshot(scope, boardVersion)).body(scope);
  }

  /** Returns the board for another read of the same rooms. The caller has checked the permission for what it shows. */
  async readForOverview(scope: Scope, boardVersion: string): Promise<BoardView> {
    return (await this.#snapshot(scope, boardVersion)).view(scope);
  }

  /**
   * Returns the rooms that changed since the board with this ETag; null if only the whole board says what changed: for a
   * board of other rooms or of an earlier time of day, and after changes of groups or order. @throws no_permission
   */
  async readSince(scope: Scope, etag: string | undefined, boardVersion: string): Promise<BoardBody | null> {
    scope.require("rooms.view");
    const tag = tagOf(scope, etag);
    if (!tag) return null;
    this.counts.reads += 1;
    const snapshot = await this.#snapshot(scope, boardVersion);
    // After a backup was restored, a desk may have a newer board than the database.
    if (Number(tag.version) > snapshot.version) return null;
    const changes = await readChanges(scope, Number(tag.version));
    if (changes.roomIds === null || changes.roomIds.length > MAX_CHANGED_ROOMS) return null;
    return new BoardBody(snapshot.difference(scope, tag.version, changes.roomIds), snapshot.etag(tag.viewer));
  }

  /**
   * Returns what changed since a version of the hotel's board, as a function that cuts it for each caller; null if only
   * the whole board says it. The callers are of one hotel, and `scope` is one of them.
   */
  async changesSince(
    scope: Scope,
    since: string,
    boardVersion: string,
  ): Promise<((viewer: Scope) => BoardDifference) | null> {
    const snapshot = await this.#snapshot(scope, boardVersion);
    const { roomIds } = await readChanges(scope, Number(since));
    if (roomIds === null || roomIds.length > MAX_CHANGED_ROOMS) return null;
    const differences = new Map<string, BoardDifference>();
    return (viewer) => {
      const key = viewerOf(viewer);
      const difference =
        differences.get(key) ?? (JSON.parse(snapshot.difference(viewer, since, roomIds)) as BoardDifference);
      differences.set(key, difference);
      return difference;
    };
  }

  async #snapshot(scope: Scope, boardVersion: string): Promise<BoardSnapshot> {
    const version = Number(boardVersion);
    const nowMs = scope.now().getTime();
    const { hotelId } = scope;
    for (;;) {
      const cached = this.#snapshots.get(hotelId);
      if (cached?.isCurrent(version, nowMs)) {
        this.#store(hotelId, cached);
        return cached;
      }
      // A read that began before this caller's version was written doesn't include it; then the loop reads again.
      const running = this.#running.get(hotelId);
      const snapshot = await (running ?? this.#refresh(scope, cached));
      if (!running || snapshot.isCurrent(version, nowMs)) return snapshot;
    }
  }

  #refresh(scope: Scope, cached: BoardSnapshot | undefined): Promise<BoardSnapshot> {
    const { hotelId } = scope;
    const read = this.#readSnapshot(scope, cached).then((snapshot) => {
      this.#store(hotelId, snapshot);
      return snapshot;
    });
    this.#running.set(hotelId, read);
    const remove = (): void => {
      if (this.#running.get(hotelId) === read) this.#running.delete(hotelId);
    };
    read.then(remove, remove);
    return read;
  }

  async #readSnapshot(scope: Scope, cached: BoardSnapshot | undefined): Promise<BoardSnapshot> {
    if (cached && scope.now().getTime() < Date.parse(cached.changesAt)) {
      const { version, roomIds } = await readChanges(scope, cached.version);
      if (roomIds !== null && roomIds.length <= MAX_CHANGED_ROOMS) {
        this.counts.differences += 1;
        if (roomIds.length === 0) return cached.withRooms(version, { changesAt: cached.changesAt, ids: [], rooms: "" });
        return cached.withRooms(version, await readRooms(scope, roomIds));
      }
    }
    this.counts.builds += 1;
    return readWhole(scope);
  }

  #store(hotelId: number, snapshot: BoardSnapshot): void {
    this.#snapshots.delete(hotelId);
    this.#snapshots.set(hotelId, snapshot);
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > MAX_HOTELS && oldest !== undefined) this.#snapshots.delete(oldest);
  }
}

function textsOf({ ids, rooms }: RoomTexts): Map<number, string> {
  const texts = rooms.split(SEPARATOR);
  return new Map(ids.map((id, index) => [id, texts[index] ?? ""]));
}

async function readWhole(scope: Scope): Promise<BoardSnapshot> {
  const now = scope.now().toISOString();
  const [whole] = await scope.sql.prepared<RoomTexts & { version: string; groups: string }>(
    "board-whole",
    WHOLE,
    now,
    endOfDay(now, scope.hotel.timeZone),
    null,
  );
  if (!whole) throw new Error(`hotel ${scope.hotelId} has no state row`);
  return new BoardSnapshot(Number(whole.version), whole.changesAt, whole.groups, textsOf(whole));
}

async function readRooms(scope: Scope, roomIds: readonly number[]): Promise<RoomTexts> {
  const now = scope.now().toISOString();
  const [rooms] = await scope.sql.prepared<RoomTexts>(
    "board-rooms",
    SOME_ROOMS,
    now,
    endOfDay(now, scope.hotel.timeZone),
    roomIds,
  );
  if (!rooms) throw new Error("the rooms of the board returned no row");
  return rooms;
}

/** Returns the rooms that changed after a version; null instead of rooms if the board changed as a whole. */
async function readChanges(scope: Scope, since: number): Promise<{ version: number; roomIds: number[] | null }> {
  const [changes] = await scope.sql.prepared<{ version: string; whole: boolean; roomIds: number[] }>(
    "board-changes",
    CHANGES,
    since,
  );
  if (!changes) throw new Error(`hotel ${scope.hotelId} has no state row`);
  return { version: Number(changes.version), roomIds: changes.whole ? null : changes.roomIds };
}

/** Returns what an ETag says if it is of this caller's rooms and no status has changed since by time alone. */
function tagOf(scope: Scope, etag: string | undefined): BoardTag | null {
  const [, version, changesAt, viewer] = /^(?:W\/)?"(\d{1,15})-([0-9a-z]{1,11})-([\w-]{1,40})"$/.exec(etag ?? "") ?? [];
  if (version === undefined || changesAt === undefined || viewer === undefined) return null;
  const changesAtMs = Number.parseInt(changesAt, 36);
  if (scope.now().getTime() >= changesAtMs || viewer !== viewerOf(scope)) return null;
  return { version, changesAtMs, viewer };
}

/** Identifies the hotel and the set of rooms a caller can see; callers with the same set share one board. */
function viewerOf({ hotelId, roomIds }: Scope): string {
  if (roomIds === null) return `${hotelId}-all`;
  const ids = roomIds.toSorted((a, b) => a - b).join();
  return `${hotelId}-${createHash("sha256").update(ids).digest("base64url").slice(0, 16)}`;
}
