import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";

/**
 * Checks the room of a filtered list, because an empty list would look valid for a room that doesn't exist. @throws
 * not_found for a room that the hotel doesn't have, or that the caller can't see
 */
export async function requireVisibleRoom(scope: Scope, roomId: number): Promise<void> {
  scope.requireRoom(roomId);
  const room = await scope.reads.room.findFirst({ where: { id: roomId }, select: { id: true } });
  if (!room) throw new DomainError("not_found");
}
