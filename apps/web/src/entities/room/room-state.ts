import type { BoardRoom } from "@innkey/shared/schemas/rooms";
import type { HotelClock } from "@/lib/time/use-clock.ts";

/** In the house past the planned departure. */
export function isOverdue(room: BoardRoom, now: number): boolean {
  return room.current !== null && Date.parse(room.current.endsAt) <= now;
}

/** Expected today or earlier and not here yet. */
export function isArriving(room: BoardRoom, { endOfToday }: HotelClock): boolean {
  return room.next !== null && Date.parse(room.next.startsAt) < endOfToday;
}
