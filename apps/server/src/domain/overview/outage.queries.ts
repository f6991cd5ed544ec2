import { DAY_MS } from "@innkey/shared/durations";
import type { Outage, PaperConflict, PaperRow } from "@innkey/shared/schemas/overview/outage";
import type { Scope } from "../../kernel/scope.ts";

/** For how long an outage counts as recent. */
const RECENT = "2 days";
/** An arrival may be entered this much later, as at the desk. */
const MAX_AGE_MS = 31 * DAY_MS;

/**
 * Returns the last time that the server was off, if that ended within the last two days; null: it did not, or the caller
 * enters no stays.
 */
export async function readOutage(scope: Scope): Promise<Outage | null> {
  if (!scope.can("stays.manage")) return null;
  const [row] = await scope.sql.prepared<Outage>(
    "last-outage",
    `SELECT iso(off_from) AS "from", iso(off_until) AS "until" FROM server_pulse
      WHERE $1::int IS NOT NULL AND off_from IS NOT NULL AND off_until > $2::timestamptz - interval '${RECENT}'`,
    scope.now(),
  );
  return row ?? null;
}

/** A room with what takes it now. */
interface RoomNow {
  name: string;
  lockId: number | null;
  lockSeenAt: string | null;
  stayId: number | null;
  stayGuestId: number | null;
  guestName: string | null;
  /** since when the party is in this room, and until when it stays */
  occupiedAt: string | null;
  endsAt: string | null;
}

const ROOM = `SELECT r.name, l.id AS "lockId", iso(l.last_seen_at) AS "lockSeenAt", o.stay_id AS "stayId",
    g.stay_guest_id AS "stayGuestId", g.name AS "guestName", iso(o.starts_at) AS "occupiedAt", iso(s.ends_at) AS "endsAt"
  FROM room r
  LEFT JOIN lock l ON l.hotel_id = $1 AND l.room_id = r.id AND l.deleted_at IS NULL
  LEFT JOIN occupancy o ON o.hotel_id = $1 AND o.room_id = r.id AND o.kind = 'stay' AND o.state = 'in_house'
  LEFT JOIN stay s ON s.id = o.stay_id
  LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
  WHERE r.hotel_id = $1 AND r.id = $2::int AND r.deleted_at IS NULL
  ORDER BY o.starts_at LIMIT 1`;

/** What is planned in the room $2 between $3 and $4, first things first. */
const PLANNED = `SELECT o.kind::text AS kind, iso(o.starts_at) AS at, g.stay_guest_id AS "stayGuestId", g.name AS "guestName"
  FROM occupancy o LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
  WHERE o.hotel_id = $1 AND o.room_id = $2::int AND o.state = 'held'
    AND tstzrange(o.starts_at, o.ends_at) && tstzrange($3::timestamptz, $4::timestamptz)
  ORDER BY o.starts_at LIMIT 1`;

/** A guest named $2 who is in the house, or expected within a day of $3; $4: the caller's rooms. */
const NAMESAKE = `SELECT s.state::text AS state, sg.id AS "stayGuestId", g.name AS "guestName", s.room_id AS "roomId", r.name AS "roomName",
    iso(s.starts_at) AS at
  FROM guest g JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.guest_id = g.id
  JOIN stay_now s ON s.hotel_id = $1 AND s.id = sg.stay_id
  JOIN room r ON r.id = s.room_id
  WHERE g.hotel_id = $1 AND lower(g.name) = lower($2)
    AND (s.state = 'checked_in' OR s.state = 'reserved' AND s.starts_at > $3::timestamptz - interval '1 day'
      AND s.starts_at < $3::timestamptz + interval '1 day')
    AND ($4::int[] IS NULL OR s.room_id = ANY ($4::int[]))
  ORDER BY s.state <> 'checked_in', s.starts_at LIMIT 1`;

/**
 * The first time after $3 that the door of the room $2 opened with a key of the stay $4, or with null, of any stay that
 * has ended. Times are the console's where a lock reported late.
 */
const OPENED = `SELECT iso(x.at) AS at, g.name AS "guestName" FROM (
    SELECT coalesce(u.happened_at, u.at) AS at, coalesce(sg.stay_id, t.stay_id, c.stay_id) AS stay_id
      FROM unlock_record u LEFT JOIN stay_guest sg ON sg.id = u.stay_guest_id
      LEFT JOIN credential t ON t.id = u.credential_id LEFT JOIN card c ON c.id = u.card_id
     WHERE u.hotel_id = $1 AND u.room_id = $2::int AND u.success AND u.at > $3::timestamptz - interval '1 day'
  ) x JOIN stay s ON s.id = x.stay_id LEFT JOIN primary_guest g ON g.stay_id = s.id
  WHERE x.at > $3::timestamptz AND (x.stay_id = $4::int OR $4::int IS NULL AND s.state = 'checked_out')
  ORDER BY x.at LIMIT 1`;

