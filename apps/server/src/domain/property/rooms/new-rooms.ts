import type { RoomInput } from "@innkey/shared/schemas/rooms";
import { FREE_TEXTS, masked } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";

/**
 * Creates many rooms, each with a new lock, in as many statements as for one; `saveRoom` does the same for one room.
 * The caller must have checked rooms.manage and that names and addresses are free; otherwise the database refuses.
 * Returns the rooms' ids by name. @throws name_taken, address_taken
 */
export async function createRooms(scope: Scope, unit: Unit, rooms: readonly RoomInput[]): Promise<Map<string, number>> {
  const { hotelId } = scope;
  const createdAt = scope.now();
  const data = rooms.map(({ id: _new, lock: _own, ...room }) => ({ hotelId, ...room, createdAt }));
  const created = await unit.db.room.createManyAndReturn({ data, select: { id: true, name: true } });
  const ids = new Map(created.map(({ id, name }) => [name, id]));
  const doors = rooms.flatMap(({ name, lock }) => {
    const roomId = ids.get(name);
    return lock && roomId !== undefined ? [{ roomId, lock }] : [];
  });
  await unit.db.lock.createMany({ data: doors.map(({ roomId, lock }) => ({ hotelId, ...lock, roomId, createdAt })) });
  for (const { id: _new, lock, ...room } of rooms) {
    const roomId = ids.get(room.name) ?? 0;
    unit.journal({ action: "room.create", entity: "room", entityId: roomId, after: masked(room, FREE_TEXTS) });
    if (lock) {
      unit.journal({
        action: "room.lock",
        entity: "room",
        entityId: roomId,
        before: { lock: null },
        after: { lock },
      });
    }
  }
  unit.boardChanged();
  return ids;
}
