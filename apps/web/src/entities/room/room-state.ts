import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import type { HotelClock } from "@/lib/time/timers.ts";

/** Whether the guest is still in house after the planned departure. */
export function isOverdue(room: BoardRoom, now: number): boolean {
  return room.current !== null && Date.parse(room.current.endsAt) <= now;
}

/** Whether the guest is expected today or earlier and has not arrived. */
export function isArriving(room: BoardRoom, { endOfToday }: HotelClock): boolean {
  return room.next !== null && Date.parse(room.next.startsAt) < endOfToday;
}