const NOTHING: Omit<PaperConflict, "kind"> = {
  guestName: null,
  stayGuestId: null,
  roomId: null,
  roomName: null,
  lockId: null,
  at: null,
};
const conflict = (kind: PaperConflict["kind"], about: Partial<Omit<PaperConflict, "kind">> = {}): PaperConflict => ({
  kind,
  ...NOTHING,
  ...about,
});

/** What the earlier rows of a list do to rooms, if they are applied first. */
interface EarlierRows {
  vacated: Set<number>;
  taken: Map<number, string | null>;
  /** guests who are checked in, by their names in small letters, with their rooms */
  guests: Map<string, { roomId: number; roomName: string | null }>;
}

const readRoomNow = async (scope: Scope, roomId: number): Promise<RoomNow | null> =>
  scope.seesRoom(roomId) ? ((await scope.sql.prepared<RoomNow>("paper-room", ROOM, roomId))[0] ?? null) : null;

/** Checks the time of a row against now. */
function checkTime(scope: Scope, at: string): PaperConflict[] {
  const age = scope.now().getTime() - Date.parse(at);
  if (age < 0) return [conflict("time_future", { at })];
  return age > MAX_AGE_MS ? [conflict("time_old", { at })] : [];
}

/** Checks what the door says about keys after `at`: of the stay, or with null, of all that have ended. */
async function checkDoor(
  scope: Scope,
  roomId: number,
  { name, lockId, lockSeenAt }: RoomNow,
  at: string,
  stayId: number | null,
): Promise<PaperConflict[]> {
  if (lockId === null) return [];
  const conflicts: PaperConflict[] = [];
  const outage = await readOutage(scope);
  const since = outage && outage.until > at ? outage.until : at;
  if (lockSeenAt === null || lockSeenAt < since) {
    const seenAt = scope.can("locks.view") ? lockSeenAt : null;
    conflicts.push(conflict("lock_silent", { roomId, roomName: name, lockId, at: seenAt }));
  }
  type Opened = { at: string; guestName: string | null };
  const [opened] = await scope.sql.prepared<Opened>("paper-opened", OPENED, roomId, at, stayId);
  if (opened) {
    const details = scope.can("unlocks.view") ? opened : {};
    conflicts.push(conflict("opened_after", { roomId, roomName: name, ...details }));
  }
  return conflicts;
}

/** Checks whether a party may be in the room from `startsAt` to `endsAt`. */
async function checkRoomFree(
  scope: Scope,
  roomId: number,
  room: RoomNow,
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  earlier: EarlierRows,
): Promise<PaperConflict[]> {
  const { name: roomName, stayId, guestName, stayGuestId, occupiedAt } = room;
  const taken = earlier.taken.get(roomId);
  if (taken !== undefined) return [conflict("room_in_list", { roomId, roomName, guestName: taken })];
  if (stayId !== null && !earlier.vacated.has(roomId))
    return [conflict("room_occupied", { roomId, roomName, guestName, stayGuestId, at: occupiedAt })];
  type Planned = { kind: "stay" | "maintenance"; at: string; stayGuestId: number | null; guestName: string | null };
  const [planned] = await scope.sql.prepared<Planned>("paper-planned", PLANNED, roomId, startsAt, endsAt);
  if (!planned) return [];
  const { kind, ...about } = planned;
  return [conflict(kind === "stay" ? "room_reserved" : "room_maintenance", { roomId, roomName, ...about })];
}

async function checkArrivalRow(
  scope: Scope,
  row: Extract<PaperRow, { act: "check_in" }>,
  earlier: EarlierRows,
): Promise<PaperConflict[]> {
  const room = await readRoomNow(scope, row.roomId);
  if (!room) return [conflict("room_unknown")];
  const conflicts = checkTime(scope, row.startsAt);
  if (Date.parse(row.endsAt) <= scope.now().getTime()) conflicts.push(conflict("departure_past", { at: row.endsAt }));
  const listed = earlier.guests.get(row.guestName.toLowerCase());
  if (listed) conflicts.push(conflict("guest_in_list", { guestName: row.guestName, ...listed }));
  type Namesake = Pick<PaperConflict, "stayGuestId" | "guestName" | "roomId" | "roomName" | "at"> & { state: string };
  const [namesake] = await scope.sql.prepared<Namesake>(
    "paper-namesake",
    NAMESAKE,
    row.guestName,
    row.startsAt,
    scope.roomIds,
  );
  if (namesake) {
    const { state, ...about } = namesake;
    conflicts.push(conflict(state === "checked_in" ? "guest_in_house" : "guest_expected", about));
  }
  const free = await checkRoomFree(scope, row.roomId, room, row, earlier);
  // One sentence about the guest's own reservation or stay says it all.
  conflicts.push(...free.filter(({ stayGuestId }) => stayGuestId === null || stayGuestId !== namesake?.stayGuestId));
  conflicts.push(...(await checkDoor(scope, row.roomId, room, row.startsAt, null)));
  return conflicts;
}

