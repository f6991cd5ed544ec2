import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../kernel/scope.ts";
import { hangLock } from "../access/public.ts";
import { revokeRoomGrants } from "../identity/public.ts";
import { lockRooms, markRoomArchived } from "../property/public.ts";
import { endAllMaintenance } from "../stays/public.ts";

/**
 * Archives a room: its history stays, while its name, group and lock become free. Current or planned maintenance ends.
 * @throws no_permission, not_found; room_in_use while it is occupied or reserved
 */
export async function archiveRoom(scope: Scope, roomId: number): Promise<{ roomId: number }> {
  scope.require("rooms.manage");
  return scope.write(async (tx) => {
    const [room] = await lockRooms(scope, tx, [roomId]);
    const stay = await tx.db.occupancy.findFirst({
      where: { roomId, kind: "stay", state: { in: ["held", "in_house"] } },
      select: { id: true },
    });
    if (stay) throw new DomainError("room_in_use", { count: 1 });
    await endAllMaintenance(scope, tx, roomId);
    await hangLock(scope, tx, roomId, null);
    await revokeRoomGrants(tx, roomId);
    await markRoomArchived(scope, tx, roomId);
    tx.audit({ action: "room.archive", entity: "room", entityId: roomId, before: { name: room?.name } });
    tx.boardChanged();
    return { roomId };
  });
}
