import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";

/**
 * For lists that are narrowed to a room: an empty list of a room that isn't there would look like an answer.
 * @throws not_found for a room that the hotel doesn't have, or that the caller wasn't granted
 */
export async function requireVisibleRoom(scope: Scope, roomId: number): Promise<void> {
  scope.requireRoom(roomId);
  const room = await scope.reads.room.findFirst({ where: { id: roomId }, select: { id: true } });
  if (!room) throw new DomainError("not_found");
}
