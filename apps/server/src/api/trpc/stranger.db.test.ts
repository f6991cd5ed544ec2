import { randomUUID } from "node:crypto";
import { API_SCOPES, type ApiScope, type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import english from "../../../../../locales/en.json" with { type: "json" };
import type { Browser } from "../../../test/harness/browser.ts";
import { type SeededHotel, type SeededIds, seedTestHotel } from "../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { someFactors } from "../../../test/harness/two-step.ts";
import { Scope } from "../../kernel/scope.ts";
import { appRouter } from "./router.ts";
import type { Opened } from "./trpc.ts";

/**
 * Calls every procedure without a session, as a frozen operator, as staff without a grant, and as the owner of another
 * hotel. The test fails for a procedure without a row here.
 */
interface Row {
  /** open: for anyone; own: about the caller alone; granted: needs a capability */
  access: "open" | "own" | "granted";
  /** Staff without access to the room get the same answer as for a room that doesn't exist */
  roomBound?: true;
  /** One or more inputs, each with at least one id of `target` if the procedure takes any. */
  inputs: (target: SeededIds, own: SeededIds) => unknown[];
}

const DAY_MS = 86_400_000;
let server: TestServer;
let seeded: SeededHotel;
let stranger: SeededHotel;

const at = (days: number): string => new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();
const guest = { name: "Ann", mobile: "", email: "" };
const passwords = { password: "new password", confirmPassword: "new password" };
const account = "13912345678";
const code = { captchaId: "00000000-0000-4000-8000-000000000000", code: "AAAA" };
/** A passkey of the first hotel's owner */
const OWN_PASSKEY = "00000000-0000-4000-8000-0000000000f1";
const challenge = "00000000-0000-4000-8000-0000000000c1";
const signed = { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" };
const assertion = { id: "AAAA", rawId: "AAAA", type: "public-key", response: signed };
const attestation = { clientDataJSON: "AAAA", attestationObject: "AAAA" };
const person = { name: "Ann", account, role: "staff" };
const customer = { kind: "person", name: "Ann", mobile: "", email: "" };
const hotelData = {
  name: "Renamed",
  tel: "",
  latitude: null,
  longitude: null,
  timeZone: "Europe/Berlin",
  currency: "EUR",
  checkInTime: "14:00",
  checkOutTime: "12:00",
  dayStartTime: "05:00",
  weekendNights: [5, 6],
  breakfastFrom: "07:00",
  breakfastTo: "10:00",
  breakfastPriceMinor: 0,
};
/** An age public key of nobody */
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
const booking = (roomId: number, days: number) => ({
  roomId,
  unit: "day",
  startsAt: at(days),
  endsAt: at(days + 1),
  guests: [guest],
});

/** Figures of a business day on which nothing happened. */
const NO_FIGURES = {
  arrivals: { expected: 0, arrived: 0, notCome: 0 },
  departures: { expected: 0, left: 0, overstaying: 0 },
  inHouse: { stays: 0, guests: 0 },
  unpaid: { stays: 0, owedMinor: 0 },
  revenueMinor: 0,
  channels: [],
  doors: { neverOpened: 0, afterCheckOut: 0, vacantOpened: 0 },
};

const TABLE: Record<string, Row> = {
  "auth.status": { access: "open", inputs: () => [undefined] },
  "auth.captcha": { access: "open", inputs: () => [undefined] },
  "auth.login": { access: "open", inputs: () => [{ account, password: "x" }] },
  "auth.secondFactor": { access: "open", inputs: () => [{ challenge, proof: { method: "totp", code: "000000" } }] },
  "auth.passkeyChallenge": { access: "open", inputs: () => [undefined] },
  "auth.passkeyLogin": { access: "open", inputs: () => [{ challenge, assertion }] },
  "auth.logout": { access: "open", inputs: () => [undefined] },
  "auth.sendRecoveryCode": { access: "open", inputs: () => [{ account, ...code }] },
  "auth.resetPassword": {
    access: "open",
    inputs: () => [{ handle: randomUUID(), account, code: "000000", ...passwords }],
  },
  "setup.create": {
    access: "open",
    inputs: () => [
      { hotel: { name: "X", timeZone: "UTC", currency: "EUR" }, owner: { name: "X", account, password: "1234567" } },
    ],
  },

  "auth.me": { access: "own", inputs: () => [undefined] },
  "auth.changePassword": { access: "own", inputs: () => [{ oldPassword: "x", ...passwords }] },
  "auth.sessions": { access: "own", inputs: () => [undefined] },
  "auth.revokeSession": { access: "own", inputs: ({ sessionId }) => [{ id: sessionId }] },
  "auth.saveProfile": { access: "own", inputs: ({ avatarFileId }) => [{ name: "Ann", avatarFileId }] },
  "twoStep.state": { access: "own", inputs: () => [undefined] },
  "twoStep.prove": { access: "own", inputs: () => [{ password: "x" }] },
  "twoStep.askProof": { access: "own", inputs: () => [undefined] },
  "twoStep.provePasskey": { access: "own", inputs: () => [{ challenge, assertion }] },
  "twoStep.beginTotp": { access: "own", inputs: () => [undefined] },
  "twoStep.confirmTotp": { access: "own", inputs: () => [{ challenge, code: "000000" }] },
  "twoStep.newRecoveryCodes": { access: "own", inputs: () => [undefined] },
  "twoStep.removeTotp": { access: "own", inputs: () => [undefined] },
  "twoStep.beginPasskey": { access: "own", inputs: () => [undefined] },
  "twoStep.addPasskey": {
    access: "own",
    inputs: () => [{ challenge, name: "x", attestation: { ...assertion, response: attestation } }],
  },
  "twoStep.renamePasskey": { access: "own", inputs: () => [{ id: OWN_PASSKEY, name: "Taken over" }] },
  "twoStep.removePasskey": { access: "own", inputs: () => [{ id: OWN_PASSKEY }] },
  "auth.switchHotel": { access: "own", inputs: ({ hotelId }) => [{ hotelId }] },

  "board.marks": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "home.overview": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "home.firstSteps": { access: "granted", inputs: () => [undefined] },
  "hotel.closeFirstSteps": { access: "granted", inputs: () => [undefined] },
  "home.today": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "hotel.get": { access: "granted", inputs: () => [undefined] },
  "hotel.update": { access: "granted", inputs: () => [hotelData] },
  "hotel.notices": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "hotel.sendNotice": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId }) => [{ to: { kind: "rooms", roomIds: [roomId] }, text: "x" }],
  },
  "groups.list": { access: "granted", inputs: () => [undefined] },
  "groups.save": { access: "granted", inputs: ({ groupId }) => [{ id: groupId, name: "Taken over", sort: 1 }] },
  "groups.remove": { access: "granted", inputs: ({ groupId }) => [{ id: groupId }] },

  "rooms.detail": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ roomId }] },
  "rooms.page": {
    access: "granted",
    roomBound: true,
    inputs: ({ groupId }) => [{}, { groupId }, { keyword: seeded.mark }],
  },
  "rooms.save": {
    access: "granted",
    inputs: ({ roomId, groupId, fileId }, own) => [
      { id: roomId, name: "Taken over", groupId: own.groupId },
      { name: "With a foreign group", groupId },
      { name: "With a foreign picture", groupId: own.groupId, pictureFileId: fileId },
    ],
  },
  "rooms.createSeries": { access: "granted", inputs: () => [{ numbers: "9001–9002", group: "Foreign" }] },
  "rooms.delete": { access: "granted", inputs: ({ roomId }) => [{ roomId }] },
  "rooms.assignGroup": {
    access: "granted",
    inputs: ({ roomId, groupId }, own) => [
      { roomIds: [roomId], groupId: own.groupId },
      { roomIds: [own.roomId], groupId },
    ],
  },
  "rooms.restoreStatus": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId }) => [{ status: "dirty", rooms: [{ roomId, condition: "clean", maintenance: null }] }],
  },
  "rooms.setStatus": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId }) => [{ roomIds: [roomId], status: "dirty" }],
  },
  "rooms.setPrices": { access: "granted", inputs: ({ roomId }) => [{ roomIds: [roomId], prices }] },
  "unlocks.list": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ roomId }] },
  "unlocks.ofPerson": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "unlocks.ofLock": { access: "granted", roomBound: true, inputs: ({ lockId }) => [{ lockId }] },
  "unlocks.ofHouse": { access: "granted", roomBound: true, inputs: () => [{}] },
  "unlocks.whoEntered": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },
  "unlocks.traffic": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId }) => [
      { roomId, date: "2026-03-02", span: "day" },
      { date: "2026-03-02", span: "month" },
    ],
  },
  "exports.list": { access: "granted", inputs: () => [undefined] },
  "exports.cancel": { access: "granted", inputs: ({ exportId }) => [{ exportId }] },
  "exports.remove": { access: "granted", inputs: ({ exportId }) => [{ exportId }] },
  "alerts.list": { access: "granted", roomBound: true, inputs: () => [{ state: "all" }] },
  "alerts.unread": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "alerts.markRead": { access: "granted", roomBound: true, inputs: ({ alertId }) => [{ ids: [alertId] }] },
  "alerts.remove": { access: "granted", roomBound: true, inputs: ({ alertId }) => [{ ids: [alertId] }] },

  "priceTemplates.list": { access: "granted", inputs: () => [undefined] },
  "priceTemplates.info": {
    access: "granted",
    inputs: ({ priceTemplateId }) => [{ templateId: priceTemplateId }],
  },
  "priceTemplates.ofRoom": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ roomId }] },
  "priceTemplates.preview": {
    access: "granted",
    inputs: ({ priceTemplateId, roomId }, own) => [
      { templateId: priceTemplateId, roomIds: [own.roomId] },
      { templateId: own.priceTemplateId, roomIds: [roomId] },
    ],
  },
  "priceTemplates.save": {
    access: "granted",
    inputs: ({ priceTemplateId }) => [{ id: priceTemplateId, name: "Taken over", prices }],
  },
  "priceTemplates.putOn": {
    access: "granted",
    inputs: ({ priceTemplateId, roomId }, own) => [
      { templateId: priceTemplateId, roomIds: [own.roomId] },
      { templateId: own.priceTemplateId, roomIds: [roomId] },
    ],
  },
  "breakfast.list": { access: "granted", roomBound: true, inputs: () => [{}, { date: at(0).slice(0, 10) }] },
  "breakfast.tick": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayGuestId }) => [{ date: at(0).slice(0, 10), stayGuestIds: [stayGuestId], used: true }],
  },
  "breakfast.tickByCard": { access: "granted", roomBound: true, inputs: () => [{ number: "DA3CBC66" }] },

  "availability.find": {
    access: "granted",
    roomBound: true,
    inputs: () => [{ unit: "day", startsAt: at(1), endsAt: at(2) }],
  },
  "availability.forStay": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, endsAt: at(5) }] },
  "handOver.list": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "handOver.waiting": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "handOver.add": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ text: "Wake-up call", roomId }] },
  "handOver.setDone": { access: "granted", roomBound: true, inputs: ({ noteId }) => [{ id: noteId, done: true }] },
  "handOver.markRead": { access: "own", inputs: ({ noteId }) => [{ ids: [noteId] }] },

  "calendarFeeds.list": { access: "granted", inputs: () => [undefined] },
  "calendarFeeds.make": {
    access: "granted",
    inputs: ({ roomId }) => [{ name: "x", roomId, showsNames: false }],
  },
  "calendarFeeds.revoke": { access: "granted", inputs: ({ calendarFeedId }) => [{ id: calendarFeedId }] },
  "preCheckIns.read": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "preCheckIns.takeOver": {
    ...{ access: "granted", roomBound: true },
    inputs: ({ stayGuestId }) => [{ stayGuestId, sentAt: "2026-03-02T10:00:00.000Z" }],
  },
  "preCheckIns.discard": {
    ...{ access: "granted", roomBound: true },
    inputs: ({ stayGuestId }) => [{ stayGuestId, sentAt: "2026-03-02T10:00:00.000Z" }],
  },
  "preCheckIns.pictures": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "preCheckIns.deletePictures": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "guestLinks.state": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "guestLinks.make": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "guestLinks.confirmBooking": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayGuestId }) => [{ stayGuestId, contacts: { mobile: "", email: "" } }],
  },
  "guestLinks.declineLate": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "guestLinks.revoke": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "guestMessages.settings": { access: "granted", inputs: () => [undefined] },
  "guestMessages.saveSettings": {
    access: "granted",
    inputs: () => [{ events: ["reserved"], channels: ["mail"], hoursBefore: 24, quiet: null }],
  },
  "guestMessages.text": { access: "granted", inputs: () => [{ event: "reserved", language: "en" }] },
  "guestMessages.saveText": {
    access: "granted",
    inputs: () => [{ event: "reserved", language: "en", content: { subject: "Taken over", body: "x" } }],
  },
  "guestMessages.saveWebhook": { access: "granted", inputs: () => [{ url: null }] },
  "guestMessages.samples": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "guestMessages.preview": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayGuestId }) => [
      { event: "checked_in", language: "en", content: { subject: "x", body: "{{guestName}}" }, stayGuestId },
    ],
  },
  "guestMessages.list": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "guestMessages.read": { access: "granted", roomBound: true, inputs: ({ guestMessageId: id }) => [{ id }] },
  "guestMessages.reveal": { access: "granted", roomBound: true, inputs: ({ guestMessageId: id }) => [{ id }] },
  "guestMessages.send": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayGuestId }) => [{ stayGuestId, event: "checked_in", contacts: { mobile: "", email: "" } }],
  },
  "guestMessages.handOver": { access: "granted", roomBound: true, inputs: ({ guestMessageId: id }) => [{ id }] },
  "guestMessages.optOut": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayGuestId }) => [{ stayGuestId, optedOut: true }],
  },

  "stays.quote": {
    access: "granted",
    roomBound: true,
    inputs: ({ freeRoomId }) => [{ roomId: freeRoomId, unit: "day", startsAt: at(1), endsAt: at(2) }],
  },
  "stays.reserve": {
    access: "granted",
    roomBound: true,
    inputs: ({ freeRoomId, customerId }, own) => [
      booking(freeRoomId, 30),
      { ...booking(own.freeRoomId, 40), customerId },
    ],
  },
  "stays.checkIn": {
    access: "granted",
    roomBound: true,
    inputs: ({ freeRoomId, customerId }, own) => [
      booking(freeRoomId, 0),
      { ...booking(own.freeRoomId, 0), customerId },
    ],
  },
  "stays.arrive": { access: "granted", roomBound: true, inputs: ({ reservedStayId }) => [{ stayId: reservedStayId }] },
  "stays.renewQuote": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, endsAt: at(5) }] },
  "stays.renew": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, endsAt: at(5) }] },
  "stays.changeRoomQuote": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, freeRoomId }, own) => [
      { stayId, roomId: own.freeRoomId },
      { stayId: own.stayId, roomId: freeRoomId },
    ],
  },
  "stays.changeRoom": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, freeRoomId }, own) => [
      { stayId, roomId: own.freeRoomId },
      { stayId: own.stayId, roomId: freeRoomId },
    ],
  },
  "stays.update": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, customerId }, own) => [
      { stayId, breakfast: true, idCardMatch: true },
      { stayId: own.stayId, breakfast: true, idCardMatch: true, customerId },
    ],
  },
  "stays.previewChange": {
    access: "granted",
    roomBound: true,
    inputs: ({ reservedStayId, roomId }, own) => [
      { stayId: reservedStayId, roomId: own.freeRoomId, startsAt: at(20), endsAt: at(22) },
      { stayId: own.reservedStayId, roomId, startsAt: at(20), endsAt: at(22) },
    ],
  },
  "stays.moveReservation": {
    access: "granted",
    roomBound: true,
    inputs: ({ reservedStayId, roomId }, own) => [
      { stayId: reservedStayId, roomId: own.freeRoomId, startsAt: at(20), endsAt: at(22) },
      { stayId: own.reservedStayId, roomId, startsAt: at(20), endsAt: at(22) },
    ],
  },
  // This row comes before those that settle the debt.
  "folio.pay": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId }) => [{ stayId, amountMinor: 1, channel: "cash" }],
  },
  "afterOutage.check": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId, freeRoomId }) => [
      {
        rows: [
          { act: "check_in", roomId: freeRoomId, guestName: "Ann", startsAt: at(0), endsAt: at(1) },
          { act: "check_out", roomId, at: at(0) },
          { act: "change_room", fromRoomId: roomId, roomId: freeRoomId, at: at(0) },
        ],
      },
    ],
  },
  "afterOutage.enter": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId, freeRoomId }) => [
      { act: "check_in", roomId: freeRoomId, guestName: "Ann", startsAt: at(0), endsAt: at(1) },
      { act: "check_out", roomId, at: at(0) },
      { act: "change_room", fromRoomId: roomId, roomId: freeRoomId, at: at(0) },
    ],
  },
  "stays.shorten": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, endsAt: at(1) }] },
  "reports.occupancy": { access: "granted", roomBound: true, inputs: () => [{ from: "2026-03-01", to: "2026-03-31" }] },
  "timeline.read": { access: "granted", roomBound: true, inputs: () => [{ from: "2026-03-01", days: 62 }] },
  "stays.detail": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },
  "stays.history": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId }) => [{}, { roomId }, { keyword: seeded.mark }],
  },
  "stays.byGuest": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },
  "stays.noShowQuote": {
    access: "granted",
    roomBound: true,
    inputs: ({ reservedStayId }) => [{ stayId: reservedStayId }],
  },
  "stays.markNoShow": {
    access: "granted",
    roomBound: true,
    inputs: ({ reservedStayId }) => [{ stayId: reservedStayId }],
  },
  "stays.reinstate": {
    access: "granted",
    roomBound: true,
    inputs: ({ reservedStayId }) => [{ stayId: reservedStayId }],
  },
  "stays.cancel": { access: "granted", roomBound: true, inputs: ({ reservedStayId }) => [{ stayId: reservedStayId }] },

  "guests.list": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId, customerId }) => [{}, { roomId }, { customerId }],
  },
  "guests.counts": { access: "granted", roomBound: true, inputs: () => [{}, { keyword: seeded.mark }] },
  "guests.search": { access: "granted", roomBound: true, inputs: () => [{ query: seeded.mark }] },
  "guests.add": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, guest }] },
  "cards.addIdCard": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, stayGuestId }) => [{ stayId, stayGuestId, readings: ["DA3CBC77", "DA3CBC77"] }],
  },
  "guests.update": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId, guest }] },
  "guests.remove": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ stayGuestId }] },

  "keys.ofStay": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },
  "cards.ofStay": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },
  "cards.lookUp": { access: "granted", roomBound: true, inputs: () => [{ number: "DA3CBC66" }] },
  "cards.prepare": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId }) => [{ stayId, uid: "11223344" }],
  },
  "cards.confirm": {
    access: "granted",
    roomBound: true,
    inputs: ({ cardId }) => [{ cardId, readBack: "0".repeat(32) }],
  },
  "cards.revoke": {
    access: "granted",
    roomBound: true,
    inputs: ({ cardId, masterCardId }) => [{ cardId }, { cardId: masterCardId }],
  },
  "cards.waiveRewrite": {
    access: "granted",
    roomBound: true,
    inputs: ({ cardId, masterCardId }) => [{ cardId }, { cardId: masterCardId }],
  },
  "cards.list": { access: "granted", roomBound: true, inputs: () => [{}, { state: "all", query: seeded.mark }] },
  "cards.addOverTheAir": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, roomId }) => [
      { uid: "11223355", stayId },
      { uid: "11223366", roomIds: [roomId], validTo: at(1) },
    ],
  },
  "cards.prepareMaster": {
    access: "granted",
    inputs: ({ roomId }) => [{ kind: "management", uid: "11223377", note: "x", roomIds: [roomId] }],
  },
  "cards.prepareOneShot": {
    access: "granted",
    roomBound: true,
    inputs: ({ freeRoomId }) => [{ roomId: freeRoomId, uid: "11223388", note: "x", once: true }],
  },
  "cards.prepareSpare": {
    access: "granted",
    inputs: ({ freeRoomId }) => [{ roomId: freeRoomId, uid: "11223399", months: 6 }],
  },
  "cards.spares": { access: "granted", inputs: () => [undefined] },
  "cards.removalPlan": { access: "granted", inputs: ({ masterCardId }) => [{ cardId: masterCardId }] },
  "cards.retryRemoval": { access: "granted", inputs: ({ masterCardId }) => [{ cardId: masterCardId }] },
  "cards.setHours": {
    access: "granted",
    inputs: ({ masterCardId }) => [{ cardId: masterCardId, hours: [{ days: [1], from: "07:00", to: "15:00" }] }],
  },
  "cards.setRooms": {
    access: "granted",
    inputs: ({ masterCardId, freeRoomId, roomId }, own) => [
      { cardId: masterCardId, roomIds: [own.freeRoomId] },
      { cardId: own.masterCardId, roomIds: [roomId, freeRoomId] },
    ],
  },
  "cards.profiles": { access: "granted", inputs: () => [undefined] },
  "cards.newProfile": { access: "granted", inputs: () => [{ cipher: "aes", block: 0, keyType: "A" }] },
  "locks.pendingRevocations": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "locks.explain": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId }) => [{ number: "DA3CBC66" }, { roomId }, { roomId, number: "DA3CBC66" }],
  },
  "locks.resendRevocation": {
    access: "granted",
    roomBound: true,
    inputs: ({ lockId, lostCardId }) => [{ lockId }, { lockId, cardId: lostCardId }],
  },

  "passcodes.list": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId, stayId }) => [{}, { roomId }, { stayId }, { query: seeded.mark }],
  },
  "passcodes.create": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId, stayId }, own) => [
      { type: "air", roomIds: [roomId], person: "Ann" },
      { type: "air", roomIds: [own.roomId], stayId, person: "Ann" },
    ],
  },
  "passcodes.handOverWays": { access: "granted", inputs: () => [undefined] },
  "passcodes.handOver": {
    access: "granted",
    roomBound: true,
    inputs: ({ passcodeId }) => [{ passcodeId, to: "+4915112345678" }],
  },
  "passcodes.reveal": { access: "granted", roomBound: true, inputs: ({ passcodeId }) => [{ passcodeId }] },
  "passcodes.setHours": {
    access: "granted",
    roomBound: true,
    inputs: ({ passcodeId }) => [{ passcodeId, hours: [{ days: [1], from: "07:00", to: "15:00" }] }],
  },
  "passcodes.remove": { access: "granted", roomBound: true, inputs: ({ passcodeId }) => [{ passcodeId }] },

  "faces.list": { access: "granted", roomBound: true, inputs: () => [{}, { query: seeded.mark }] },
  "faces.grants": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId, stayId }) => [{}, { roomId }, { stayId }],
  },
  "faces.enrol": {
    access: "granted",
    inputs: ({ faceFileId }) => [{ fileId: faceFileId, note: "Ann", consent: true }],
  },
  "faces.rename": { access: "granted", roomBound: true, inputs: ({ faceId }) => [{ faceId, note: "Taken over" }] },
  "faces.grant": {
    access: "granted",
    roomBound: true,
    inputs: ({ faceId, roomId, stayId }, own) => [
      { faceId, roomIds: [own.roomId] },
      { faceId: own.faceId, roomIds: [roomId] },
      { faceId: own.faceId, stayId },
    ],
  },
  "faces.withdrawGrant": {
    access: "granted",
    roomBound: true,
    inputs: ({ faceGrantId }) => [{ credentialId: faceGrantId }],
  },
  "faces.remove": { access: "granted", roomBound: true, inputs: ({ faceId }) => [{ faceId }] },

  "locks.list": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "locks.batteries": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "locks.detail": { access: "granted", roomBound: true, inputs: ({ lockId }) => [{ lockId }] },
  "locks.commands": { access: "granted", roomBound: true, inputs: ({ lockId }) => [{ lockId }] },
  "locks.commandState": { access: "granted", roomBound: true, inputs: ({ commandId }) => [{ commandId }] },
  "locks.open": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ roomId, reason: "lockout" }] },
  "locks.cancelOpening": { access: "granted", roomBound: true, inputs: ({ commandId }) => [{ commandId }] },
  "locks.liftBlock": { access: "granted", roomBound: true, inputs: ({ lockId }) => [{ lockId }] },
  "locks.notice": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ roomIds: [roomId], text: "x" }] },
  "locks.retry": { access: "granted", roomBound: true, inputs: ({ lockId }) => [{ lockId }] },
  "locks.readBack": { access: "granted", inputs: ({ lockId }) => [{ lockId }] },
  "locks.resetSequence": { access: "granted", inputs: ({ lockId }) => [{ lockId }] },
  "locks.settleUnmanaged": { access: "granted", inputs: ({ lockId }) => [{ lockId, slot: 1, act: "adopt" }] },
  "locks.connect": { access: "granted", inputs: ({ lockId }) => [{ lockId }] },

  "zones.list": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "zones.setOfStay": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, zoneId }, own) => [
      { stayId, zoneIds: [own.zoneId] },
      { stayId: own.stayId, zoneIds: [zoneId] },
    ],
  },
  "zones.save": {
    access: "granted",
    inputs: ({ zoneId, doorId, groupId }, own) => [
      { id: zoneId, name: "Taken over", kind: "lift" },
      { id: own.zoneId, name: "With a foreign door", kind: "lift", doorIds: [doorId] },
      { id: own.zoneId, name: "With a foreign group", kind: "lift", groupIds: [groupId] },
    ],
  },
  "zones.remove": { access: "granted", inputs: ({ zoneId }) => [{ zoneId }] },
  "doors.list": { access: "granted", roomBound: true, inputs: () => [undefined] },
  "doors.save": {
    access: "granted",
    inputs: ({ doorId, spareLockId }, own) => [
      { id: doorId, name: "Taken over", kind: "lift" },
      { id: own.doorId, name: "With a foreign lock", kind: "lift", lockId: spareLockId },
    ],
  },
  "doors.open": { access: "granted", roomBound: true, inputs: ({ doorId }) => [{ doorId }] },
  "doors.remove": { access: "granted", inputs: ({ doorId }) => [{ doorId }] },

  "customers.list": { access: "granted", inputs: () => [{}, { keyword: seeded.mark }] },
  "customers.save": { access: "granted", inputs: ({ customerId }) => [{ id: customerId, ...customer }] },
  "customers.freeze": { access: "granted", inputs: ({ customerId }) => [{ id: customerId, frozen: true }] },
  "customers.detail": { access: "granted", inputs: ({ customerId }) => [{ id: customerId }] },
  "customers.stays": { access: "granted", inputs: ({ customerId }) => [{ customerId }] },
  "customers.remove": { access: "granted", inputs: ({ customerId }) => [{ id: customerId }] },

  "cardReaders.list": { access: "granted", inputs: () => [{}, { keyword: seeded.mark }] },
  "cardReaders.detail": { access: "granted", inputs: ({ cardReaderId }) => [{ id: cardReaderId }] },
  "cardReaders.checkStatus": { access: "granted", inputs: ({ deviceNo }) => [{ deviceNo }] },
  "cardReaders.seen": { access: "own", inputs: ({ deviceNo }) => [{ deviceNo, type: 1 }] },
  "cardReaders.save": {
    access: "granted",
    inputs: ({ cardReaderId }) => [{ id: cardReaderId, deviceNo: "TAKEN-OVER", name: "Taken over", type: 1 }],
  },
  "cardReaders.bind": {
    access: "granted",
    inputs: ({ cardReaderId, operatorId, customerId }, own) => [
      { id: cardReaderId, holder: { kind: "operator", id: own.operatorId } },
      { id: own.cardReaderId, holder: { kind: "operator", id: operatorId } },
      { id: own.cardReaderId, holder: { kind: "customer", id: customerId } },
    ],
  },
  "cardReaders.unbind": {
    access: "granted",
    inputs: ({ cardReaderId, operatorId }) => [{ id: cardReaderId, holder: { kind: "operator", id: operatorId } }],
  },
  "cardReaders.remove": { access: "granted", inputs: ({ cardReaderId }) => [{ id: cardReaderId }] },

  "folio.list": { access: "granted", roomBound: true, inputs: () => [{}] },
  "folio.chargeExtra": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId }) => [{ stayId, text: "Minibar", quantity: 1, unitMinor: 1 }],
  },
  "folio.cancelCharge": {
    access: "granted",
    roomBound: true,
    inputs: ({ extraEntryId }) => [{ entryId: extraEntryId, reason: "By mistake" }],
  },
  "folio.refund": {
    access: "granted",
    roomBound: true,
    inputs: ({ entryId }) => [{ entryId, amountMinor: 1, channel: "cash" }],
  },
  "folio.payOutCredit": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId }) => [{ stayId, amountMinor: 1, channel: "cash" }],
  },
  "folio.recharge": { access: "granted", inputs: () => [{ amountMinor: 1, channel: "cash" }] },
  "folio.withdraw": { access: "granted", inputs: () => [{ amountMinor: 1, repeatedMinor: 1 }] },
  "folio.undoWithdrawal": {
    access: "granted",
    inputs: ({ withdrawalEntryId }) => [{ entryId: withdrawalEntryId, reason: "It came back" }],
  },
  "balance.get": { access: "granted", inputs: () => [undefined] },
  "balance.statement": { access: "granted", inputs: () => [{ span: "day" }, { span: "month", date: "2026-03-02" }] },
  "balance.setAccount": { access: "granted", inputs: () => [{ type: "bank", name: "Ann", number: "DE8937040044" }] },
  "nightAudit.read": { access: "granted", roomBound: true, inputs: () => [{}, { date: "2026-03-02" }] },
  "nightAudit.closedDays": { access: "granted", inputs: () => [undefined] },
  "nightAudit.close": { access: "granted", inputs: () => [{ date: "2026-03-01", figures: NO_FIGURES }] },
  "stays.checkOut": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, confirmUnpaid: true }] },
  "stays.undoCheckIn": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },
  "stays.undoCheckOut": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },

  "locks.save": {
    access: "granted",
    inputs: ({ lockId, roomId }) => [
      { id: lockId, mac: "02:00:00:00:09:01" },
      { mac: "02:00:00:00:09:02", roomId },
    ],
  },
  "locks.assign": {
    access: "granted",
    inputs: () => [{ doors: [{ roomName: "No such room", mac: "02:00:00:00:0F:01" }] }],
  },
  "locks.remove": { access: "granted", inputs: ({ lockId }) => [{ lockId }] },
  "locks.replacement": { access: "granted", inputs: ({ spareLockId }) => [{ lockId: spareLockId }] },
  "locks.replace": {
    access: "granted",
    inputs: ({ spareLockId }) => [{ lockId: spareLockId, mac: "02:00:00:00:09:02" }],
  },
  "locks.writeOffKeys": { access: "granted", inputs: ({ lockId }) => [{ lockId }] },

  "priceTemplates.remove": {
    access: "granted",
    inputs: ({ priceTemplateId }) => [{ templateId: priceTemplateId }],
  },
  "permissions.acts": { access: "granted", inputs: () => [undefined] },
  "staff.list": { access: "granted", inputs: () => [undefined] },
  "staff.save": {
    access: "granted",
    inputs: ({ operatorId, roomId }) => [
      { ...person, operatorId, password: "taken over" },
      { ...person, account: "13912345679", password: "new one here", roomIds: [roomId] },
    ],
  },
  "staff.freeze": { access: "granted", inputs: ({ operatorId }) => [{ operatorId, frozen: true }] },
  "staff.setRole": { access: "granted", inputs: ({ operatorId }) => [{ operatorId, role: "staff" }] },
  "staff.permit": {
    access: "granted",
    inputs: ({ operatorId, roomId }, own) => [
      { people: [{ operatorId, capabilities: [], grants: [] }] },
      { people: [{ operatorId: own.staffId, capabilities: [], grants: [{ roomId }] }] },
    ],
  },
  "staff.resetTwoStep": { access: "granted", inputs: ({ operatorId }) => [{ operatorId }] },
  "staff.remove": { access: "granted", inputs: ({ operatorId }) => [{ operatorId }] },
  "staff.own": { access: "own", inputs: () => [undefined] },
  "privacy.overview": { access: "granted", inputs: () => [undefined] },
  "privacy.preview": { access: "granted", inputs: () => [{ days: 30 }] },
  "privacy.setRetention": { access: "granted", inputs: () => [{ days: 30 }] },
  "privacy.find": { access: "granted", inputs: () => [{ query: "guest" }] },
  "privacy.person": { access: "granted", inputs: ({ guestId }) => [{ guestId }] },
  "privacy.erase": { access: "granted", inputs: ({ guestId }) => [{ guestId }] },
  "rosters.sheet": { access: "granted", inputs: () => [undefined] },
  "rosters.cardEndings": { access: "granted", inputs: () => [undefined] },
  "rosters.overview": { access: "granted", inputs: () => [undefined] },
  "rosters.saveSettings": { access: "granted", inputs: () => [{ recipients: [RECIPIENT], time: "21:00", keep: 3 }] },
  "rosters.make": { access: "granted", inputs: () => [undefined] },
  "search.find": { access: "granted", roomBound: true, inputs: ({ stayGuestId }) => [{ query: String(stayGuestId) }] },
  // A table contains no ids. A row with an error prevents any write.
  "imports.preview": {
    access: "granted",
    inputs: () => [{ kind: "rooms", mapping: ["name"], rows: [["Taken over 101"]] }],
  },
  "imports.run": {
    access: "granted",
    inputs: () => [{ kind: "customers", mapping: ["kind", "name"], rows: [["no such kind", "Taken over"]] }],
  },
  "audit.list": { access: "granted", inputs: () => [{}] },
  "locks.links": { access: "granted", inputs: () => [undefined] },
  "locks.encryptedBroker": { access: "granted", inputs: () => [undefined] },
  "locks.saveLink": {
    access: "granted",
    inputs: () => [
      { kind: "ttlock", baseUrl: "https://8.8.8.8", clientId: "x", clientSecret: "x", account: "x", password: "x" },
    ],
  },
  "locks.removeLink": { access: "granted", inputs: () => [{ kind: "ttlock" }] },
  "outbox.list": { access: "granted", inputs: () => [undefined] },
  "system.condition": { access: "own", inputs: () => [undefined] },
  "system.status": { access: "granted", inputs: () => [undefined] },

  "integrations.keys": { access: "granted", inputs: () => [undefined] },
  "integrations.createKey": {
    access: "granted",
    inputs: () => [{ name: "x", scopes: ["rooms.view"], expiresAt: null }],
  },
  "integrations.revokeKey": { access: "granted", inputs: ({ apiKeyId }) => [{ id: apiKeyId }] },
  "integrations.webhooks": { access: "granted", inputs: () => [undefined] },
  "integrations.saveWebhook": {
    access: "granted",
    inputs: ({ webhookId }) => [{ id: webhookId, name: "x", url: "https://8.8.8.8", events: ["stay.reserved"] }],
  },
  "integrations.switchWebhook": { access: "granted", inputs: ({ webhookId }) => [{ id: webhookId, on: false }] },
  "integrations.rotateSecret": { access: "granted", inputs: ({ webhookId }) => [{ id: webhookId }] },
  "integrations.sendTest": { access: "granted", inputs: ({ webhookId }) => [{ id: webhookId }] },
  "integrations.deliveries": { access: "granted", inputs: ({ webhookId }) => [{ webhookId }] },
  "integrations.resend": {
    access: "granted",
    inputs: ({ webhookId, deliveryId }, own) => [
      { webhookId, deliveryId },
      { webhookId: own.webhookId, deliveryId },
    ],
  },
  "integrations.removeWebhook": { access: "granted", inputs: ({ webhookId }) => [{ id: webhookId }] },
};

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: "query" | "mutation" } }>;
const paths = Object.keys(procedures);
const closed = paths.filter((path) => TABLE[path]?.access !== "open");
const granted = paths.filter((path) => TABLE[path]?.access === "granted");
const roomBound = paths.filter((path) => TABLE[path]?.roomBound);

