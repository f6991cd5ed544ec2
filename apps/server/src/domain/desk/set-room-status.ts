import { DomainError } from "@innkey/shared/errors";
import type {
  RestoreStatusInput,
  SetStatusInput,
  SetStatusOutput,
  StatusRefusal,
} from "@innkey/shared/schemas/property/rooms";
import type { Scope } from "../../kernel/scope.ts";
import { FREE_TEXTS, masked, type Transaction } from "../../kernel/transaction.ts";
import { lockRooms, mayUndo, setRoomsCondition } from "../property/public.ts";
import { endMaintenance, startMaintenance, updateMaintenance } from "../stays/public.ts";

interface RoomNow {
  id: number;
  name: string;
  condition: "clean" | "dirty";
  inHouse: boolean;
  /** occupancy of the maintenance that blocks the room now */
  maintenanceId: number | null;
  /** its end, null until further notice, and its note */
  maintenanceEndsAt: string | null;
  maintenanceNote: string | null;
  /** reserved for a stay or later maintenance, some time before `until` */
  isBooked: boolean;
}

interface Change {
  room: RoomNow;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/**
 * Sets the part of a room's status that people set: "vacant" means cleaned and in service, "dirty", or "maintenance"
 * from now until an instant or further notice. Reserved and checked in follow from the stays. Each room succeeds or
 * fails separately: room_in_use while somebody is in it (dirty is allowed), room_taken if maintenance would overlap a
 * booking. @throws no_permission; not_found for a room the caller doesn't see; invalid_input for an end in the past
 */
export async function setStatus(scope: Scope, input: SetStatusInput): Promise<SetStatusOutput> {
  scope.require("rooms.status");
  if (input.status === "maintenance" && input.until !== null && input.until <= scope.now().toISOString()) {
    throw new DomainError("invalid_input", {}, { until: { key: "validation.endBeforeStart" } });
  }
  return scope.write(async (tx) => {
    await lockRooms(scope, tx, input.roomIds);
    const rooms = await readRooms(scope, tx, input);
    const refused = rooms.flatMap((room) => {
      const code = refusal(room, input.status);
      return code ? [{ roomId: room.id, roomName: room.name, code }] : [];
    });
    const allowed = rooms.filter(({ id }) => !refused.some(({ roomId }) => roomId === id));
    const changes = await APPLY[input.status](scope, tx, allowed, input);
    for (const { room, before, after } of changes) {
      tx.audit({ action: "room.status", entity: "room", entityId: room.id, before, after: masked(after, FREE_TEXTS) });
    }
    if (changes.length > 0) tx.boardChanged(changes.map(({ room }) => room.id));
    const changed = changes.map(({ room }) => ({ roomId: room.id, roomName: room.name, ...setPartOf(room) }));
    return { updated: allowed.map(({ id }) => id), failed: refused, changed };
  });
}

type SetPart = Pick<SetStatusOutput["changed"][number], "condition" | "maintenance">;

function setPartOf({ condition, maintenanceId, maintenanceEndsAt, maintenanceNote }: RoomNow): SetPart {
  const maintenance = maintenanceId === null ? null : { endsAt: maintenanceEndsAt, note: maintenanceNote ?? "" };
  return { condition, maintenance };
}

/** Whether a room still has what a change to `status` gave it. */
function hasStatus({ condition, maintenanceId }: RoomNow, status: SetStatusInput["status"]): boolean {
  if (status === "maintenance") return maintenanceId !== null;
  return status === "dirty" ? condition === "dirty" : condition === "clean" && maintenanceId === null;
}

/**
 * Undoes a change of status, for each room separately: state_conflict if its status was changed again since, undo_over
 * if that is too long ago, room_in_use or room_taken if maintenance can't begin again. @throws no_permission; not_found for a room the caller
 * doesn't see
 */
export async function restoreStatus(
  scope: Scope,
  { status, rooms: targets }: RestoreStatusInput,
): Promise<Pick<SetStatusOutput, "updated" | "failed">> {
  scope.require("rooms.status");
  return scope.write(async (tx) => {
    const roomIds = targets.map(({ roomId }) => roomId);
    await lockRooms(scope, tx, roomIds);
    const now = scope.now().toISOString();
    const changedAt = await readChanges(tx, roomIds);
    const failed: SetStatusOutput["failed"] = [];
    const updated: number[] = [];
    for (const { roomId, condition, maintenance: earlier } of targets) {
      const maintenance = earlier && (earlier.endsAt === null || earlier.endsAt > now) ? earlier : null;
      const until = maintenance?.endsAt ?? null;
      const [room] = await readRooms(scope, tx, { roomIds: [roomId], status: "maintenance", until });
      if (!room) continue;
      const at = changedAt.get(roomId);
      const code =
        at === undefined || !hasStatus(room, status)
          ? "state_conflict"
          : (maintenance && refusal(room, "maintenance")) ||
            ((await mayUndo(scope, tx.sql, { act: "room_status", at })) ? null : "undo_over");
      if (code) {
        failed.push({ roomId, roomName: room.name, code });
        continue;
      }
      await restoreRoom(scope, tx, room, { condition, maintenance });
      updated.push(roomId);
    }
    if (updated.length > 0) tx.boardChanged(updated);
    return { updated, failed };
  });
}

/** Returns when people last changed the status of each room. */
async function readChanges(tx: Transaction, roomIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx.sql.rows<{ roomId: number; at: string }>(
    `SELECT a.entity_id::int AS "roomId", iso(max(a.at)) AS at FROM audit_entry a
      WHERE a.hotel_id = $1 AND a.entity = 'room' AND a.entity_id = ANY ($2::text[]) AND a.action = 'room.status'
      GROUP BY a.entity_id`,
    roomIds.map(String),
  );
  return new Map(rows.map(({ roomId, at }) => [roomId, at]));
}

async function restoreRoom(scope: Scope, tx: Transaction, room: RoomNow, { condition, maintenance }: SetPart) {
  await setRoomsCondition(tx, [room.id], condition);
  if (!maintenance && room.maintenanceId !== null) await endMaintenance(scope, tx, [room.maintenanceId]);
  if (maintenance && room.maintenanceId === null) await startMaintenance(scope, tx, [room.id], maintenance);
  if (maintenance && room.maintenanceId !== null) await updateMaintenance(tx, [room.maintenanceId], maintenance);
  tx.audit({
    action: "room.status_undo",
    entity: "room",
    entityId: room.id,
    before: { condition: room.condition, maintenance: room.maintenanceId !== null },
    after: { condition, maintenance: maintenance !== null },
  });
}

function refusal(room: RoomNow, status: SetStatusInput["status"]): StatusRefusal | null {
  if (status !== "dirty" && room.inHouse) return "room_in_use";
  if (status === "maintenance" && room.isBooked) return "room_taken";
  return null;
}

/** The rooms are locked, and every booking takes the same lock, so the result stays true until the transaction ends. */
function readRooms(
  scope: Scope,
  tx: Transaction,
  input: Pick<SetStatusInput, "roomIds" | "status" | "until">,
): Promise<RoomNow[]> {
  return tx.sql.rows<RoomNow>(
    `SELECT r.id, r.name, r.condition::text AS condition,
       coalesce(bool_or(o.state = 'in_house'), false) AS "inHouse",
       max(o.id) FILTER (WHERE o.kind = 'maintenance' AND o.starts_at <= $3::timestamptz) AS "maintenanceId",
       iso(max(o.ends_at) FILTER (WHERE o.kind = 'maintenance' AND o.starts_at <= $3::timestamptz)) AS "maintenanceEndsAt",
       max(o.note) FILTER (WHERE o.kind = 'maintenance' AND o.starts_at <= $3::timestamptz) AS "maintenanceNote",
       coalesce(bool_or(NOT (o.kind = 'maintenance' AND o.starts_at <= $3::timestamptz)
                        AND tstzrange(o.starts_at, o.ends_at) && tstzrange($3::timestamptz, $4::timestamptz)), false) AS "isBooked"
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

type Apply = (scope: Scope, tx: Transaction, rooms: RoomNow[], input: SetStatusInput) => Promise<Change[]>;

const APPLY: Record<SetStatusInput["status"], Apply> = {
  vacant: setVacant,
  dirty: setDirty,
  maintenance: setMaintenance,
};

async function setVacant(scope: Scope, tx: Transaction, rooms: RoomNow[]): Promise<Change[]> {
  const changed = rooms.filter((room) => room.condition === "dirty" || room.maintenanceId !== null);
  const maintenanceIds = changed.flatMap(({ maintenanceId }) => (maintenanceId === null ? [] : [maintenanceId]));
  await setRoomsCondition(tx, idsOf(changed), "clean");
  await endMaintenance(scope, tx, maintenanceIds);
  return changed.map((room) => ({
    room,
    before: { condition: room.condition, maintenance: room.maintenanceId !== null },
    after: { condition: "clean", maintenance: false },
  }));
}

async function setDirty(_scope: Scope, tx: Transaction, rooms: RoomNow[]): Promise<Change[]> {
  const changed = rooms.filter((room) => room.condition === "clean");
  await setRoomsCondition(tx, idsOf(changed), "dirty");
  return changed.map((room) => ({ room, before: { condition: "clean" }, after: { condition: "dirty" } }));
}

const idsOf = (rooms: readonly RoomNow[]): number[] => rooms.map(({ id }) => id);

/** A room already under maintenance gets the new end and note instead of a second maintenance period. */
async function setMaintenance(
  scope: Scope,
  tx: Transaction,
  rooms: RoomNow[],
  input: SetStatusInput,
): Promise<Change[]> {
  const { until: endsAt, note } = input;
  const running = rooms.flatMap(({ maintenanceId }) => (maintenanceId === null ? [] : [maintenanceId]));
  await updateMaintenance(tx, running, { endsAt, note });
  const inService = rooms.filter(({ maintenanceId }) => maintenanceId === null);
  await startMaintenance(scope, tx, idsOf(inService), { endsAt, note });
  return rooms.map((room) => ({
    room,
    before: { maintenance: room.maintenanceId !== null },
    after: { maintenance: true, until: endsAt, note },
  }));
}
