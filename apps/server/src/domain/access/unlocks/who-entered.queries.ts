import type { StoredOpeningReason } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { EntryKind, WhoEntered } from "@innkey/shared/schemas/access/unlocks";
import type { Scope } from "../../../kernel/scope.ts";

/** Largest number of unlocks shown per room of a stay, and at common doors. The door records contain the rest. */
export const MAX_ENTRIES = 1000;

/** When unlock `u` happened, as far as the server knows: the lock's own clock may have lost its time or be slow. */
const INSTANT = "coalesce(u.happened_at, u.received_at, u.at)";

/** The rooms that the stay occupied, each with its period. `$2`: the stay, `$3`: the caller's rooms, `$4`: now. */
const ROOMS = `
SELECT o.id AS "occupancyId", o.room_id AS "roomId", r.name AS "roomName", iso(o.starts_at) AS "from",
  CASE WHEN o.state = 'ended' THEN iso(o.ends_at) END AS "to",
  EXISTS (SELECT FROM lock l WHERE l.hotel_id = $1 AND l.room_id = o.room_id AND l.deleted_at IS NULL) AS "hasLock",
  (SELECT count(*) FROM unlock_record u WHERE u.hotel_id = $1 AND u.room_id = o.room_id AND NOT u.success
    AND ${INSTANT} >= o.starts_at AND ${INSTANT} < CASE WHEN o.state = 'ended' THEN o.ends_at ELSE $4::timestamptz END)::int AS refused
FROM occupancy o JOIN room r ON r.id = o.room_id
WHERE o.hotel_id = $1 AND o.stay_id = $2::int AND o.state IN ('in_house', 'ended') AND o.starts_at <= $4::timestamptz
  AND ($3::int[] IS NULL OR o.room_id = ANY ($3::int[]))
ORDER BY o.starts_at, o.id`;

/** An unlock `u`, classified by the stay of the card or credential, or as staff's. `$2`: the stay. */
const ENTRY = `u.id::text AS id, iso(${INSTANT}) AS at, u.style::text AS style,
  CASE WHEN u.style = 'remote' THEN 'remote' WHEN u.style = 'key' THEN 'key' WHEN u.style = 'inside' THEN 'inside'
    WHEN coalesce(c.stay_id, t.stay_id, sg.stay_id) = $2::int THEN 'party'
    WHEN c.kind = 'emergency' THEN 'emergency'
    WHEN c.spare_number IS NOT NULL THEN 'spare'
    WHEN c.kind <> 'guest' THEN 'staff'
    WHEN coalesce(c.id, t.id, sg.id) IS NOT NULL THEN 'other'
    WHEN u.operator_id IS NOT NULL THEN 'staff' ELSE 'unknown' END AS who,
  coalesce(p.person, nullif(f.note, ''), fg.name, g.name) AS person,
  CASE WHEN u.style = 'remote' THEN op.name ELSE coalesce(nullif(c.note, ''), op.name) END AS holder,
  u.opening_reason::text AS "openingReason", u.opening_note AS "openingNote"`;

const OPENERS = `LEFT JOIN card c ON c.id = u.card_id
LEFT JOIN credential t ON t.id = u.credential_id
LEFT JOIN passcode p ON p.id = t.passcode_id
LEFT JOIN face f ON f.id = t.face_id
LEFT JOIN guest fg ON fg.id = f.guest_id
LEFT JOIN stay_guest sg ON sg.id = u.stay_guest_id
LEFT JOIN guest g ON g.id = sg.guest_id
LEFT JOIN operator op ON op.id = u.operator_id`;

/** Unlocks of a room. `$2`: the stay, `$3`: a room, `$4`–`$5`: the period, `$6`: the limit. */
const ENTRIES = `SELECT ${ENTRY} FROM unlock_record u ${OPENERS}
WHERE u.hotel_id = $1 AND u.room_id = $3::int AND u.success AND ${INSTANT} >= $4::timestamptz AND ${INSTANT} < $5::timestamptz
ORDER BY ${INSTANT} DESC, u.id DESC LIMIT $6::int`;

/** Unlocks of common doors with the stay's keys. `$2`: the stay, `$3`–`$4`: the period, `$5`: the limit. */
const AT_COMMON_DOORS = `SELECT ${ENTRY}, d.id AS "doorId", d.name AS "doorName",
  ARRAY(SELECT z.name FROM zone_door zd JOIN zone z ON z.id = zd.zone_id WHERE zd.door_id = d.id ORDER BY z.name) AS zones
FROM unlock_record u JOIN door d ON d.id = u.door_id ${OPENERS}
WHERE u.hotel_id = $1 AND u.room_id IS NULL AND u.success AND ${INSTANT} >= $3::timestamptz AND ${INSTANT} < $4::timestamptz
  AND coalesce(c.stay_id, t.stay_id, sg.stay_id) = $2::int
ORDER BY ${INSTANT} DESC, u.id DESC LIMIT $5::int`;

