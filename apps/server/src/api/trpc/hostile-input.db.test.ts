import { afterAll, beforeAll, expect, it } from "vitest";
import { type SeededHotel, seedTestHotel } from "../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { appRouter } from "./router.ts";

/**
 * Replaces every text, instant, date and number of each input, one at a time, with values that PostgreSQL, JSON or the
 * calendar may fail on. No answer may be an internal error.
 */
let server: TestServer;
let hotel: SeededHotel;
beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Quince");
});
afterAll(() => server.close());

const at = (days: number): string => new Date(server.clock.now().getTime() + days * 86_400_000).toISOString();

const GUEST = {
  name: "Ann",
  nationality: "DE",
  birthDate: "1990-01-01",
  documentNumber: "C01X",
  mobile: "+49301234567",
  email: "ann@example.test",
};
const PRICES = {
  depositMinor: 0,
  usualMinor: 10_000,
  weekendMinor: 10_000,
  yearMinor: 100_000,
  dates: [{ date: "2026-12-24", priceMinor: 20_000 }],
};
const HOTEL = {
  name: "Renamed",
  address: "Street",
  tel: "+49301234567",
  latitude: 1,
  longitude: 1,
  timeZone: "Europe/Berlin",
  currency: "EUR",
  checkInTime: "14:00",
  checkOutTime: "12:00",
  dayStartTime: "05:00",
  weekendNights: [5, 6],
  breakfastFrom: "07:00",
  breakfastTo: "10:00",
  breakfastPriceMinor: 0,
  wifiName: "x",
  wifiPassword: "x",
  notice: "x",
};

const CHALLENGE = "00000000-0000-4000-8000-0000000000c1";
const ASSERTION = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA", userHandle: "AAAA" },
};