/** An answer without values that differ from call to call: a result, or the text of a refusal. */
interface Answer {
  code: string | null;
  body: string;
}

async function call(browser: Browser, path: string, input: unknown): Promise<Answer> {
  const body = input === undefined ? undefined : JSON.stringify(input);
  const response =
    procedures[path]?._def.type === "query"
      ? await browser.http("GET", `/api/trpc/${path}${body ? `?input=${encodeURIComponent(body)}` : ""}`)
      : await browser.http("POST", `/api/trpc/${path}`, {
          headers: { "content-type": "application/json" },
          ...(body ? { payload: body } : {}),
        });
  const { result, error } = response.json() as {
    result?: { data: unknown };
    error?: { data: { innkey: { code: string; requestId?: string } } };
  };
  if (!error) return { code: null, body: JSON.stringify(result?.data) };
  const { requestId: _differs, ...words } = error.data.innkey;
  return { code: words.code, body: JSON.stringify(words) };
}

function inputsOf(path: string, target: SeededIds, own: SeededIds): unknown[] {
  const inputs = TABLE[path]?.inputs(target, own) ?? [];
  if (inputs.length === 0) throw new Error(`${path} has no input here`);
  return inputs;
}

/** Ids that don't exist. Real ids are also large (see beforeAll), so that they never match a digit by chance. */
const NOTHING: SeededIds = {
  hotelId: 1_900_000_001,
  groupId: 1_900_000_002,
  roomId: 1_900_000_003,
  freeRoomId: 1_900_000_004,
  customerId: 1_900_000_005,
  guestMessageId: 1_900_000_099,
  noteId: 1_900_000_090,
  doorId: 1_900_000_091,
  spareLockId: 1_900_000_092,
  zoneId: 1_900_000_093,
  stayId: 1_900_000_006,
  stayGuestId: 1_900_000_007,
  entryId: 1_900_000_008,
  extraEntryId: 1_900_000_080,
  withdrawalEntryId: 1_900_000_081,
  cardId: 1_900_000_020,
  masterCardId: 1_900_000_021,
  lostCardId: 1_900_000_022,
  reservedStayId: 1_900_000_009,
  operatorId: 1_900_000_010,
  staffId: 1_900_000_040,
  grantId: 1_900_000_042,
  guestId: 1_900_000_041,
  sessionId: "00000000-0000-4000-8000-00000000000a",
  fileId: "00000000-0000-4000-8000-00000000000b",
  passcodeId: 1_900_000_030,
  faceId: 1_900_000_031,
  faceGrantId: 1_900_000_032,
  faceFileId: "00000000-0000-4000-8000-00000000000c",
  lockId: 1_900_000_011,
  commandId: "00000000-0000-4000-8000-00000000000d",
  alertId: 1_900_000_012,
  exportId: "00000000-0000-4000-8000-00000000001e",
  apiKeyId: 1_900_000_070,
  calendarFeedId: 1_900_000_071,
  webhookId: 1_900_000_071,
  deliveryId: "00000000-0000-4000-8000-0000000000e9",
  cardReaderId: 1_900_000_040,
  deviceNo: "NOTHING-40",
  avatarFileId: "00000000-0000-4000-8000-00000000000e",
  priceTemplateId: 1_900_000_060,
};