interface RoomRow {
  occupancyId: number;
  roomId: number;
  roomName: string;
  from: string;
  to: string | null;
  hasLock: boolean;
  refused: number;
}

interface EntryRow {
  id: string;
  at: string;
  style: WhoEntered["rooms"][number]["entries"][number]["style"];
  who: EntryKind;
  person: string | null;
  holder: string | null;
  openingReason: StoredOpeningReason | null;
  openingNote: string;
}

type CommonDoorRow = EntryRow & Pick<WhoEntered["doors"][number], "doorId" | "doorName" | "zones">;

/**
 * Lists every unlock of the stay's rooms while the stay occupied them, and of common doors with its keys. Guests of other stays are never named, and staff
 * only if the caller may view staff, so that the page can be handed to the guest. @throws no_permission; not_found for
 * a stay that was in none of the caller's rooms
 */
export async function whoEntered(scope: Scope, stayId: number): Promise<WhoEntered> {
  scope.require("unlocks.view");
  scope.require("stays.view");
  const [party] = await scope.sql.rows<{ stayGuestId: number; guestName: string }>(
    `SELECT sg.id AS "stayGuestId", g.name AS "guestName" FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
      WHERE sg.hotel_id = $1 AND sg.stay_id = $2::int
        AND ($3::int[] IS NULL OR EXISTS (SELECT FROM occupancy o WHERE o.stay_id = sg.stay_id AND o.room_id = ANY ($3::int[])))
      ORDER BY sg."primary" DESC, sg.id LIMIT 1`,
    stayId,
    scope.roomIds,
  );
  if (!party) throw new DomainError("not_found");
  const now = scope.now();
  const rows = await scope.sql.rows<RoomRow>(ROOMS, stayId, scope.roomIds, now);
  const rooms: WhoEntered["rooms"] = [];
  for (const { occupancyId: _key, ...room } of rows) {
    const until = room.to ?? now.toISOString();
    const entries = await scope.sql.rows<EntryRow>(ENTRIES, stayId, room.roomId, room.from, until, MAX_ENTRIES + 1);
    rooms.push({
      ...room,
      entries: entries.slice(0, MAX_ENTRIES).map((entry) => shownEntry(scope, entry)),
      more: entries.length > MAX_ENTRIES,
    });
  }
  return { stayId, ...party, rooms, ...(await readCommonDoors(scope, stayId, rooms)) };
}

function shownEntry(
  scope: Scope,
  { person, holder, openingNote, ...entry }: EntryRow,
): WhoEntered["rooms"][number]["entries"][number] {
  return {
    ...entry,
    openingNote: scope.can("staff.view") ? openingNote : "",
    name: nameOf(scope, entry.who, person, holder),
  };
}

/** Reads what the party's keys opened besides its rooms, from when it had the first of them until it left the last. */
async function readCommonDoors(
  scope: Scope,
  stayId: number,
  rooms: WhoEntered["rooms"],
): Promise<Pick<WhoEntered, "doors" | "moreAtDoors">> {
  const [first] = rooms;
  if (!first) return { doors: [], moreAtDoors: false };
  const until = rooms.at(-1)?.to ?? scope.now().toISOString();
  const rows = await scope.sql.rows<CommonDoorRow>(AT_COMMON_DOORS, stayId, first.from, until, MAX_ENTRIES + 1);
  const doors = new Map<number, WhoEntered["doors"][number]>();
  for (const { doorId, doorName, zones, ...entry } of rows.slice(0, MAX_ENTRIES)) {
    const door = doors.get(doorId) ?? { doorId, doorName, zones, entries: [] };
    door.entries.push(shownEntry(scope, entry));
    doors.set(doorId, door);
  }
  return {
    doors: [...doors.values()].toSorted((a, b) => a.doorName.localeCompare(b.doorName)),
    moreAtDoors: rows.length > MAX_ENTRIES,
  };
}

function nameOf(scope: Scope, who: EntryKind, person: string | null, holder: string | null): string | null {
  if (who === "party") return person;
  if (who === "spare") return holder;
  return (who === "staff" || who === "emergency" || who === "remote") && scope.can("staff.view") ? holder : null;
}
