// What other domains may use of this one; they import nothing else of it.
export { breakfastListQuery, hotelToday } from "./breakfast/breakfast.queries.ts";
export { createCustomers, lockFreeCustomer, removeCustomer } from "./customers/customers.service.ts";
export { guestListQuery } from "./guests/guests.queries.ts";
export { findOnStay, type SplitGuest, updateGuest } from "./guests/guests.service.ts";
export { openDocumentNumber, readDocumentNumber, saveGuest } from "./guests/identity.ts";
export { addGuests, readGuestInputs } from "./guests/stay-guests.ts";
export { documentHashes, isElsewhere, isVisible, normalDocumentNumber } from "./guests/visible-people.ts";
export {
  ENDED_AT,
  type LiveStay,
  type OfStay,
  partyOfGuest,
  readStay,
  selectStayForUpdate,
  withStayId,
} from "./stays/live-stay.ts";
export { endAllMaintenance, endMaintenance, startMaintenance, updateMaintenance } from "./stays/maintenance.ts";
export {
  checkCharged,
  checkExpected,
  type PricedRoom,
  priceAgain,
  priceExchange,
  priceRenewal,
  priceStay,
  readLines,
  readRoom,
  selectRoomForUpdate,
  unitOf,
} from "./stays/pricing.ts";
export { checkAlreadyIn, checkArrival, checkCustomer, checkReady, checkRenewal } from "./stays/stay-checks.ts";
export {
  cancelStay,
  checkInStay,
  checkOutStay,
  insertStay,
  moveStay,
  rebookStay,
  setDeparture,
  updateStay,
} from "./stays/write-stays.ts";