/** Returns the answer with every id replaced by its name. */
function withIdNames(body: string, ids: SeededIds): string {
  return Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(String(id), `<${name}>`), body);
}

/** Changes with every write of the hotel (commit_write in prisma/migrations). */
async function stateOf({ hotel }: SeededHotel): Promise<unknown> {
  const { rows } = await server.database.pool.query(
    "SELECT board_version, audit_seq, encode(audit_hash, 'hex') AS hash FROM hotel_state WHERE hotel_id = $1",
    [hotel.id],
  );
  return rows;
}

beforeAll(async () => {
  server = await createTestServer();
  const { rows } = await server.database.pool.query<{ name: string }>(
    "SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1",
  );
  for (const [index, { name }] of rows.entries()) {
    await server.database.pool.query("SELECT setval($1::regclass, $2)", [name, 710_000 + index * 10_000]);
  }
  seeded = await seedTestHotel(server, "Quince");
  stranger = await seedTestHotel(server, "Medlar");
  await someFactors(server, seeded.owner.id, OWN_PASSKEY);
  await server.database.prisma.session.updateMany({ where: { operatorId: seeded.owner.id }, data: { factors: 2 } });
  await someFactors(server, seeded.ids.operatorId, "00000000-0000-4000-8000-0000000000f2");
});
afterAll(() => server.close());

