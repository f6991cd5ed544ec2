import type { GuestCheckInOutcome, GuestCheckInState } from "@innkey/shared/schemas/stays/guest-links";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import { readContacts } from "../../../test/harness/guest-contacts.ts";
import { GuestPhone, openGuestServer } from "../../../test/harness/guest-phone.ts";
import type { TestHotel, TestOperator } from "../../../test/harness/people.ts";
import { createTestServer, failure, GUEST_URL, type TestServer } from "../../../test/harness/server.ts";
import { giveLockSecret } from "../../../test/locks/locks.ts";
import { linkForMessage } from "../../domain/stays/public.ts";

const DAY_MS = 86_400_000;
const DOCUMENT = "C01-X00T4K";
const NAME = "Ada Quince";
const SECRET = "3132333435363738393031323334353637383930";
const DETAILS = {
  ...{ name: NAME, birthDate: "1990-02-03", nationality: "PT", documentType: "passport", documentNumber: "P-7731X" },
};

let server: TestServer;
let app: FastifyInstance;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let serial = 0;

beforeAll(async () => {
  server = await createTestServer();
  app = await openGuestServer(server);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const at = (days: number): string => new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();
const setHotel = (data: Record<string, boolean>) =>
  server.database.prisma.hotel.update({ where: { id: hotel.id }, data });

interface Booked {
  stayId: number;
  stayGuestId: number;
  roomId: number;
  lockId: number;
  token: string;
  phone: GuestPhone;
}

async function addRoom(withLock = true): Promise<{ roomId: number; lockId: number }> {
  serial += 1;
  const lock = withLock ? { mac: `02:00:00:02:00:${String(serial).padStart(2, "0")}` } : null;
  const { id: groupId } = await desk.api.groups.save.mutate({ name: `Group ${serial}`, sort: 1 });
  const { roomId } = await desk.api.rooms.save.mutate({ name: `Nymph ${serial}`, groupId, ...(lock && { lock }) });
  const prices = { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 10_000 };
  await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
  if (!lock) return { roomId, lockId: 0 };
  const { id } = await server.database.prisma.lock.findFirstOrThrow({ where: { roomId } });
  await server.database.prisma.lock.update({ where: { id }, data: { online: true } });
  return { roomId, lockId: id };
}

async function openPage(stayGuestId: number, answer = "t4k"): Promise<{ token: string; phone: GuestPhone }> {
  const { url } = await desk.api.guestLinks.make.mutate({ stayGuestId });
  const token = url.slice(`${GUEST_URL}/#`.length);
  const phone = new GuestPhone(app);
  expect(await phone.prove(answer, token)).toBe("proven");
  return { token, phone };
}

/** A clerk who may not give out door codes reserves a room for themselves, and opens the page by the link in the message. */
async function bookAsClerk(): Promise<Booked & { clerk: Browser }> {
  const { roomId, lockId } = await addRoom();
  const staff = { role: "staff" as const, capabilities: ["stays.view" as const, "stays.manage" as const] };
  const clerk = await server.loginAs(await server.createOperator(hotel, { ...staff, roomIds: [roomId] }));
  const guests = [{ name: "Mallory", mobile: "+4917600666", email: "mallory@example.test" }];
  const booking = { roomId, unit: "day" as const, startsAt: at(0), endsAt: at(2), guests, channel: "cash" as const };
  const stay = await clerk.api.stays.reserve.mutate(booking);
  const system = await server.scopeOf(owner);
  const addressee = { ...stay, toMobile: false };
  const url = (await system.write((tx) => linkForMessage(system, tx, addressee, GUEST_URL))) ?? "";
  const token = url.slice(`${GUEST_URL}/#`.length);
  const phone = new GuestPhone(app);
  expect(await phone.prove("666", token)).toBe("proven");
  return { ...stay, roomId, lockId, token, phone, clerk };
}

/** Reserves a room from now on and opens the guest's page. */
async function book(
  options: { paid?: boolean; startsIn?: number; withLock?: boolean; others?: string[] } = {},
): Promise<Booked> {
  const { paid = true, startsIn = 0, withLock = true, others = [] } = options;
  const room = await addRoom(withLock);
  const guests = [
    { name: NAME, mobile: "", email: "", documentNumber: DOCUMENT },
    ...others.map((name) => ({ name, mobile: "+4930123456", email: "" })),
  ];
  const period = { unit: "day" as const, startsAt: at(startsIn), endsAt: at(startsIn + 2) };
  const channel = paid ? ("cash" as const) : null;
  const stay = await desk.api.stays.reserve.mutate({ roomId: room.roomId, ...period, guests, channel });
  return { ...stay, ...room, ...(await openPage(stay.stayGuestId)) };
}

const stateOf = async ({ phone, token }: Booked): Promise<GuestCheckInState | null | undefined> =>
  (await phone.page(token)).inside?.checkIn;
const checkIn = async ({ phone, token }: Pick<Booked, "phone" | "token">): Promise<GuestCheckInOutcome> => {
  const answer = await phone.post("check-in", { token });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().outcome;
};
const detailOf = ({ stayId }: Pick<Booked, "stayId">) => desk.api.stays.detail.query({ stayId });
const arrivalsIn = ({ stayId }: Booked) =>
  server.database.prisma.auditEntry.findMany({
    where: { hotelId: hotel.id, entity: "stay", entityId: String(stayId), action: "stay.arrive" },
  });
const codesOf = ({ stayId }: Booked) => server.database.prisma.passcode.findMany({ where: { stayId } });
/** Checks that the page and the act say the same, and that nothing happened. */
async function expectRefused(booked: Booked, state: Exclude<GuestCheckInState, "possible">): Promise<void> {
  expect(await stateOf(booked)).toBe(state);
  expect(await checkIn(booked)).toBe(state);
  expect((await detailOf(booked)).state).toBe("reserved");
  expect(await codesOf(booked)).toEqual([]);
}

beforeEach(async () => {
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
  await setHotel({ guestChecksIn: true });
});

describe("checking in on the guest's page", () => {
  it("checks the party in as the desk does, takes no money, and shows the code once the lock has it", async () => {
    const booked = await book();
    const entries = () => server.database.prisma.folioEntry.count({ where: { stayId: booked.stayId } });
    const before = await entries();
    expect(await stateOf(booked)).toBe("possible");
    expect(await checkIn(booked)).toBe("checked_in");
    expect(await detailOf(booked)).toMatchObject({
      ...{ state: "checked_in", checkedInByGuest: true, checkedInAt: server.clock.now().toISOString() },
      money: { depositHeldMinor: 0, owedMinor: 0 },
    });
    expect(await entries()).toBe(before);
    const { inside } = await booked.phone.page(booked.token);
    expect(inside).toMatchObject({ checkIn: null, preCheckIn: null, room: { name: expect.any(String) } });
    expect(inside?.codes).toMatchObject([{ code: null, once: false }]);
    await server.database.prisma.credential.updateMany({
      where: { stayId: booked.stayId },
      data: { state: "confirmed", confirmedAt: server.clock.now() },
    });
    expect((await booked.phone.page(booked.token)).inside?.codes).toMatchObject([
      { code: expect.stringMatching(/^\d{6}$/), validTo: at(2) },
    ]);
    expect(await checkIn(booked)).toBe("checked_in");
    expect(await arrivalsIn(booked)).toMatchObject([{ actorKind: "guest", actorName: "", door: "guest" }]);
  });

  it("shows the desk who checked the party in: on Today, in the record and in the history", async () => {
    const booked = await book();
    const today = async () =>
      (await desk.api.home.today.query()).find(({ stayId }) => stayId === booked.stayId)?.checkedInByGuest;
    expect(await today()).toBe(false);
    await checkIn(booked);
    expect(await today()).toBe(true);
    expect((await desk.api.stays.history.query({})).rows).toMatchObject([
      { stayId: booked.stayId, checkedInByGuest: true, checkedOutByGuest: false },
    ]);
    await setHotel({ guestChecksOut: true });
    expect((await booked.phone.post("check-out", { token: booked.token })).statusCode).toBe(200);
    expect((await desk.api.stays.history.query({})).rows).toMatchObject([{ checkedOutByGuest: true }]);
    const walkIn = await addRoom();
    const guests = [{ name: "Ben Medlar", mobile: "", email: "" }];
    const party = { roomId: walkIn.roomId, unit: "day" as const, startsAt: at(0), endsAt: at(1), guests };
    const { stayId } = await desk.api.stays.checkIn.mutate(party);
    expect(await detailOf({ stayId })).toMatchObject({ checkedInByGuest: false });
  });

  it("is undone by the desk as any check-in, with its code, and is then for the desk alone", async () => {
    const booked = await book();
    await checkIn(booked);
    const { keysRevoked } = await desk.api.stays.undoCheckIn.mutate({ stayId: booked.stayId });
    expect(keysRevoked).toBe(1);
    expect(await detailOf(booked)).toMatchObject({ state: "reserved", checkedInByGuest: false });
    expect(await codesOf(booked)).toMatchObject([{ deletedAt: server.clock.now() }]);
    expect(await stateOf(booked)).toBe("see_desk");
    expect(await checkIn(booked)).toBe("see_desk");
    await desk.api.stays.arrive.mutate({ stayId: booked.stayId, depositMinor: 0 });
    expect(await detailOf(booked)).toMatchObject({ state: "checked_in", checkedInByGuest: false });
  });

  it("leaves a code as it is that the desk has given the guest before", async () => {
    const booked = await book();
    const passcode = { type: "air" as const, roomIds: [booked.roomId], stayId: booked.stayId, person: NAME };
    const { passcodeId } = await desk.api.passcodes.create.mutate(passcode);
    await checkIn(booked);
    expect((await codesOf(booked)).map(({ id }) => id)).toEqual([passcodeId]);
  });

  it("gives a code that opens once, and needs no network, for a lock that is away", async () => {
    const booked = await book();
    await server.database.prisma.lock.update({
      where: { id: booked.lockId },
      data: { online: false, configuredAt: server.clock.now() },
    });
    await expectRefused(booked, "see_desk");
    await giveLockSecret(server.database, await server.scopeOf(owner), booked.lockId, SECRET);
    expect(await checkIn(booked)).toBe("checked_in");
    expect((await booked.phone.page(booked.token)).inside?.codes).toMatchObject([
      { code: expect.stringMatching(/^\d{6}$/), once: true },
    ]);
  });
});

describe("a guest may check in on their page only", () => {
  it("if the hotel offers it, after the proof, and as the guest whose name the stay has", async () => {
    const booked = await book({ others: ["Ben Medlar"] });
    const { guests } = await detailOf(booked);
    const companion = await openPage(guests[1]?.stayGuestId ?? 0, "456");
    expect((await companion.phone.page(companion.token)).inside).toMatchObject({ checkIn: null });
    expect((await companion.phone.post("check-in", { token: companion.token })).statusCode).toBe(404);
    expect((await new GuestPhone(app).post("check-in", { token: booked.token })).statusCode).toBe(404);
    // Somebody else's recognised phone opens no other link.
    expect((await companion.phone.post("check-in", { token: booked.token })).statusCode).toBe(404);
    await setHotel({ guestChecksIn: false });
    expect(await stateOf(booked)).toBeNull();
    expect((await booked.phone.post("check-in", { token: booked.token })).statusCode).toBe(404);
    await setHotel({ guestChecksIn: true });
    await desk.api.guestLinks.revoke.mutate({ stayGuestId: booked.stayGuestId });
    expect((await booked.phone.post("check-in", { token: booked.token })).statusCode).toBe(404);
    expect((await detailOf(booked)).state).toBe("reserved");
  });

  it("if nothing is owed", async () => {
    const booked = await book({ paid: false });
    await expectRefused(booked, "not_paid");
    await desk.api.folio.pay.mutate({ stayId: booked.stayId, channel: "cash", amountMinor: 20_000 });
    expect(await checkIn(booked)).toBe("checked_in");
  });

  it("from the planned arrival on", async () => {
    const booked = await book({ startsIn: 0.25 });
    await expectRefused(booked, "too_early");
    server.clock.advance(DAY_MS / 4);
    expect(await checkIn(booked)).toBe("checked_in");
    server.clock.advance(-DAY_MS / 4);
  });

  it("if the details are there that the hotel asks for: on record, or sent and not discarded", async () => {
    await setHotel({ guestGivesIdentity: true, guestGivesDocument: true });
    const booked = await book();
    await expectRefused(booked, "details_missing");
    const send = (details: object) => booked.phone.post("pre-check-in", { token: booked.token, ...details });
    // The document is on record.
    await send({ name: NAME, nationality: "PT" });
    expect(await stateOf(booked)).toBe("details_missing");
    await send({ ...DETAILS, documentNumber: "" });
    expect(await stateOf(booked)).toBe("possible");
    const { stayGuestId } = booked;
    const sentAt = (await desk.api.preCheckIns.read.query({ stayGuestId }))?.sentAt ?? "";
    await desk.api.preCheckIns.discard.mutate({ stayGuestId, sentAt });
    await expectRefused(booked, "see_desk");

    const other = await book();
    await other.phone.post("pre-check-in", { token: other.token, ...DETAILS });
    const guest = { stayGuestId: other.stayGuestId };
    const seen = (await desk.api.preCheckIns.read.query(guest))?.sentAt ?? "";
    await desk.api.preCheckIns.takeOver.mutate({ ...guest, sentAt: seen });
    expect(await stateOf(other)).toBe("possible");
    expect(await checkIn(other)).toBe("checked_in");
  });

  it("if a document's number has a letter or digit; nothing else takes the place of one on record", async () => {
    await setHotel({ guestGivesDocument: true });
    const booked = await book({ others: ["Ben Medlar"] });
    const { guests } = await detailOf(booked);
    const stayGuestId = guests[1]?.stayGuestId ?? 0;
    const companion = await openPage(stayGuestId, "456");
    for (const documentNumber of ["-", " ./-", "–", "?"]) {
      await companion.phone.post("pre-check-in", { ...DETAILS, token: companion.token, name: "", documentNumber });
      await expectRefused(booked, "see_desk");
    }
    await booked.phone.post("pre-check-in", { token: booked.token, documentType: "passport", documentNumber: "-" });
    const sent = await desk.api.preCheckIns.read.query({ stayGuestId: booked.stayGuestId });
    expect(sent?.values?.documentNumber).toBe("");
    await desk.api.preCheckIns.takeOver.mutate({ stayGuestId: booked.stayGuestId, sentAt: sent?.sentAt ?? "" });
    expect((await detailOf(booked)).guests[0]?.documentNumber).toBe(guests[0]?.documentNumber);
  });

  it("if they are there of every guest of the party", async () => {
    await setHotel({ guestGivesDocument: true });
    const booked = await book({ others: ["Ben Medlar"] });
    await expectRefused(booked, "see_desk");
    const { guests } = await detailOf(booked);
    const companion = await openPage(guests[1]?.stayGuestId ?? 0, "456");
    await companion.phone.post("pre-check-in", { token: companion.token, ...DETAILS, name: "Ben Medlar" });
    expect(await checkIn(booked)).toBe("checked_in");
    // What they sent still waits for the desk.
    expect((await desk.api.home.today.query()).find(({ stayId }) => stayId === booked.stayId)).toMatchObject({
      preCheckIns: 1,
    });
  });

  it("if the booking was made, or is confirmed, by somebody who may give out door codes", async () => {
    const { clerk, ...booked } = await bookAsClerk();
    await expectRefused(booked, "see_desk");
    const guest = { stayGuestId: booked.stayGuestId };
    expect(await clerk.api.guestLinks.state.query(guest)).toMatchObject({ bookingUnconfirmed: true });
    const confirmation = { ...guest, contacts: await readContacts(server.database.prisma, guest.stayGuestId) };
    expect((await failure(clerk.api.guestLinks.confirmBooking.mutate(confirmation))).code).toBe("no_permission");
    await expectRefused(booked, "see_desk");
    expect(await desk.api.guestLinks.confirmBooking.mutate(confirmation)).toEqual({ confirmed: true });
    expect(await desk.api.guestLinks.confirmBooking.mutate(confirmation)).toEqual({ confirmed: false });
    expect(await desk.api.guestLinks.state.query(guest)).toMatchObject({ bookingUnconfirmed: false });
    const where = { hotelId: hotel.id, action: "guestLink.confirmBooking" };
    expect(await server.database.prisma.auditEntry.count({ where })).toBe(1);
    expect(await checkIn(booked)).toBe("checked_in");
  });

  it("if nobody has brought the booking back or moved it who may not give out door codes", async () => {
    const [cancelled, moved, other] = [await book(), await book({ startsIn: 5 }), await addRoom()];
    const staff = { role: "staff" as const, capabilities: ["stays.view" as const, "stays.manage" as const] };
    const roomIds = [cancelled.roomId, moved.roomId, other.roomId];
    const clerk = await server.loginAs(await server.createOperator(hotel, { ...staff, roomIds }));
    const target = { stayId: moved.stayId, roomId: other.roomId, startsAt: at(0), endsAt: at(2), channel: null };
    await clerk.api.stays.moveReservation.mutate({ ...target, expectedDifferenceMinor: 0 });
    await expectRefused(moved, "see_desk");
    await desk.api.stays.cancel.mutate({ stayId: cancelled.stayId, refundChannel: "cash" });
    await clerk.api.stays.reinstate.mutate({ stayId: cancelled.stayId, isMoneyBack: true });
    await expectRefused(cancelled, "see_desk");
  });

  it("if the room is clean", async () => {
    const booked = await book();
    const status = { roomIds: [booked.roomId], until: null, note: "" };
    await desk.api.rooms.setStatus.mutate({ ...status, status: "dirty" });
    await expectRefused(booked, "see_desk");
    await desk.api.rooms.setStatus.mutate({ ...status, status: "vacant" });
    expect(await checkIn(booked)).toBe("checked_in");
  });

  it("if nobody is in the room any more", async () => {
    const room = await addRoom();
    const guests = [{ name: "Ben Medlar", mobile: "", email: "" }];
    const first = { roomId: room.roomId, unit: "day" as const, startsAt: at(-1), endsAt: at(0.05), guests };
    const { stayId } = await desk.api.stays.checkIn.mutate({ ...first, channel: "cash", depositMinor: 0 });
    const next = await desk.api.stays.reserve.mutate({
      ...{ roomId: room.roomId, unit: "day", startsAt: at(0.05), endsAt: at(2), channel: "cash" },
      guests: [{ name: NAME, mobile: "", email: "", documentNumber: DOCUMENT }],
    });
    const booked = { ...next, ...room, ...(await openPage(next.stayGuestId)) };
    server.clock.advance(DAY_MS / 10);
    await expectRefused(booked, "see_desk");
    await desk.api.stays.checkOut.mutate({ stayId });
    await desk.api.rooms.setStatus.mutate({ roomIds: [room.roomId], status: "vacant", until: null, note: "" });
    expect(await checkIn(booked)).toBe("checked_in");
    server.clock.advance(-DAY_MS / 10);
  });

  it("if the door has a lock", async () => {
    await expectRefused(await book({ withLock: false }), "see_desk");
  });

  it("if nobody with their document is in the hotel already, and isn't told who or where", async () => {
    const booked = await book();
    const other = await addRoom();
    const guests = [{ name: "A. M. Quince", mobile: "", email: "", documentNumber: DOCUMENT }];
    const party = { roomId: other.roomId, unit: "day" as const, startsAt: at(0), endsAt: at(1), guests };
    await desk.api.stays.checkIn.mutate({ ...party, confirmAlreadyIn: true });
    const answer = await booked.phone.post("check-in", { token: booked.token });
    expect(answer.json()).toEqual({ outcome: "see_desk" });
    expect((await detailOf(booked)).state).toBe("reserved");
    expect(await codesOf(booked)).toEqual([]);
  });
});

describe("at the same moment", () => {
  const codeOf = async (error: unknown) => (await failure(Promise.reject(error))).code;

  it("two phones check a party in once, with one code", async () => {
    const booked = await book();
    const second = new GuestPhone(app);
    expect(await second.prove("t4k", booked.token)).toBe("proven");
    const both = [booked, { phone: second, token: booked.token }];
    expect(await Promise.all(both.map(checkIn))).toEqual(["checked_in", "checked_in"]);
    expect(await arrivalsIn(booked)).toHaveLength(1);
    expect(await codesOf(booked)).toHaveLength(1);
  });

  it("the desk and the guest check a party in once", async () => {
    const booked = await book();
    const [outcome, byDesk] = await Promise.all([
      checkIn(booked),
      desk.api.stays.arrive.mutate({ stayId: booked.stayId, depositMinor: 0 }).then(() => "checked_in", codeOf),
    ]);
    expect(outcome).toBe("checked_in");
    expect(["checked_in", "state_conflict"]).toContain(byDesk);
    expect(await arrivalsIn(booked)).toHaveLength(1);
    expect((await codesOf(booked)).length).toBe(byDesk === "checked_in" ? 0 : 1);
  });

  it("the same person gets into one room alone, if the desk checks them in elsewhere", async () => {
    const booked = await book();
    const other = await addRoom();
    const guests = [{ name: NAME, mobile: "", email: "", documentNumber: DOCUMENT }];
    const party = { roomId: other.roomId, unit: "day" as const, startsAt: at(0), endsAt: at(1), guests };
    const [outcome, byDesk] = await Promise.all([
      checkIn(booked),
      desk.api.stays.checkIn.mutate(party).then(() => "checked_in", codeOf),
    ]);
    expect([
      ["checked_in", "guest_already_in"],
      ["see_desk", "checked_in"],
    ]).toContainEqual([outcome, byDesk]);
  });
});

describe("opening the door", () => {
  it("needs a booking that is confirmed, also for a party in the house", async () => {
    await setHotel({ guestOpensDoor: true });
    const { clerk, phone, token, stayId, stayGuestId, lockId } = await bookAsClerk();
    await clerk.api.stays.arrive.mutate({ stayId, depositMinor: 0 });
    expect((await phone.page(token)).inside).toMatchObject({ room: {}, canOpen: false });
    expect((await phone.post("open", { token })).statusCode).toBe(404);
    expect(await server.database.prisma.lockCommand.count({ where: { lockId, type: "unlock" } })).toBe(0);
    expect(await clerk.api.guestLinks.state.query({ stayGuestId })).toMatchObject({ bookingUnconfirmed: true });
    const confirmation = { stayGuestId, contacts: await readContacts(server.database.prisma, stayGuestId) };
    expect(await desk.api.guestLinks.confirmBooking.mutate(confirmation)).toEqual({ confirmed: true });
    expect(await clerk.api.guestLinks.state.query({ stayGuestId })).toMatchObject({ bookingUnconfirmed: false });
    expect((await phone.page(token)).inside?.canOpen).toBe(true);
    expect((await phone.post("open", { token })).statusCode).toBe(200);
  });

  it("is refused if the booking becomes unconfirmed while the page is open", async () => {
    await setHotel({ guestOpensDoor: true });
    const { phone, token, stayId, stayGuestId, roomId } = await book({ others: ["Ben Medlar"] });
    await desk.api.stays.arrive.mutate({ stayId, depositMinor: 0 });
    expect((await phone.page(token)).inside?.canOpen).toBe(true);
    const staff = { role: "staff" as const, capabilities: ["stays.view" as const, "stays.manage" as const] };
    const clerk = await server.loginAs(await server.createOperator(hotel, { ...staff, roomIds: [roomId] }));
    const { guests } = await desk.api.stays.detail.query({ stayId });
    const companion = await openPage(guests[1]?.stayGuestId ?? 0, "456");
    const { commandId } = (await phone.post("open", { token })).json();
    await clerk.api.guests.remove.mutate({ stayGuestId });
    // What the guest who was removed asked for doesn't open the door any more.
    expect(await server.database.prisma.lockCommand.findUnique({ where: { id: commandId } })).toMatchObject({
      state: "cancelled",
    });
    expect((await companion.phone.post("open", { token: companion.token })).statusCode).toBe(404);
  });
});
