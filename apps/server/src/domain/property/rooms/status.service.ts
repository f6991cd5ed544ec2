import { DomainError } from "@innkey/shared/errors";
import type { SetStatusInput, SetStatusOutput, StatusRefusal } from "@innkey/shared/schemas/rooms";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { type LockedRoom, lockRooms } from "./room-lock.ts";

interface RoomNow extends LockedRoom {
  condition: "clean" | "dirty";
  inHouse: boolean;
  /** maintenance that blocks the room now */
  maintenanceId: number | null;
  /** reserved for a stay or later maintenance, some time before `until` */
  taken: boolean;
}

interface Change {
  room: RoomNow;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/**
 * Sets what of a room's status is set by hand: "vacant" = it was cleaned and is back in service, "dirty", or
 * "maintenance" from now until an instant or further notice. Reserved and checked-in follow from the stays.
 * Rooms succeed or fail one by one, in one unit:
 * room_in_use where someone is in the room (dirty is allowed), room_taken where maintenance would run into a booking.
 * @throws no_permission; not_found for a room the caller doesn't see; invalid_input for an end that is not to come
 */
export async function setStatus(scope: Scope, input: SetStatusInput): Promise<SetStatusOutput> {
  scope.require("rooms.status");
  if (input.status === "maintenance" && input.until !== null && input.until <= scope.now().toISOString()) {
    throw new DomainError("invalid_input", {}, { until: { key: "validation.endBeforeStart" } });
  }
  return scope.write(async (unit) => {
    await lockRooms(scope, unit, input.roomIds);
    const rooms = await readRooms(scope, unit, input);
    const refused = rooms.flatMap((room) => {
      const code = refusal(room, input.status);
      return code ? [{ roomId: room.id, roomName: room.name, code }] : [];
    });
    const allowed = rooms.filter(({ id }) => !refused.some(({ roomId }) => roomId === id));
    const changes = await APPLY[input.status](scope, unit, allowed, input);
    for (const { room, before, after } of changes) {
      unit.journal({ action: "room.status", entity: "room", entityId: room.id, before, after });
    }
    if (changes.length > 0) unit.boardChanged();
    return { updated: allowed.map(({ id }) => id), failed: refused };
  });
}

function refusal(room: RoomNow, status: SetStatusInput["status"]): StatusRefusal | null {
  if (status !== "dirty" && room.inHouse) return "room_in_use";
  if (status === "maintenance" && room.taken) return "room_taken";
  return null;
}

/** The rooms are locked, and every booking takes the same lock, so the result stays true until the transaction ends. */
function readRooms(scope: Scope, unit: Unit, input: SetStatusInput): Promise<RoomNow[]> {
  return unit.sql.rows<RoomNow>(
    `SELECT r.id, r.name, r.condition::text AS condition,
       coalesce(bool_or(o.state = 'in_house'), false) AS "inHouse",
       max(o.id) FILTER (WHERE o.kind = 'maintenance' AND o.starts_at <= $3::timestamptz) AS "maintenanceId",
       coalesce(bool_or(NOT (o.kind = 'maintenance' AND o.starts_at <= $3::timestamptz)
                        AND tstzrange(o.starts_at, o.ends_at) && tstzrange($3::timestamptz, $4::timestamptz)), false) AS taken
     FROM room r
     LEFT JOIN occupancy o ON o.hotel_id = r.hotel_id AND o.room_id = r.id
       AND (o.state = 'in_house' OR o.state = 'held' AND (o.ends_at IS NULL OR o.ends_at > $3::timestamptz))
     WHERE r.hotel_id = $1 AND r.id = ANY ($2::int[])
     GROUP BY r.id ORDER BY r.id`,
    input.roomIds,
    scope.now(),
    input.status === "maintenance" ? input.until : null,
  );
}

type Apply = (scope: Scope, unit: Unit, rooms: RoomNow[], input: SetStatusInput) => Promise<Change[]>;

const APPLY: Record<SetStatusInput["status"], Apply> = {
  vacant: setVacant,
  dirty: setDirty,
  maintenance: setMaintenance,
};

async function setVacant(scope: Scope, unit: Unit, rooms: RoomNow[]): Promise<Change[]> {
  const changed = rooms.filter((room) => room.condition === "dirty" || room.maintenanceId !== null);
  const maintenanceIds = changed.flatMap(({ maintenanceId }) => (maintenanceId === null ? [] : [maintenanceId]));
  await setCondition(unit, changed, "clean");
  await unit.db.occupancy.updateMany({
    where: { id: { in: maintenanceIds }, state: "held" },
    data: { state: "ended", endsAt: scope.now() },
  });
  return changed.map((room) => ({
    room,
    before: { condition: room.condition, maintenance: room.maintenanceId !== null },
    after: { condition: "clean", maintenance: false },
  }));
}

async function setDirty(_scope: Scope, unit: Unit, rooms: RoomNow[]): Promise<Change[]> {
  const changed = rooms.filter((room) => room.condition === "clean");
  await setCondition(unit, changed, "dirty");
  return changed.map((room) => ({ room, before: { condition: "clean" }, after: { condition: "dirty" } }));
}

async function setCondition(unit: Unit, rooms: RoomNow[], condition: "clean" | "dirty"): Promise<void> {
  await unit.db.room.updateMany({ where: { id: { in: rooms.map(({ id }) => id) } }, data: { condition } });
}

/** A room already under maintenance gets the new end and note instead of a second maintenance period. */
async function setMaintenance(scope: Scope, unit: Unit, rooms: RoomNow[], input: SetStatusInput): Promise<Change[]> {
  const { until: endsAt, note } = input;
  const running = rooms.flatMap(({ maintenanceId }) => (maintenanceId === null ? [] : [maintenanceId]));
  await unit.db.occupancy.updateMany({ where: { id: { in: running } }, data: { endsAt, note } });
  await unit.db.occupancy.createMany({
    data: rooms
      .filter(({ maintenanceId }) => maintenanceId === null)
      .map(({ id }) => ({
        hotelId: scope.hotelId,
        roomId: id,
        kind: "maintenance" as const,
        state: "held" as const,
        startsAt: scope.now(),
        endsAt,
        note,
        createdAt: scope.now(),
      })),
  });
  return rooms.map((room) => ({
    room,
    before: { maintenance: room.maintenanceId !== null },
    after: { maintenance: true, until: endsAt, note },
  }));
}
