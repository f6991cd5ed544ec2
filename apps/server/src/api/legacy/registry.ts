import { authCalls } from "./calls/auth.ts";
import { cardReadersCalls } from "./calls/card-readers.ts";
import { airCardsCalls, cardsCalls } from "./calls/cards.ts";
import { customersCalls } from "./calls/customers.ts";
import { facesCalls, lockFacesCalls } from "./calls/faces.ts";
import { hotelCalls } from "./calls/hotel.ts";
import { keysCalls } from "./calls/keys.ts";
import { lockNewsCalls, recordsCalls } from "./calls/lock-records.ts";
import { locksCalls } from "./calls/locks.ts";
import { ordersCalls } from "./calls/orders.ts";
import { passengersCalls } from "./calls/passengers.ts";
import { passwordsCalls } from "./calls/passwords.ts";
import { priceTemplatesCalls } from "./calls/prices.ts";
import { roomSettingsCalls } from "./calls/room-settings.ts";
import { roomsCalls } from "./calls/rooms.ts";
import { staffCalls } from "./calls/staff.ts";
import { checkInCalls, staysCalls } from "./calls/stays.ts";
import type { Endpoint } from "./endpoint.ts";
import { filesCalls } from "./files.ts";

/**
 * Every call of the compatibility layer. The server serves them, the documentation prints them and the contract test
 * enumerates them.
 */
export const endpoints: readonly Endpoint[] = [
  ...authCalls,
  ...filesCalls,
  ...hotelCalls,
  ...roomsCalls,
  ...roomSettingsCalls,
  ...checkInCalls,
  ...staysCalls,
  ...customersCalls,
  ...passengersCalls,
  ...cardsCalls,
  ...airCardsCalls,
  ...passwordsCalls,
  ...recordsCalls,
  ...locksCalls,
  ...lockNewsCalls,
  ...lockFacesCalls,
  ...facesCalls,
  ...staffCalls,
  ...keysCalls,
  ...priceTemplatesCalls,
  ...ordersCalls,
  ...cardReadersCalls,
];
