// What other domains may use of this one; they import nothing else of it.
export { get as readHotel, insertHotel, updateHotel } from "./hotels.service.ts";
export { ROOM_PRICES_JSON } from "./prices/prices.queries.ts";
export { checkMinimum, withDatesByDay, writePrices } from "./prices/write-prices.ts";
export { checkGroup, createGroups } from "./rooms/groups.service.ts";
export { endOfDay, ROOM_NOW, statusNow } from "./rooms/room-now.ts";
export { requireVisibleRoom } from "./rooms/rooms.queries.ts";
export {
  insertRoom,
  insertRooms,
  lockCardSequence,
  lockRooms,
  markRoomArchived,
  markRoomDirty,
  type RoomData,
  raiseCardSequence,
  resetCardSequence,
  setBulletin,
  setCardSequence,
  setRoomsCondition,
  touchBoards,
  updateRoom,
} from "./rooms/write-rooms.ts";
