// Other domains may import only this file of the domain.
export { customerListQuery } from "./customers.queries.ts";
export { readGuestCheckIn } from "./guest-check-in.queries.ts";
export {
  fillText,
  type MessageFacts,
  messageLanguage,
  messageValues,
  readMessageCodes,
  readMessageFacts,
} from "./guest-message-values.ts";
export { readGuestPage } from "./guest-page.queries.ts";
export { occupancyQuery } from "./occupancy.queries.ts";
export { checkPaperRows } from "./outage.queries.ts";
export { historyQuery } from "./stays.queries.ts";
