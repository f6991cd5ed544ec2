// What other domains may use of this one; they import nothing else of it.
export { get as readHotel } from "./hotels.queries.ts";
export { insertHotel, updateHotel } from "./hotels.service.ts";
export { ROOM_PRICES_JSON } from "./prices/prices.queries.ts";
export { checkMinimum, withDatesByDay, writePrices } from "./prices/write-prices.ts";
export { touchBoards } from "./rooms/board.touch.ts";
export { checkGroup, createGroups } from "./rooms/groups.service.ts";
export { endOfDay } from "./rooms/hotel-day.ts";
export { lockRooms } from "./rooms/room-lock.ts";
export { ROOM_NOW } from "./rooms/room-now.ts";
export { statusNow } from "./rooms/status-now.ts";
export {
  insertRoom,
  insertRooms,
  lockCardSequence,
  markRoomArchived,
  markRoomDirty,
  type RoomData,
  raiseCardSequence,
  resetCardSequence,
  setBulletin,
  setCardSequence,
  setRoomsCondition,
  updateRoom,
} from "./rooms/write-rooms.ts";