it("has a row for every procedure, and no other", () => {
  expect(Object.keys(TABLE).sort()).toEqual(paths.sort());
});

describe("without a session", () => {
  it.each(closed)("%s is refused until the caller logs in", async (path) => {
    for (const input of inputsOf(path, seeded.ids, seeded.ids)) {
      expect((await call(server.visitor(), path, input)).code).toBe("session_missing");
    }
  });
});

describe("a frozen operator", () => {
  let browser: Browser;
  beforeAll(async () => {
    const operator = await server.createOperator(seeded.hotel, { role: "administrator" });
    browser = await server.loginAs(operator);
    await seeded.ownerDesk.api.staff.freeze.mutate({ operatorId: operator.id, frozen: true });
  });
  it.each(closed)("%s is refused as an ended session", async (path) => {
    for (const input of inputsOf(path, seeded.ids, seeded.ids)) {
      expect((await call(browser, path, input)).code).toBe("session_revoked");
    }
  });
});

describe("staff with no capability", () => {
  let browser: Browser;
  beforeAll(async () => {
    const { roomId, freeRoomId } = seeded.ids;
    browser = await server.loginAs(
      await server.createOperator(seeded.hotel, { role: "staff", roomIds: [roomId, freeRoomId] }),
    );
  });
  it.each(granted)("%s is refused", async (path) => {
    const before = await stateOf(seeded);
    for (const input of inputsOf(path, seeded.ids, seeded.ids)) {
      expect((await call(browser, path, input)).code).toBe("no_permission");
    }
    expect(await stateOf(seeded)).toEqual(before);
  });
});

