import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";

/** A lock and the door it hangs on. */
export interface LockDoor {
  lockId: number;
  /** null: on no door */
  roomId: number | null;
}

/**
 * The doors of locks, in the order of their ids, for calls that name locks and mean rooms: what is done there asks for its
 * own permission. @throws not_found for a lock that the caller doesn't see
 */
export async function doorsOfLocks(scope: Scope, lockIds: readonly number[]): Promise<LockDoor[]> {
  const uniqueIds = [...new Set(lockIds)];
  const doors = await scope.reads.lock.findMany({
    where: { id: { in: uniqueIds }, removedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
  const visible = doors.filter(({ roomId }) => scope.roomIds === null || (roomId !== null && scope.seesRoom(roomId)));
  if (visible.length < uniqueIds.length) throw new DomainError("not_found");
  return visible.map(({ id, roomId }) => ({ lockId: id, roomId }));
}

/** The rooms of locks. @throws as above; state_conflict for a lock on no door */
export async function roomsOfLocks(scope: Scope, lockIds: readonly number[]): Promise<number[]> {
  const doors = await doorsOfLocks(scope, lockIds);
  return doors.map(({ roomId }) => {
    if (roomId === null) throw new DomainError("state_conflict");
    return roomId;
  });
}
