// What other domains may use of this one; they import nothing else from it.
export { isColleagueOnly, maskedContact } from "./login/accounts.ts";
export type { Sessions } from "./login/sessions.ts";
export { revokeRoomGrants } from "./staff/permissions.service.ts";
export { endMembership } from "./staff/staff.service.ts";
export { HAS_SECOND_FACTOR } from "./two-step/factors.ts";
