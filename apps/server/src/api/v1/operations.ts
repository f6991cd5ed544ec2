/** One operation of the API for other programs. Its input, answer and permission are those of a procedure. */
export interface Operation {
  /** Name for generated clients; it never changes */
  id: string;
  method: "GET" | "POST" | "DELETE";
  /** Path below /api/v1, with parameters as in OpenAPI; each is a field of the procedure's input. */
  path: string;
  /** Procedure that answers (api/trpc/router.ts) */
  procedure: string;
  tag: "rooms" | "stays" | "guests" | "customers" | "keys" | "doors";
  summary: string;
}

const rooms: Operation[] = [
  {
    ...{ id: "listRooms", method: "GET", path: "/rooms", procedure: "rooms.page", tag: "rooms" },
    summary: "Rooms by page, with their status and who is in them",
  },
  {
    ...{ id: "getRoom", method: "GET", path: "/rooms/{roomId}", procedure: "rooms.detail", tag: "rooms" },
    summary: "One room with its prices and its lock",
  },
  {
    ...{ id: "setRoomStatus", method: "POST", path: "/rooms/status", procedure: "rooms.setStatus", tag: "rooms" },
    summary: "Marks rooms as clean, dirty or under maintenance",
  },
  {
    ...{ id: "findFreeRooms", method: "GET", path: "/availability", procedure: "availability.find", tag: "rooms" },
    summary: "Free rooms for a period, with what the stay would cost in each",
  },
];

const stays: Operation[] = [
  {
    ...{ id: "quoteStay", method: "GET", path: "/quotes/stay", procedure: "stays.quote", tag: "stays" },
    summary: "Price of a stay before it is booked",
  },
  {
    ...{ id: "quoteExtension", method: "GET", path: "/quotes/extension", procedure: "stays.renewQuote", tag: "stays" },
    summary: "Price of a longer stay before it is extended",
  },
  {
    ...{ id: "reserveStay", method: "POST", path: "/stays", procedure: "stays.reserve", tag: "stays" },
    summary: "Reserves a room",
  },
  {
    ...{ id: "checkInWalkIn", method: "POST", path: "/stays/check-in", procedure: "stays.checkIn", tag: "stays" },
    summary: "Checks in a party that has no reservation",
  },
  {
    ...{ id: "getStay", method: "GET", path: "/stays/{stayId}", procedure: "stays.detail", tag: "stays" },
    summary: "One stay with its guests and its bill",
  },
  {
    ...{ id: "updateStay", method: "POST", path: "/stays/{stayId}", procedure: "stays.update", tag: "stays" },
    summary: "Changes breakfast, notes and customer of a stay",
  },
  {
    ...{ id: "checkInStay", method: "POST", path: "/stays/{stayId}/check-in", procedure: "stays.arrive", tag: "stays" },
    summary: "Checks in the party of a reservation",
  },
  {
    ...{ id: "extendStay", method: "POST", path: "/stays/{stayId}/extension", procedure: "stays.renew", tag: "stays" },
    summary: "Extends a stay",
  },
  {
    ...{ id: "changeRoom", method: "POST", path: "/stays/{stayId}/room", procedure: "stays.changeRoom", tag: "stays" },
    summary: "Moves a party to another room",
  },
  {
    ...{ id: "checkOutStay", method: "POST", path: "/stays/{stayId}/check-out", procedure: "stays.checkOut" },
    ...{ tag: "stays", summary: "Checks a party out" },
  },
  {
    ...{ id: "cancelStay", method: "POST", path: "/stays/{stayId}/cancellation", procedure: "stays.cancel" },
    ...{ tag: "stays", summary: "Cancels a reservation" },
  },
  {
    ...{ id: "markNoShow", method: "POST", path: "/stays/{stayId}/no-show", procedure: "stays.markNoShow" },
    ...{ tag: "stays", summary: "Ends a reservation whose party didn't come" },
  },
];

const guests: Operation[] = [
  {
    ...{ id: "listGuests", method: "GET", path: "/guests", procedure: "guests.list", tag: "guests" },
    summary: "Guests by page, with their stays; filtered by state, room, customer, dates or words",
  },
  {
    ...{ id: "addGuest", method: "POST", path: "/stays/{stayId}/guests", procedure: "guests.add", tag: "guests" },
    summary: "Adds a guest to a party",
  },
  {
    ...{ id: "updateGuest", method: "POST", path: "/guests/{stayGuestId}", procedure: "guests.update", tag: "guests" },
    summary: "Corrects the data of a guest",
  },
];

const customers: Operation[] = [
  {
    ...{ id: "listCustomers", method: "GET", path: "/customers", procedure: "customers.list", tag: "customers" },
    summary: "Companies and agencies that pay for stays, by page",
  },
  {
    ...{ id: "getCustomer", method: "GET", path: "/customers/{id}", procedure: "customers.detail", tag: "customers" },
    summary: "One customer",
  },
  {
    ...{ id: "saveCustomer", method: "POST", path: "/customers", procedure: "customers.save", tag: "customers" },
    summary: "Adds a customer, or changes the one whose id is given",
  },
];

const keys: Operation[] = [
  {
    ...{ id: "listDoorCodes", method: "GET", path: "/door-codes", procedure: "passcodes.list", tag: "keys" },
    summary: "Door codes by page, with their standing at each door",
  },
  {
    ...{ id: "createDoorCode", method: "POST", path: "/door-codes", procedure: "passcodes.create", tag: "keys" },
    summary: "Gives somebody a door code; the answer is the only time that it is shown",
  },
  {
    ...{ id: "endDoorCode", method: "DELETE", path: "/door-codes/{passcodeId}", procedure: "passcodes.remove" },
    ...{ tag: "keys", summary: "Ends a door code" },
  },
  {
    ...{ id: "listCardsOfStay", method: "GET", path: "/stays/{stayId}/cards", procedure: "cards.ofStay", tag: "keys" },
    summary: "Cards of a stay, with their standing",
  },
  {
    ...{ id: "revokeCard", method: "DELETE", path: "/cards/{cardId}", procedure: "cards.revoke", tag: "keys" },
    summary: "Revokes a card",
  },
];

const doors: Operation[] = [
  {
    ...{ id: "listLocks", method: "GET", path: "/locks", procedure: "locks.list", tag: "doors" },
    summary: "Locks with their battery and whether they can be reached",
  },
  {
    ...{ id: "openDoor", method: "POST", path: "/rooms/{roomId}/opening", procedure: "locks.open", tag: "doors" },
    summary: "Opens a door; the answer names the command, whose state tells whether the lock has opened",
  },
  {
    ...{ id: "getCommand", method: "GET", path: "/commands/{commandId}", procedure: "locks.commandState" },
    ...{ tag: "doors", summary: "State of a command to a lock" },
  },
  {
    ...{ id: "listDoorRecords", method: "GET", path: "/door-records", procedure: "unlocks.ofHouse", tag: "doors" },
    summary: "Door records of the whole hotel, newest first",
  },
  {
    ...{ id: "listRoomRecords", method: "GET", path: "/rooms/{roomId}/door-records", procedure: "unlocks.list" },
    ...{ tag: "doors", summary: "Door records of one room, newest first" },
  },
];

/** Version 1 of the API for other programs: operations are added, and none is changed so that a program breaks. */
export const OPERATIONS: readonly Operation[] = [...rooms, ...stays, ...guests, ...customers, ...keys, ...doors];