/** A valid input of each procedure that takes more than ids, with every field set. */
const INPUTS: Record<string, () => Record<string, unknown>> = {
  "hotel.update": () => HOTEL,
  "groups.save": () => ({ name: "Group", sort: 1 }),
  "rooms.save": () => ({
    name: "901",
    groupId: hotel.ids.groupId,
    remarkName: "x",
    description: "x",
    bulletin: "x",
    notice: "x",
    floor: 1,
    sort: 1,
    lock: { mac: "A4:C1:38:00:1F:2B", bluetoothName: "x" },
  }),
  "rooms.page": () => ({
    keyword: "x",
    status: "dirty",
    groupId: hotel.ids.groupId,
    sort: "reverse",
    page: 1,
    pageSize: 20,
  }),
  "rooms.restoreStatus": () => ({
    status: "dirty",
    rooms: [{ roomId: hotel.ids.roomId, condition: "clean", maintenance: { endsAt: at(1), note: "x" } }],
  }),
  "rooms.setStatus": () => ({ roomIds: [hotel.ids.roomId], status: "maintenance", until: at(1), note: "x" }),
  "rooms.setPrices": () => ({ roomIds: [hotel.ids.roomId], prices: PRICES }),
  "hotel.sendNotice": () => ({ to: { kind: "groups", groupIds: [hotel.ids.groupId] }, text: "x" }),
  "priceTemplates.save": () => ({ id: hotel.ids.priceTemplateId, name: "x", prices: PRICES }),
  "priceTemplates.preview": () => ({ templateId: hotel.ids.priceTemplateId, roomIds: [hotel.ids.roomId] }),
  "priceTemplates.putOn": () => ({ templateId: hotel.ids.priceTemplateId, roomIds: [hotel.ids.roomId] }),
  "breakfast.list": () => ({ date: at(0).slice(0, 10) }),
  "breakfast.tick": () => ({ date: at(0).slice(0, 10), stayGuestIds: [hotel.ids.stayGuestId], used: true }),
  "breakfast.tickByCard": () => ({ number: "DA3CBC66" }),
  "unlocks.list": () => ({ roomId: hotel.ids.roomId, from: at(-1), to: at(1), style: "card", cursor: "x", limit: 20 }),
  "unlocks.ofPerson": () => ({ stayGuestId: hotel.ids.stayGuestId, from: at(-1), to: at(1), cursor: "x", limit: 20 }),
  "unlocks.ofLock": () => ({ lockId: hotel.ids.lockId, from: at(-1), to: at(1), cursor: "x", limit: 20 }),
  "unlocks.ofHouse": () => ({ from: at(-1), to: at(1), cursor: `${at(0)}_1`, style: "card", limit: 20 }),
  "unlocks.traffic": () => ({ roomId: hotel.ids.roomId, date: "2026-03-02", span: "day" }),
  "alerts.list": () => ({ state: "all", kind: "tamper", page: 1, pageSize: 20 }),
  "alerts.markRead": () => ({ ids: [hotel.ids.alertId] }),
  "alerts.remove": () => ({ ids: [hotel.ids.alertId] }),
  "availability.find": () => ({ unit: "day", startsAt: at(1), endsAt: at(2), arrives: true }),
  "availability.forStay": () => ({ stayId: hotel.ids.stayId, startsAt: at(0), endsAt: at(5), unit: "day" }),
  "stays.quote": () => ({ roomId: hotel.ids.freeRoomId, unit: "day", startsAt: at(1), endsAt: at(2) }),
  "stays.reserve": () => ({
    roomId: hotel.ids.freeRoomId,
    unit: "day",
    startsAt: at(40),
    endsAt: at(41),
    guests: [GUEST],
    otherInformation: "x",
    agreedTotalMinor: 100,
    expectedTotalMinor: 100,
  }),
  "afterOutage.check": () => ({
    rows: [
      { act: "check_in", roomId: hotel.ids.roomId, guestName: "x", startsAt: at(-1), endsAt: at(1) },
      { act: "check_out", roomId: hotel.ids.freeRoomId, at: at(-1) },
      { act: "change_room", fromRoomId: hotel.ids.freeRoomId, roomId: hotel.ids.roomId, at: at(-1) },
    ],
  }),
  "afterOutage.enter": () => ({ act: "check_out", roomId: hotel.ids.freeRoomId, at: at(-1) }),
  "stays.checkIn": () => ({
    roomId: hotel.ids.freeRoomId,
    unit: "day",
    startsAt: at(0),
    endsAt: at(1),
    guests: [GUEST],
    otherInformation: "x",
    agreedTotalMinor: 100,
    depositMinor: 100,
    confirmAlreadyIn: true,
  }),
  "stays.renewQuote": () => ({ stayId: hotel.ids.stayId, endsAt: at(5), unit: "day" }),
  "stays.renew": () => ({ stayId: hotel.ids.stayId, endsAt: at(5), unit: "day", expectedTotalMinor: 1 }),
  "stays.previewChange": () => ({
    stayId: hotel.ids.reservedStayId,
    roomId: hotel.ids.roomId,
    startsAt: at(20),
    endsAt: at(22),
  }),
  "stays.moveReservation": () => ({
    stayId: hotel.ids.reservedStayId,
    roomId: hotel.ids.freeRoomId,
    startsAt: at(20),
    endsAt: at(22),
    agreedTotalMinor: 100,
    expectedDifferenceMinor: 1,
  }),
  "stays.shorten": () => ({ stayId: hotel.ids.stayId, endsAt: at(1), expectedDifferenceMinor: 1 }),
  "reports.occupancy": () => ({ from: "2026-03-01", to: "2026-03-31", by: "week" }),
  "timeline.read": () => ({ from: "2026-03-01", days: 31 }),
  "stays.update": () => ({ stayId: hotel.ids.stayId, breakfast: true, otherInformation: "x", idCardMatch: true }),
  "stays.checkOut": () => ({ stayId: hotel.ids.stayId, refundUnusedMinor: 1 }),
  "guests.list": () => ({
    keyword: "x",
    state: "in",
    roomId: hotel.ids.roomId,
    from: at(-1),
    to: at(1),
    page: 1,
    pageSize: 20,
  }),
  "guests.search": () => ({ query: "x" }),
  "guests.add": () => ({ stayId: hotel.ids.stayId, guest: GUEST, confirmAlreadyIn: true }),
  "guests.update": () => ({ stayGuestId: hotel.ids.stayGuestId, guest: GUEST }),
  "cards.lookUp": () => ({ number: "DA3CBC66" }),
  "cards.prepare": () => ({ stayId: hotel.ids.stayId, uid: "11223344", note: "x", disableOldCards: false }),
  "cards.confirm": () => ({ cardId: hotel.ids.cardId, readBack: "0".repeat(32) }),
  "cards.revoke": () => ({ cardId: hotel.ids.masterCardId, reason: "lost" }),
  "cards.list": () => ({ kind: "guest", state: "all", overTheAir: false, query: "x", page: 1, pageSize: 20 }),
  "cards.addOverTheAir": () => ({
    uid: "11223355",
    note: "x",
    roomIds: [hotel.ids.roomId],
    validFrom: at(0),
    validTo: at(1),
  }),
  "cards.prepareMaster": () => ({
    kind: "management",
    uid: "11223377",
    note: "x",
    roomIds: [hotel.ids.roomId],
    validFrom: at(0),
    validTo: at(1),
  }),
  "cards.prepareOneShot": () => ({ roomId: hotel.ids.freeRoomId, uid: "11223388", note: "x", once: true, minutes: 15 }),
  "cards.prepareSpare": () => ({ roomId: hotel.ids.freeRoomId, uid: "11223399", months: 6 }),
  "cards.removalPlan": () => ({ cardId: hotel.ids.masterCardId }),
  "cards.retryRemoval": () => ({ cardId: hotel.ids.masterCardId }),
  "cards.setHours": () => ({
    cardId: hotel.ids.masterCardId,
    hours: [{ days: [1], from: "07:00", to: "15:00" }],
  }),
  "cards.setRooms": () => ({ cardId: hotel.ids.masterCardId, roomIds: [hotel.ids.roomId] }),
  "cards.newProfile": () => ({
    cipher: "des-cbc",
    sector: 1,
    block: 0,
    keyType: "A",
    siteCode: 7,
    sectorKey: "A0A1A2A3A4A5",
    desKey: "0123456789ABCDEF",
    desIv: "1234567890ABCDEF",
  }),
  "locks.explain": () => ({ number: "DA3CBC66", roomId: hotel.ids.roomId }),
  "locks.resendRevocation": () => ({ lockId: hotel.ids.lockId, cardId: hotel.ids.lostCardId }),
  "passcodes.list": () => ({
    state: "ended",
    roomId: hotel.ids.roomId,
    stayId: hotel.ids.stayId,
    type: "air",
    query: "x",
    page: 1,
    pageSize: 20,
  }),
  "passcodes.create": () => ({
    type: "custom",
    roomIds: [hotel.ids.roomId],
    person: "Ann",
    note: "x",
    code: "402867",
    validFrom: at(0),
    validTo: at(1),
  }),
  "faces.list": () => ({ query: "x", page: 1, pageSize: 20 }),
  "faces.enrol": () => ({ fileId: hotel.ids.faceFileId, note: "x", guestId: 1, consent: true }),
  "faces.rename": () => ({ faceId: hotel.ids.faceId, note: "x" }),
  "faces.grant": () => ({
    faceId: hotel.ids.faceId,
    roomIds: [hotel.ids.roomId],
    validFrom: at(0),
    validTo: at(1),
  }),
  "locks.commands": () => ({ lockId: hotel.ids.lockId, cursor: "5", limit: 20 }),
  "passcodes.handOver": () => ({ passcodeId: hotel.ids.passcodeId, to: "+4915112345678" }),
  "locks.commandState": () => ({ commandId: hotel.ids.commandId }),
  "locks.liftBlock": () => ({ lockId: hotel.ids.lockId }),
  "locks.notice": () => ({ roomIds: [hotel.ids.roomId], text: "x" }),
  "locks.settleUnmanaged": () => ({ lockId: hotel.ids.lockId, slot: 1, act: "remove" }),
  "locks.save": () => ({
    mac: "A4:C1:38:00:1F:2C",
    bluetoothName: "x",
    driver: "zigbee2mqtt",
    address: "x",
    roomId: hotel.ids.roomId,
  }),
  "zones.save": () => ({ name: "Spa", kind: "facility", everyGuest: true, isExtra: true, doorIds: [hotel.ids.doorId] }),
  "zones.setOfStay": () => ({ stayId: hotel.ids.stayId, zoneIds: [hotel.ids.zoneId] }),
  "doors.save": () => ({ name: "Side door", kind: "entrance", lockId: hotel.ids.spareLockId }),
  "customers.list": () => ({ keyword: "x", kind: "person", sort: "-stays", page: 1, pageSize: 20 }),
  "customers.detail": () => ({ id: hotel.ids.customerId }),
  "customers.stays": () => ({ customerId: hotel.ids.customerId, page: 1, pageSize: 20 }),
  "cardReaders.list": () => ({ keyword: "x", bound: true, page: 1, pageSize: 20 }),
  "cardReaders.detail": () => ({ id: hotel.ids.cardReaderId }),
  "cardReaders.checkStatus": () => ({ deviceNo: hotel.ids.deviceNo }),
  "cardReaders.seen": () => ({ deviceNo: hotel.ids.deviceNo, type: 1 }),
  "cardReaders.save": () => ({ deviceNo: "A1-08", name: "x", type: 1, note: "x" }),
  "cardReaders.bind": () => ({
    id: hotel.ids.cardReaderId,
    holder: { kind: "customer", id: hotel.ids.customerId },
  }),
  "stays.history": () => ({
    keyword: "x",
    roomId: hotel.ids.roomId,
    from: at(-1),
    to: at(1),
    cursor: `${at(0)}_1`,
    limit: 20,
  }),
  "customers.save": () => ({
    kind: "person",
    name: "Ann",
    mobile: "+49301234567",
    email: "ann@example.test",
    company: "x",
    note: "x",
  }),
  "folio.list": () => ({ type: "room", from: at(-1), to: at(1), page: 1, pageSize: 20 }),
  "folio.pay": () => ({ stayId: hotel.ids.stayId, amountMinor: 1, channel: "cash", note: "x" }),
  "folio.chargeExtra": () => ({ stayId: hotel.ids.stayId, text: "x", quantity: 1, unitMinor: 1, channel: "cash" }),
  "folio.cancelCharge": () => ({ entryId: hotel.ids.entryId, reason: "x" }),
  "folio.undoWithdrawal": () => ({ entryId: hotel.ids.entryId, reason: "x" }),
  "folio.refund": () => ({ entryId: hotel.ids.entryId, amountMinor: 1, channel: "cash", note: "x" }),
  "folio.payOutCredit": () => ({ stayId: hotel.ids.stayId, amountMinor: 1, channel: "cash", note: "x" }),
  "folio.recharge": () => ({ amountMinor: 1, channel: "cash", note: "x" }),
  "folio.withdraw": () => ({ amountMinor: 1, repeatedMinor: 1, note: "x" }),
  "balance.statement": () => ({ span: "day", date: "2026-03-02" }),
  "balance.setAccount": () => ({ type: "bank", name: "Ann", bank: "x", number: "DE8937040044" }),
  "nightAudit.read": () => ({ date: "2026-03-02" }),
  "nightAudit.close": () => ({
    date: "2026-03-01",
    note: "x",
    figures: {
      arrivals: { expected: 0, arrived: 0, notCome: 0 },
      departures: { expected: 0, left: 0, overstaying: 0 },
      inHouse: { stays: 0, guests: 0 },
      unpaid: { stays: 0, owedMinor: 0 },
      revenueMinor: 0,
      channels: [{ channel: "cash", takenMinor: 0, returnedMinor: 0 }],
      doors: { neverOpened: 0, afterCheckOut: 0, vacantOpened: 0 },
    },
  }),
  "staff.save": () => ({
    operatorId: hotel.ids.operatorId,
    name: "Ann",
    nationality: "DE",
    birthDate: "1990-01-01",
    account: "13912345679",
    password: "new one here",
    role: "staff",
    capabilities: ["rooms.view"],
    roomIds: [hotel.ids.roomId],
  }),
  "locks.saveLink": () => ({
    kind: "ttlock",
    baseUrl: "https://8.8.8.8",
    clientId: "x",
    clientSecret: "x",
    account: "x",
    password: "x",
  }),
  "staff.permit": () => ({
    people: [
      {
        operatorId: hotel.ids.staffId,
        capabilities: ["rooms.view"],
        grants: [{ roomId: hotel.ids.roomId, startsAt: at(-1), endsAt: at(1) }],
      },
    ],
  }),
  "staff.setRole": () => ({ operatorId: hotel.ids.operatorId, role: "staff" }),
  "staff.remove": () => ({ operatorId: 1_900_000_000 }),
  "privacy.preview": () => ({ days: 30 }),
  "privacy.setRetention": () => ({ days: 30 }),
  "privacy.find": () => ({ query: "x" }),
  "privacy.person": () => ({ guestId: hotel.ids.guestId }),
  "rosters.saveSettings": () => ({ recipients: [], time: "21:00", keep: 3 }),
  "privacy.erase": () => ({ guestId: hotel.ids.guestId }),
  "unlocks.whoEntered": () => ({ stayId: hotel.ids.stayId }),
  "calendarFeeds.make": () => ({ name: "x", roomId: hotel.ids.roomId, showsNames: false }),
  "integrations.createKey": () => ({ name: "x", scopes: ["rooms.view"], expiresAt: at(1) }),
  "integrations.saveWebhook": () => ({
    id: hotel.ids.webhookId,
    name: "x",
    url: "https://8.8.8.8/hook",
    events: ["stay.reserved"],
  }),
  "integrations.deliveries": () => ({ webhookId: hotel.ids.webhookId, state: "failed", page: 1, pageSize: 20 }),
  "integrations.resend": () => ({ webhookId: hotel.ids.webhookId, deliveryId: hotel.ids.deliveryId }),
  "search.find": () => ({ query: "x" }),
  "imports.preview": () => ({
    kind: "rooms",
    mapping: ["name", "floor", "mac", "usual"],
    rows: [["901", "1", "A4:C1:38:00:1F:2D", "90"]],
    dateOrder: "auto",
    existing: "skip",
  }),
  "imports.run": () => ({
    kind: "guests",
    mapping: ["name", "birthDate", "mobile", "arrival", "price"],
    rows: [["Ann", "1990-01-01", "+49301234567", "", ""]],
    dateOrder: "auto",
    existing: "skip",
  }),
  "audit.list": () => ({ before: "5", limit: 20 }),
  "auth.saveProfile": () => ({ name: "Ann", avatarFileId: hotel.ids.avatarFileId }),
  "auth.login": () => ({ account: "13912345678", password: "x", code: "AAAA" }),
  "auth.secondFactor": () => ({ challenge: CHALLENGE, proof: { method: "passkey", assertion: ASSERTION } }),
  "auth.passkeyLogin": () => ({ challenge: CHALLENGE, assertion: ASSERTION }),
  "twoStep.prove": () => ({ password: "xxx" }),
  "twoStep.provePasskey": () => ({ challenge: CHALLENGE, assertion: ASSERTION }),
  "twoStep.confirmTotp": () => ({ challenge: CHALLENGE, code: "000000" }),
  "twoStep.addPasskey": () => ({
    challenge: CHALLENGE,
    name: "x",
    attestation: {
      ...ASSERTION,
      response: { clientDataJSON: "AAAA", attestationObject: "AAAA", transports: ["usb"] },
    },
  }),
  "twoStep.renamePasskey": () => ({ id: CHALLENGE, name: "x" }),
  "twoStep.removePasskey": () => ({ id: CHALLENGE }),
  "staff.resetTwoStep": () => ({ operatorId: 1_900_000_000 }),
  "auth.changePassword": () => ({ oldPassword: "xxx", password: "new password", confirmPassword: "new password" }),
};

