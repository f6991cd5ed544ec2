/** One operation of the API for other programs. Its input, answer and permission are those of a procedure. */
export interface Operation {
  /** Name for generated clients; it never changes */
  id: string;
  method: "GET" | "POST" | "DELETE";
  /** Path below /api/v1, with parameters as in OpenAPI; each is a field of the procedure's input. */
  path: string;
  /** Procedure that answers (api/trpc/router.ts) */
  procedure: string;
  tag: string;
  summary: string;
}

/** Operations by id */
type Table = Record<string, [route: `${Operation["method"]} /${string}`, procedure: string, summary: string]>;

const rooms: Table = {
  listRooms: ["GET /rooms", "rooms.page", "Rooms by page, with their status and who is in them"],
  getRoom: ["GET /rooms/{roomId}", "rooms.detail", "One room with its prices and its lock"],
  setRoomStatus: ["POST /rooms/status", "rooms.setStatus", "Marks rooms as clean, dirty or under maintenance"],
  findFreeRooms: [
    "GET /availability",
    "availability.find",
    "Free rooms for a period, with what the stay would cost in each",
  ],
};

const stays: Table = {
  quoteStay: ["GET /quotes/stay", "stays.quote", "Price of a stay before it is booked"],
  quoteExtension: ["GET /quotes/extension", "stays.renewQuote", "Price of a longer stay before it is extended"],
  reserveStay: ["POST /stays", "stays.reserve", "Reserves a room"],
  checkInWalkIn: ["POST /stays/check-in", "stays.checkIn", "Checks in a party that has no reservation"],
  getStay: ["GET /stays/{stayId}", "stays.detail", "One stay with its guests and its bill"],
  updateStay: ["POST /stays/{stayId}", "stays.update", "Changes breakfast, notes and customer of a stay"],
  checkInStay: ["POST /stays/{stayId}/check-in", "stays.arrive", "Checks in the party of a reservation"],
  extendStay: ["POST /stays/{stayId}/extension", "stays.renew", "Extends a stay"],
  changeRoom: ["POST /stays/{stayId}/room", "stays.changeRoom", "Moves a party to another room"],
  checkOutStay: ["POST /stays/{stayId}/check-out", "stays.checkOut", "Checks a party out"],
  cancelStay: ["POST /stays/{stayId}/cancellation", "stays.cancel", "Cancels a reservation"],
  markNoShow: ["POST /stays/{stayId}/no-show", "stays.markNoShow", "Ends a reservation whose party didn't come"],
};

const guests: Table = {
  listGuests: [
    "GET /guests",
    "guests.list",
    "Guests by page, with their stays; filtered by state, room, customer, dates or words",
  ],
  addGuest: ["POST /stays/{stayId}/guests", "guests.add", "Adds a guest to a party"],
  updateGuest: ["POST /guests/{stayGuestId}", "guests.update", "Corrects the data of a guest"],
};

const customers: Table = {
  listCustomers: ["GET /customers", "customers.list", "Companies and agencies that pay for stays, by page"],
  getCustomer: ["GET /customers/{id}", "customers.detail", "One customer"],
  saveCustomer: ["POST /customers", "customers.save", "Adds a customer, or changes the one whose id is given"],
};

const keys: Table = {
  listDoorCodes: ["GET /door-codes", "passcodes.list", "Door codes by page, with their standing at each door"],
  createDoorCode: [
    "POST /door-codes",
    "passcodes.create",
    "Gives somebody a door code; the answer is the only time that it is shown",
  ],
  endDoorCode: ["DELETE /door-codes/{passcodeId}", "passcodes.remove", "Ends a door code"],
  listCardsOfStay: ["GET /stays/{stayId}/cards", "cards.ofStay", "Cards of a stay, with their standing"],
  revokeCard: ["DELETE /cards/{cardId}", "cards.revoke", "Revokes a card"],
};

const doors: Table = {
  listLocks: ["GET /locks", "locks.list", "Locks with their battery and whether they can be reached"],
  openDoor: [
    "POST /rooms/{roomId}/opening",
    "locks.open",
    "Opens a door; the answer names the command, whose state tells whether the lock has opened",
  ],
  getCommand: ["GET /commands/{commandId}", "locks.commandState", "State of a command to a lock"],
  listDoorRecords: ["GET /door-records", "unlocks.ofHouse", "Door records of the whole hotel, newest first"],
  listRoomRecords: ["GET /rooms/{roomId}/door-records", "unlocks.list", "Door records of one room, newest first"],
};

const BY_TAG = { rooms, stays, guests, customers, keys, doors };

/** Version 1 of the API for other programs: operations are added, and none is changed so that a program breaks. */
export const OPERATIONS: readonly Operation[] = Object.entries(BY_TAG).flatMap(([tag, table]) =>
  Object.entries(table).map(([id, [route, procedure, summary]]) => {
    const [method, path = ""] = route.split(" ");
    return { id, method: method as Operation["method"], path, procedure, tag, summary };
  }),
);
