// Other domains may import only this file of the domain.
export { isColleagueOnly, maskedContact } from "./login/accounts.ts";
export type { Sessions } from "./login/sessions.ts";
export { grantRoom, managersOf, type RoomManager, revokeRoomGrants } from "./staff/permissions.service.ts";
export { endMembership } from "./staff/staff.service.ts";
export { HAS_SECOND_FACTOR } from "./two-step/factors.ts";