describe("staff with every capability, and no room", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await server.loginAs(seeded.clerk);
  });
  it.each(roomBound)("%s answers as if the room didn't exist", async (path) => {
    const before = await stateOf(seeded);
    const [real, nothing] = [inputsOf(path, seeded.ids, seeded.ids), inputsOf(path, NOTHING, NOTHING)];
    for (const [index, input] of real.entries()) {
      const answer = await call(browser, path, input);
      const expected = await call(browser, path, nothing[index]);
      expect(withIdNames(answer.body, seeded.ids)).toBe(withIdNames(expected.body, NOTHING));
      expect(answer.code).not.toBe("invalid_input");
      expect(answer.body).not.toContain(seeded.mark);
    }
    expect(await stateOf(seeded)).toEqual(before);
  });
});

describe("the owner of another hotel", () => {
  it.each(closed)("%s answers as if it didn't exist", async (path) => {
    const before = await stateOf(seeded);
    const [foreign, nothing] = [inputsOf(path, seeded.ids, stranger.ids), inputsOf(path, NOTHING, stranger.ids)];
    for (const [index, input] of foreign.entries()) {
      const answer = await call(stranger.ownerDesk, path, input);
      const takesIds = JSON.stringify(input) !== JSON.stringify(nothing[index]);
      if (takesIds) {
        const expected = await call(stranger.ownerDesk, path, nothing[index]);
        expect(withIdNames(answer.body, seeded.ids)).toBe(withIdNames(expected.body, NOTHING));
        if (answer.code !== null) expect(["not_found", "invalid_input"]).toContain(answer.code);
      }
      expect(answer.body).not.toContain(seeded.mark);
    }
    expect(await stateOf(seeded)).toEqual(before);
  });

  it.each([
    ["/files/", ({ fileId }: SeededIds) => fileId],
    ["/files/", ({ faceFileId }: SeededIds) => faceFileId],
  ])("%s answers as if it didn't exist", async (prefix, idOf) => {
    const answers = [idOf(seeded.ids), idOf(NOTHING)].map((id) => stranger.ownerDesk.http("GET", prefix + id));
    const [foreign, nothing] = await Promise.all(answers);
    expect([foreign?.statusCode, foreign?.json().code]).toEqual([404, nothing?.json().code]);
  });
});

