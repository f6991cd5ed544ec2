import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";

/** A lock and the room whose door it is on. */
export interface LockDoor {
  lockId: number;
  /** null: not on any room's door */
  roomId: number | null;
}

/**
 * Returns the rooms of locks, in the order of the locks' ids, for calls that name locks but mean rooms. The caller must
 * check the permission for what it does with them. @throws not_found for a lock that the caller may not see
 */
export async function doorsOfLocks(scope: Scope, lockIds: readonly number[]): Promise<LockDoor[]> {
  const uniqueIds = [...new Set(lockIds)];
  const doors = await scope.reads.lock.findMany({
    where: { id: { in: uniqueIds }, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
  const visible = doors.filter(({ roomId }) => scope.roomIds === null || (roomId !== null && scope.seesRoom(roomId)));
  if (visible.length < uniqueIds.length) throw new DomainError("not_found");
  return visible.map(({ id, roomId }) => ({ lockId: id, roomId }));
}

/** Returns the ids of the locks' rooms. @throws as `doorsOfLocks`; state_conflict for a lock without a room */
export async function roomsOfLocks(scope: Scope, lockIds: readonly number[]): Promise<number[]> {
  const doors = await doorsOfLocks(scope, lockIds);
  return doors.map(({ roomId }) => {
    if (roomId === null) throw new DomainError("state_conflict");
    return roomId;
  });
}
