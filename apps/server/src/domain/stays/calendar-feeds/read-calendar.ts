import { createHash } from "node:crypto";
import { MINUTE_MS } from "@innkey/shared/durations";
import { DomainError } from "@innkey/shared/errors";
import { addDays, businessDate, localDate } from "@innkey/shared/hotel-time";
import type { Database } from "../../../adapters/postgres/client.ts";
import { networkOf } from "../../../adapters/process/network-of.ts";
import type { RateLimiter, RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { tooManyAttempts } from "../../../kernel/errors.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import { translator } from "../../../kernel/translate.ts";
import { type CalendarEvent, calendarFile } from "./calendar-file.ts";
import { calendarHash } from "./calendar-secrets.ts";

export interface Calendar {
  text: string;
  /** depends on the content alone */
  etag: string;
  changedAt: Date;
}

interface Deps {
  database: Pick<Database, "pool">;
  clock: Clock;
  scopes: SystemScopes;
  rateLimits: RateLimits;
}

/** Of a calendar in one network: programs read every few minutes, some sites on behalf of several people. */
const READ_LIMIT = { points: 120, duration: 60 * 60 };
/** Of a calendar in all networks together, which several sites may have */
const FEED_LIMIT = { points: 1_200, duration: 60 * 60 };
/** Of a network: addresses that lead to no calendar */
const FAILURE_LIMIT = { points: 60, duration: 60 };
/** `last_read_at` is updated at most this often. */
const TOUCH_MS = 5 * MINUTE_MS;
const MAX_EVENTS = 10_000;
const UID_BYTES = 16;

const FEED = `SELECT f.id, f.hotel_id AS "hotelId", f.room_id AS "roomId", r.name AS "roomName", f.shows_names AS "showsNames",
    f.content_tag AS "contentTag", iso(f.changed_at) AS "changedAt", f.last_read_at IS NULL OR f.last_read_at <= $2 AS stale
  FROM calendar_feed f LEFT JOIN room r ON r.id = f.room_id
  WHERE f.token_hash = $1 AND f.revoked_at IS NULL AND r.deleted_at IS NULL`;

interface FeedRow {
  id: number;
  hotelId: number;
  roomId: number | null;
  roomName: string | null;
  showsNames: boolean;
  contentTag: string;
  changedAt: string | null;
  stale: boolean;
}

/** Calendars of busy periods, which other programs read with a secret address. */
export class Calendars {
  readonly #deps: Deps;
  readonly #reads: RateLimiter;
  readonly #feeds: RateLimiter;
  readonly #failures: RateLimiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#reads = deps.rateLimits("calendarReads", READ_LIMIT);
    this.#feeds = deps.rateLimits("calendarFeeds", FEED_LIMIT);
    this.#failures = deps.rateLimits("calendarFailures", FAILURE_LIMIT);
  }

  /** Returns the calendar of a secret. @throws not_found if it is wrong or revoked, or the room was removed; too_many_attempts */
  async read(token: string, address: string): Promise<Calendar> {
    const { database, clock, scopes } = this.#deps;
    const now = clock.now();
    const values = [calendarHash(token), new Date(now.getTime() - TOUCH_MS)];
    const [feed] = (await database.pool.query<FeedRow>({ name: "calendar-feed", text: FEED, values })).rows;
    const scope = feed && (await scopes(feed.hotelId));
    if (!feed || !scope) {
      await take(this.#failures, networkOf(address));
      throw new DomainError("not_found");
    }
    await take(this.#reads, `${feed.id} ${networkOf(address)}`);
    await take(this.#feeds, String(feed.id));
    const name = feed.roomName === null ? scope.hotel.name : `${scope.hotel.name} · ${feed.roomName}`;
    const events = await readEvents(scope, feed);
    const write = (changedAt: Date): string => calendarFile(name, events, changedAt.toISOString());
    const contentTag = createHash("sha256")
      .update(write(new Date(0)))
      .digest("base64url");
    const changedAt = await this.#recordRead(feed, contentTag, now);
    return { text: write(changedAt), etag: `W/"${contentTag}"`, changedAt };
  }

  /** Returns when the content last changed. */
  async #recordRead({ id, ...feed }: FeedRow, contentTag: string, now: Date): Promise<Date> {
    if (feed.contentTag === contentTag && feed.changedAt !== null && !feed.stale) return new Date(feed.changedAt);
    const { rows } = await this.#deps.database.pool.query<{ changedAt: string }>(
      `UPDATE calendar_feed SET last_read_at = $3, content_tag = $2,
          changed_at = CASE WHEN content_tag = $2 THEN changed_at ELSE $3 END
        WHERE id = $1 RETURNING iso(changed_at) AS "changedAt"`,
      [id, contentTag, now],
    );
    return rows[0] ? new Date(rows[0].changedAt) : now;
  }
}

async function take(limiter: RateLimiter, key: string): Promise<void> {
  const waitMs = await limiter.take(key);
  if (waitMs !== null) throw tooManyAttempts(waitMs);
}

/** Periods that occupy a room now or later. A party that hasn't left occupies it until now at least. */
const BUSY = `SELECT o.id, r.name AS "roomName", o.kind::text AS kind, s.unit::text AS unit,
    iso(o.starts_at) AS "startsAt", iso(o.ends_at) AS "endsAt", o.state = 'in_house' AS "isHere",
    CASE WHEN $3::bool THEN p.name END AS "guestName"
  FROM occupancy o
  JOIN room r ON r.id = o.room_id AND r.deleted_at IS NULL
  LEFT JOIN stay s ON s.id = o.stay_id
  LEFT JOIN primary_guest p ON p.stay_id = o.stay_id
  WHERE o.hotel_id = $1 AND o.state IN ('held', 'in_house') AND ($2::int IS NULL OR o.room_id = $2::int)
    AND (o.state = 'in_house' OR o.ends_at IS NULL OR o.ends_at > $4::timestamptz)
  ORDER BY o.starts_at, o.id LIMIT $5::int`;

interface BusyRow {
  id: number;
  roomName: string;
  kind: "stay" | "maintenance";
  unit: string | null;
  startsAt: string;
  endsAt: string | null;
  isHere: boolean;
  guestName: string | null;
}

async function readEvents(scope: Scope, { roomId, showsNames }: FeedRow): Promise<CalendarEvent[]> {
  const rows = await scope.sql.rows<BusyRow>(BUSY, roomId, showsNames, scope.now(), MAX_EVENTS);
  const t = translator(scope.language);
  return rows.map((row) => {
    const what = row.guestName ?? t(row.kind === "maintenance" ? "calendarFeed.outOfService" : "calendarFeed.busy");
    return {
      uid: uidOf(scope, row.id),
      summary: roomId === null ? `${row.roomName} · ${what}` : what,
      period: periodOf(scope, row),
    };
  });
}

/** Returns a name that stays the same. The numbers of occupancies would tell how many the hotels of this server have. */
const uidOf = ({ secrets }: Scope, id: number): string =>
  `${secrets.message.fingerprint(`calendar event:${id}`).subarray(0, UID_BYTES).toString("base64url")}@innkey`;

/** Returns the nights of an occupancy; for hours within a day the hours, because the night is free. */
function periodOf(scope: Scope, { unit, startsAt, endsAt, isHere }: BusyRow): CalendarEvent["period"] {
  const { timeZone, dayStartTime } = scope.hotel;
  const now = scope.now().toISOString();
  const today = businessDate(now, timeZone, dayStartTime);
  const from = businessDate(startsAt, timeZone, dayStartTime);
  // Programs need an end; what has none is shown to the end of the next year.
  if (endsAt === null) return { from, until: `${Number(today.slice(0, 4)) + 2}-01-01` };
  const isOverdue = isHere && endsAt <= now;
  if (isOverdue) return { from, until: addDays(today, 1) };
  const until = localDate(endsAt, timeZone);
  if (unit === "hour" && localDate(startsAt, timeZone) === until) return { startsAt, endsAt };
  return { from, until: until > from ? until : addDays(from, 1) };
}
