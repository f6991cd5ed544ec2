// What other domains may use of this one; they import nothing else of it.
export { get as readHotel, insertHotel, updateHotel } from "./hotels.service.ts";
export { checkMinimum, ROOM_PRICES_JSON, withDatesByDay, writePrices } from "./prices/prices.service.ts";
export { checkGroup, createGroups } from "./rooms/groups.service.ts";
export { endOfDay, ROOM_NOW, requireVisibleRoom, statusNow } from "./rooms/rooms.queries.ts";
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