const INSTANTS = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-12:00",
  "2026-02-30T00:00:00Z",
];
const TEXTS = [
  "a\u0000b",
  "\u0000",
  "\ud800",
  "a\udfffb",
  "\u202egnp.exe",
  "__proto__",
  "%_\\",
  "'; --",
  "x".repeat(10_000),
];
const DATES = ["0000-01-01", "0001-01-01", "9999-12-31", "2026-02-30"];
const NUMBERS = [-1, 0, 2 ** 31, 2 ** 53 - 1, -(2 ** 31) - 1, 1e21, 0.5, null];

function hostile(value: unknown): unknown[] {
  if (typeof value === "number") return NUMBERS;
  if (typeof value !== "string") return [];
  return /^\d{4}-/.test(value) ? [...INSTANTS, ...DATES, ...TEXTS] : TEXTS;
}

/** Yields the input with one leaf replaced, for each leaf and each replacement. */
function* variants(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const changed of variants(item)) yield value.map((item, at) => (at === index ? changed : item));
  } else if (value !== null && typeof value === "object") {
    for (const [key, item] of Object.entries(value))
      for (const changed of variants(item)) yield { ...value, [key]: changed };
  } else yield* hostile(value);
}

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: "query" | "mutation" } }>;

it.each(Object.keys(INPUTS))("%s answers hostile input without an internal error", async (path) => {
  const bad: string[] = [];
  for (const input of variants(INPUTS[path]?.())) {
    const text = JSON.stringify(input);
    const response =
      procedures[path]?._def.type === "query"
        ? await hotel.ownerDesk.http("GET", `/api/trpc/${path}?input=${encodeURIComponent(text)}`)
        : await hotel.ownerDesk.http("POST", `/api/trpc/${path}`, {
            headers: { "content-type": "application/json" },
            payload: text,
          });
    if (response.statusCode >= 500) bad.push(`${response.statusCode} ${text.slice(0, 400)}`);
  }
  expect(bad).toEqual([]);
});