async function checkDepartureRow(
  scope: Scope,
  { roomId, at }: { roomId: number; at: string },
  earlier: EarlierRows,
): Promise<{ room: RoomNow | null; conflicts: PaperConflict[] }> {
  const room = await readRoomNow(scope, roomId);
  if (!room) return { room, conflicts: [conflict("room_unknown")] };
  const conflicts = checkTime(scope, at);
  // Whoever moves in with an earlier row is checked when that row has been applied.
  if (earlier.taken.has(roomId)) return { room, conflicts };
  const { stayId, stayGuestId, guestName, occupiedAt, name: roomName } = room;
  if (stayId === null || earlier.vacated.has(roomId)) {
    return { room, conflicts: [...conflicts, conflict("room_empty", { roomId, roomName })] };
  }
  if (occupiedAt !== null && occupiedAt > at)
    conflicts.push(conflict("before_arrival", { roomId, roomName, guestName, stayGuestId, at: occupiedAt }));
  conflicts.push(...(await checkDoor(scope, roomId, room, at, stayId)));
  return { room, conflicts };
}

async function checkMoveRow(
  scope: Scope,
  row: Extract<PaperRow, { act: "change_room" }>,
  earlier: EarlierRows,
): Promise<PaperConflict[]> {
  const { room: from, conflicts } = await checkDepartureRow(scope, { roomId: row.fromRoomId, at: row.at }, earlier);
  const to = await readRoomNow(scope, row.roomId);
  if (!to) return [conflict("room_unknown")];
  const now = scope.now().toISOString();
  if (from?.endsAt && from.endsAt <= now) {
    const { guestName, stayGuestId, name: roomName, endsAt: at } = from;
    return [...conflicts, conflict("stay_over", { guestName, stayGuestId, roomId: row.fromRoomId, roomName, at })];
  }
  const endsAt = from?.endsAt ?? now;
  return [...conflicts, ...(await checkRoomFree(scope, row.roomId, to, { startsAt: now, endsAt }, earlier))];
}

/**
 * Returns for each row what speaks against it, as if the rows before it that have no conflict had been applied. Rooms
 * that the caller can't see are unknown. @throws no_permission
 */
export async function checkPaperRows(scope: Scope, rows: readonly PaperRow[]): Promise<PaperConflict[][]> {
  scope.require("stays.manage");
  const earlier: EarlierRows = { vacated: new Set(), taken: new Map(), guests: new Map() };
  const checked: PaperConflict[][] = [];
  for (const row of rows) {
    const conflicts = await checkRow(scope, row, earlier);
    checked.push(conflicts);
    if (conflicts.length > 0) continue;
    noteRow(row, earlier);
    if (row.act === "check_in") await noteGuest(scope, row, earlier);
  }
  return checked;
}

async function checkRow(scope: Scope, row: PaperRow, earlier: EarlierRows): Promise<PaperConflict[]> {
  switch (row.act) {
    case "check_in":
      return checkArrivalRow(scope, row, earlier);
    case "check_out":
      return (await checkDepartureRow(scope, row, earlier)).conflicts;
    case "change_room":
      return checkMoveRow(scope, row, earlier);
  }
}

async function noteGuest(
  scope: Scope,
  { guestName, roomId }: Extract<PaperRow, { act: "check_in" }>,
  { guests }: EarlierRows,
): Promise<void> {
  const room = await readRoomNow(scope, roomId);
  guests.set(guestName.toLowerCase(), { roomId, roomName: room?.name ?? null });
}

function noteRow(row: PaperRow, { vacated, taken }: EarlierRows): void {
  const left = row.act === "change_room" ? row.fromRoomId : row.act === "check_out" ? row.roomId : null;
  const guestName = row.act === "check_in" ? row.guestName : null;
  if (left !== null) {
    vacated.add(left);
    taken.delete(left);
  }
  if (row.act !== "check_out") {
    taken.set(row.roomId, guestName);
    vacated.delete(row.roomId);
  }
}
