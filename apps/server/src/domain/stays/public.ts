// Other domains may import only this file of the domain.
export {
  type BreakfastMark,
  breakfastListQuery,
  deleteTicks,
  hotelToday,
  insertTicks,
  readCardHolder,
  selectPartyForUpdate,
  selectServedForUpdate,
  setTicksEntry,
} from "./breakfast/breakfast.service.ts";
export { CALENDAR_PATH } from "./calendar-feeds/calendar-feeds.service.ts";
export { type Calendar, Calendars } from "./calendar-feeds/read-calendar.ts";
export { createCustomers, removeCustomer, selectRemovableCustomerForUpdate } from "./customers/customers.service.ts";
export {
  GuestEntrance,
  type GuestVisit,
  type GuestVisitor,
  isValidVisit,
  proofState,
  prove,
  recordDoorOpened,
} from "./guest-links/guest-entrance.ts";
export {
  deleteLinks,
  deleteOldLinks,
  linkForMessage,
  makeLink,
  revokeLink,
} from "./guest-links/guest-links.service.ts";
export { askLateDeparture } from "./guest-links/late-departure.ts";
export { guestListQuery } from "./guests/guest-list.queries.ts";
export { guestWithCards } from "./guests/guests.queries.ts";
export {
  addToStay,
  findOnStay,
  readGuestInputs,
  removeFromStay,
  type SplitGuest,
  updateGuest,
} from "./guests/guests.service.ts";
export {
  addGuests,
  checkNotInHouse,
  documentHashes,
  guestElsewhereSql,
  normalDocumentNumber,
  openDocumentNumber,
  readDocumentNumber,
  saveGuest,
  visibleGuestSql,
} from "./guests/identity.ts";
export { setNoMessages } from "./guests/no-messages.ts";
export {
  confirmBooking,
  confirmContacts,
  isBookingUnconfirmed,
  mayGiveCodes,
  unconfirmBooking,
} from "./guests/unconfirmed-contacts.ts";
export {
  deletePicturesOf,
  discardPictures,
  GUEST_PICTURE_TYPES,
  openPicture,
  type PictureOfGuest,
  readPicturesOf,
  takePictures,
} from "./pre-check-in/guest-pictures.ts";
export {
  type Registration,
  readDetailsOf,
  readPreCheckIn,
  readRegistrations,
  type SentDetails,
  savePreCheckIn,
  takePreCheckIn,
} from "./pre-check-in/pre-check-in.service.ts";
export {
  type LiveStay,
  type OfStay,
  partyOfGuest,
  readPartyIn,
  readStay,
  selectStayForUpdate,
  takesRoomSql,
  withStayId,
} from "./stays/live-stay.ts";
export {
  checkCharged,
  checkExpected,
  netLines,
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
export {
  checkArrival,
  checkCustomer,
  checkInStay,
  checkOutStay,
  checkReady,
  checkRenewal,
  endAllMaintenance,
  endMaintenance,
  endReservation,
  insertStay,
  moveStay,
  nothingSinceCheckInSql,
  readCheckIn,
  readEnd,
  rebookStay,
  recordCheckIn,
  reopenReservation,
  reopenStay,
  setDeparture,
  startMaintenance,
  takeBackArrival,
  updateMaintenance,
  updateStay,
} from "./stays/write-stays.ts";
