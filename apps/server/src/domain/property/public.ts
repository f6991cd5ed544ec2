// Other domains may import only this file of the domain.
export { get as readHotel, insertHotel, updateHotel } from "./hotels.service.ts";
export { checkMinimum, withDatesByDay, writePrices } from "./prices/prices.service.ts";
export { checkGroup, createGroups, list as listGroups } from "./rooms/groups.service.ts";
export {
  endOfDay,
  page as pageOfRooms,
  ROOM_NOW,
  ROOM_ORDERS,
  requireVisibleRoom,
  statusNow,
} from "./rooms/rooms.queries.ts";
export {
  insertRoom,
  insertRooms,
  lockCardSequence,
  lockRooms,
  markRoomArchived,
  markRoomDirty,
  type RoomData,
  raiseBoardVersions,
  raiseCardSequence,
  resetCardSequence,
  setBulletin,
  setCardSequence,
  setRoomsCondition,
  updateRoom,
} from "./rooms/write-rooms.ts";
export { mayUndo, requireUndoable, undoableSince } from "./undo.ts";
