// What other domains may use of this one; they import nothing else of it.
export { breakfastListQuery, hotelToday } from "./breakfast/breakfast.queries.ts";
export { createCustomers } from "./customers/customers.service.ts";
export { guestListQuery } from "./guests/guests.queries.ts";
export { correctGuest, findOnStay } from "./guests/guests.service.ts";
export { openDocumentNumber, readDocumentNumber, saveGuest } from "./guests/identity.ts";
export { readGuestInputs } from "./guests/stay-guests.ts";
export { documentHashes, isElsewhere, isVisible, normalDocumentNumber } from "./guests/visible-people.ts";
export { ENDED_AT } from "./stays/ended.sql.ts";
export { endOf, type LiveStay, lockStay, readStay } from "./stays/live-stay.ts";
export {
  checkCharged,
  checkExpected,
  lockRoom,
  type PricedRoom,
  priceExchange,
  priceRenewal,
  priceStay,
  readLines,
  readRoom,
} from "./stays/pricing.ts";
export { checkAlreadyIn, checkArrival, checkCustomer, checkReady, checkRenewal } from "./stays/stay-checks.ts";
