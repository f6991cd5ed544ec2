// What other domains may use of this one; they import nothing else of it.
export { get as readHotel } from "./hotels.queries.ts";
export { ROOM_PRICES_JSON } from "./prices/prices.queries.ts";
export { checkMinimum, withDatesByDay, writePrices } from "./prices/write-prices.ts";
export { touchBoards } from "./rooms/board.touch.ts";
export { checkGroup } from "./rooms/groups.service.ts";
export { endOfDay } from "./rooms/hotel-day.ts";
export { createRooms } from "./rooms/new-rooms.ts";
export { lockRooms } from "./rooms/room-lock.ts";
export { ROOM_NOW } from "./rooms/room-now.ts";
export { statusNow } from "./rooms/status-now.ts";