describe("a program with a key of another hotel", () => {
  let program: Browser;
  beforeAll(async () => {
    program = await programOf(stranger, API_SCOPES);
  });
  it.each(closed)("%s answers as if it didn't exist, or is refused", async (path) => {
    const before = await stateOf(seeded);
    const [foreign, nothing] = [inputsOf(path, seeded.ids, stranger.ids), inputsOf(path, NOTHING, stranger.ids)];
    for (const [index, input] of foreign.entries()) {
      const answer = await call(program, path, input);
      if (TABLE[path]?.access === "own") expect(answer.code).toBe("no_permission");
      if (answer.code !== "no_permission" && JSON.stringify(input) !== JSON.stringify(nothing[index])) {
        const expected = await call(program, path, nothing[index]);
        expect(withIdNames(answer.body, seeded.ids)).toBe(withIdNames(expected.body, NOTHING));
      }
      expect(answer.body).not.toContain(seeded.mark);
    }
    expect(await stateOf(seeded)).toEqual(before);
  });
});

describe("a program whose key lacks the scope", () => {
  const HAS = "breakfast.manage";
  let program: Browser;
  beforeAll(async () => {
    program = await programOf(seeded, [HAS]);
  });
  it.each(paths.filter((path) => !path.startsWith("breakfast.")))("%s is refused", async (path) => {
    const before = await stateOf(seeded);
    for (const input of inputsOf(path, seeded.ids, seeded.ids)) {
      expect((await call(program, path, input)).code).toBe("no_permission");
    }
    expect(await stateOf(seeded)).toEqual(before);
  });
});

