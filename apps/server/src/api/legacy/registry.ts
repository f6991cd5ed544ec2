import { airCardsCalls } from "./calls/air-cards.ts";
import { authCalls } from "./calls/auth.ts";
import { cardReadersCalls } from "./calls/card-readers.ts";
import { cardsCalls } from "./calls/cards.ts";
import { checkInCalls } from "./calls/check-in.ts";
import { customersCalls } from "./calls/customers.ts";
import { facesCalls, lockFacesCalls } from "./calls/faces.ts";
import { filesCalls } from "./calls/files.ts";
import { hotelCalls } from "./calls/hotel.ts";
import { keysCalls } from "./calls/keys.ts";
import { lockNewsCalls } from "./calls/lock-news.ts";
import { locksCalls } from "./calls/locks.ts";
import { ordersCalls } from "./calls/orders.ts";
import { passengersCalls } from "./calls/passengers.ts";
import { passwordsCalls } from "./calls/passwords.ts";
import { priceTemplatesCalls } from "./calls/price-templates.ts";
import { recordsCalls } from "./calls/records.ts";
import { roomSettingsCalls } from "./calls/room-settings.ts";
import { roomsCalls } from "./calls/rooms.ts";
import { staffCalls } from "./calls/staff.ts";
import { staysCalls } from "./calls/stays.ts";
import type { Endpoint } from "./endpoint.ts";

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
