import type * as schema from "@innkey/shared/schemas/identity/staff";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { grantRoom, listRoomManagers, type RoomManager } from "../../identity/public.ts";
import { doorsOfLocks, roomsOfLocks } from "./locks.queries.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Lists the staff members with a grant for the lock's room; none for a lock without a room. @throws not_found for a lock
 * that the caller can't see, whatever their permissions; otherwise as `listRoomManagers`
 */
export async function listLockManagers(
  scope: Scope,
  { lockId }: { lockId: number },
): Promise<(RoomManager & { account: string })[]> {
  const [door] = await doorsOfLocks(scope, scope.reads, [lockId]);
  if (door?.roomId == null) return [];
  return listRoomManagers(scope, door.roomId);
}

/**
 * Grants a staff member the lock's room, permanently or for a period; an existing grant gets the new period. @throws
 * not_found for a lock that the caller can't see, whatever their permissions; state_conflict for a lock without a room;
 * otherwise as `grantRoom`
 */
export async function addLockManager(
  scope: Scope,
  { lockId, ...grant }: Input<typeof schema.lockManagerInput>,
): Promise<Input<typeof schema.grantRef>> {
  return scope.write(async (tx) => {
    const [roomId = 0] = await roomsOfLocks(scope, tx, [lockId]);
    return grantRoom(scope, tx, { ...grant, roomId });
  });
}