describe("an operator who can only view", () => {
  const isReadOnly = (name: Capability): boolean => name.endsWith(".view") || name === "guests.documents";
  // Operators may always change what concerns only them (a session, a second factor), and whoever sees the board may
  // leave a hand-over note.
  const mutations = granted.filter(
    (path) => procedures[path]?._def.type === "mutation" && !path.startsWith("handOver."),
  );
  let browsers: Browser[];
  beforeAll(async () => {
    const { roomId, freeRoomId } = seeded.ids;
    const capabilities = GRANTABLE_CAPABILITIES.filter(isReadOnly);
    const viewerRole = { role: "staff" as const, capabilities, roomIds: [roomId, freeRoomId] };
    browsers = [
      await server.loginAs(await server.createOperator(seeded.hotel, viewerRole)),
      await programOf(seeded, API_SCOPES.filter(isReadOnly)),
    ];
  });
  it.each(mutations)("%s is refused", async (path) => {
    const before = await stateOf(seeded);
    for (const browser of browsers) {
      for (const input of inputsOf(path, seeded.ids, seeded.ids)) {
        expect((await call(browser, path, input)).code).toBe("no_permission");
      }
    }
    expect(await stateOf(seeded)).toEqual(before);
  });
});

/** A client that uses an API key instead of a session. */
async function programOf({ ownerDesk }: SeededHotel, scopes: readonly ApiScope[]): Promise<Browser> {
  const { token } = await ownerDesk.api.integrations.createKey.mutate({
    name: "Program",
    scopes: [...scopes],
    expiresAt: null,
  });
  const nobody = server.visitor();
  const http: Browser["http"] = (method, url, { headers, ...options } = {}) =>
    nobody.http(method, url, { ...options, headers: { ...headers, authorization: `Bearer ${token}` } });
  return { ...nobody, http };
}

