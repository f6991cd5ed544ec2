import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../kernel/scope.ts";
import { hangLock } from "../access/public.ts";
import { lockRooms } from "../property/public.ts";

/**
 * Archives a room: its history stays, while its name, group and lock become free. Current or planned maintenance ends.
 * @throws no_permission, not_found; room_in_use while it is occupied or reserved
 */
export async function archiveRoom(scope: Scope, roomId: number): Promise<{ roomId: number }> {
  scope.require("rooms.manage");
  return scope.write(async (unit) => {
    const [room] = await lockRooms(scope, unit, [roomId]);
    const stay = await unit.db.occupancy.findFirst({
      where: { roomId, kind: "stay", state: { in: ["held", "in_house"] } },
      select: { id: true },
    });
    if (stay) throw new DomainError("room_in_use", { count: 1 });
    const now = scope.now();
    const maintenance = { roomId, kind: "maintenance", state: "held" } as const;
    await unit.db.occupancy.updateMany({
      where: { ...maintenance, startsAt: { lte: now }, OR: [{ endsAt: null }, { endsAt: { gt: now } }] },
      data: { state: "ended", endsAt: now },
    });
    await unit.db.occupancy.updateMany({
      where: { ...maintenance, startsAt: { gt: now } },
      data: { state: "cancelled" },
    });
    await hangLock(scope, unit, roomId, null);
    await unit.db.roomGrant.deleteMany({ where: { roomId } });
    await unit.db.room.updateMany({
      where: { id: roomId, archivedAt: null },
      data: { archivedAt: now, groupId: null },
    });
    unit.journal({ action: "room.archive", entity: "room", entityId: roomId, before: { name: room?.name } });
    unit.boardChanged();
    return { roomId };
  });
}
