// Other domains may import only this file of the domain.
export { maskedContact } from "./login/accounts.ts";
export type { Sessions } from "./login/sessions.ts";
export {
  grantNewRooms,
  grantRoom,
  listRoomManagers,
  type RoomManager,
  revokeRoomGrants,
} from "./staff/permissions.service.ts";
export { endMembership } from "./staff/staff.service.ts";