/** Returns the own input once for each of its ids, with that one id replaced, and each list of ids with one added. */
function mixed(own: unknown, foreign: unknown): unknown[] {
  if (Array.isArray(own) && Array.isArray(foreign)) {
    const added = JSON.stringify(own) === JSON.stringify(foreign) ? [] : [[...own, ...foreign]];
    const replaced = own.flatMap((item, index) =>
      mixed(item, foreign[index]).map((changed) => own.map((ownItem, at) => (at === index ? changed : ownItem))),
    );
    return [...added, ...replaced];
  }
  if (typeof own === "object" && typeof foreign === "object" && own !== null && foreign !== null) {
    return Object.entries(own).flatMap(([name, value]) =>
      mixed(value, (foreign as Record<string, unknown>)[name]).map((changed) => ({ ...own, [name]: changed })),
    );
  }
  return own === foreign ? [] : [foreign];
}

describe("the owner of another hotel, with one foreign id among their own", () => {
  const entry = Object.keys(TABLE).filter((path) => closed.includes(path));
  it.each(entry)("%s neither shows nor changes anything of it", async (path) => {
    const before = await stateOf(seeded);
    const [own, foreign] = [inputsOf(path, stranger.ids, stranger.ids), inputsOf(path, seeded.ids, stranger.ids)];
    for (const [index, input] of own.entries()) {
      for (const mixture of mixed(input, foreign[index])) {
        const answer = await call(stranger.ownerDesk, path, mixture);
        expect(answer.body, JSON.stringify(mixture)).not.toContain(seeded.mark);
        expect(answer.code, JSON.stringify(mixture)).not.toBe("internal");
      }
    }
    expect(await stateOf(seeded)).toEqual(before);
  });
});

describe("the owner", () => {
  // Proves that the inputs above are valid: the owner succeeds where strangers were refused. Destructive rows come last
  // in the table.
  const rows = Object.keys(TABLE).filter((path) => closed.includes(path));
  it.each(rows)("%s is served, and names the capability that its service requires first", async (path) => {
    const required: Capability[] = [];
    const check = Scope.prototype.require;
    vi.spyOn(Scope.prototype, "require").mockImplementation(function (this: Scope, capability) {
      if (this.channel === "console") required.push(capability);
      check.call(this, capability);
    });
    const { capability, act } = opened(path) ?? {};
    const isGrantedAct = TABLE[path]?.access === "granted" && procedures[path]?._def.type === "mutation";
    expect(act !== undefined, "names an act").toBe(isGrantedAct);
    for (const input of inputsOf(path, seeded.ids, seeded.ids)) {
      required.length = 0;
      const { code, body } = await call(seeded.ownerDesk, path, input);
      if (capability) expect([capability].flat()).toContain(required[0]);
      expect(
        ["session_missing", "session_revoked", "no_permission", "not_found", "invalid_input", "internal"],
        body,
      ).not.toContain(code);
    }
  });
  afterEach(() => vi.restoreAllMocks());
});

/** Returns what a procedure says about itself. */
const opened = (path: string): Opened | undefined => (procedures[path]?._def as { meta?: Opened } | undefined)?.meta;

it("every act has a name, and every name an act", async () => {
  const listed = await seeded.ownerDesk.api.permissions.acts.query();
  const acts = new Set(listed.flatMap((one) => one.acts));
  const names = Object.keys(english.staff.act);
  expect([...acts].toSorted()).toEqual(names.toSorted());
});
