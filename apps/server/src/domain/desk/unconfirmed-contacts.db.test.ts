import type { GuestMessageChannel, GuestMessageEvent } from "@innkey/shared/guest-messages";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import {
  addGuestInput,
  checkInInput,
  checkOutInput,
  renewInput,
  reserveInput,
  updateGuestInput,
} from "@innkey/shared/schemas/stays/stays";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../test/clients/card-desk.ts";
import { readContacts } from "../../../test/harness/guest-contacts.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { idleQueue } from "../../../test/harness/idle-queue.ts";
import type { Scope } from "../../kernel/scope.ts";
import { create as createCode } from "../access/passcodes/passcodes.service.ts";
import { save, saveText } from "../messaging/guest-messages/settings.service.ts";
import { OutgoingMessages } from "../messaging/outgoing-messages/outgoing-messages.service.ts";
import { readMessageCodes, readMessageFacts } from "../overview/public.ts";
import { confirmBookingOf, readLink } from "../stays/guest-links/guest-links.service.ts";
import { addGuest } from "./add-guest.ts";
import { makeGuestLink, revokeGuestLink } from "./guest-links.ts";
import { sendByHand } from "./guest-messages.ts";
import { type GuestMessageDeps, prepareDue } from "./prepare-guest-messages.ts";
import * as stays from "./public.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY = 86_400_000;
const GUEST_URL = "https://stay.example";
const ADA = {
  ...{ name: "Ada Lovelace", nationality: "GB", documentNumber: "C01X" },
  ...{ mobile: "+49301234567", email: "ada@example.com" },
};
const EVIL = "key@evil.example";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let desk: CardDesk;
let room: DeskRoom;
let outgoing: OutgoingMessages;
let deps: GuestMessageDeps;
let stayId: number;
let stayGuestId: number;
/** ways by which the hotel sends */
let channels: GuestMessageChannel[];
const mails: { to: string; text: string }[] = [];

const send = async (scope: Scope, message: { stayGuestId: number; event: GuestMessageEvent }): Promise<unknown> =>
  sendByHand(scope, { ...message, contacts: await readContacts(world.database.prisma, message.stayGuestId) });

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  owner = desk.owner;
  room = await desk.room("101");
  mails.length = 0;
  channels = ["mail"];
  const { database, clock, secrets } = world;
  const log = pino({ level: "silent" });
  const scopes = async (hotelId: number) => (hotelId === hotel.id ? owner : null);
  const mailer = { send: async (mail: (typeof mails)[number]) => void mails.push(mail), close: () => undefined };
  outgoing = new OutgoingMessages({
    ...{ database, clock, secrets, log, scopes, queue: idleQueue, mailer },
    sms: { send: async () => undefined },
  });
  deps = { database, clock, scopes, outgoingMessages: outgoing, guestUrl: GUEST_URL, log };
  ({ stayId, stayGuestId } = await checkIn());
  await newCode();
});

const at = (days: number): string => new Date(Date.parse(NOW) + days * DAY).toISOString();
async function settings(...events: GuestMessageEvent[]): Promise<void> {
  const server = { outgoingMessages: outgoing, guestUrl: GUEST_URL };
  await save(owner, server, { events, channels, hoursBefore: 48, quiet: null });
  for (const event of events) {
    const content = { subject: "Your stay", body: "Dear guest\nDoor code: {{doorCode}}\nYour page: {{guestLink}}" };
    await saveText(owner, { event, language: "en", content });
  }
}
function checkIn() {
  const booking = { roomId: room.roomId, unit: "day", startsAt: at(0), endsAt: at(2), channel: "cash", guests: [ADA] };
  return stays.checkIn(owner, checkInInput.parse(booking));
}
async function newCode(code = "482913"): Promise<void> {
  const input = { type: "custom", code, roomIds: [room.roomId], stayId, person: ADA.name };
  await createCode(owner, createPasscodeInput.parse(input));
}
const confirmCodes = () =>
  world.database.prisma.credential.updateMany({
    where: { hotelId: hotel.id, kind: "passcode" },
    data: { state: "confirmed", confirmedAt: world.clock.now() },
  });
/** The lock confirms every code; then what is due is prepared and delivered. */
async function run(): Promise<void> {
  await confirmCodes();
  world.clock.advance(20_000);
  await prepareDue(deps);
  await outgoing.sweep();
}
const correct = (scope: Scope, guest: Partial<typeof ADA>, of = stayGuestId) =>
  stays.correctGuest(
    scope,
    updateGuestInput.parse({ stayGuestId: of, guest: { ...ADA, documentNumber: null, ...guest } }),
  );
let departure = 2;
const extend = (scope: Scope) => {
  departure += 1;
  return stays.renew(scope, renewInput.parse({ stayId, endsAt: at(departure), channel: "cash" }));
};
const clerk = () => hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds: [room.roomId] });
const messages = async () =>
  (await world.database.prisma.guestMessage.findMany({ where: { hotelId: hotel.id }, orderBy: { id: "asc" } })).map(
    ({ event, state }) => [event, state],
  );
const linkIn = (text: string | undefined): string | undefined =>
  text?.match(/https:\/\/stay\.example\/#[\w-]{22}/)?.[0];

describe("an address that somebody entered who may not give out door codes", () => {
  it("gets no Wi-Fi password until somebody sends it there who may give out codes", async () => {
    await settings("extended");
    const content = { subject: "Your stay", body: "Dear guest\nWi-Fi password: {{wifiPassword}}" };
    await saveText(owner, { event: "extended", language: "en", content });
    const wifi = { wifiName: "Guests", wifiPassword: "grapefruit" };
    await world.database.prisma.hotel.update({ where: { id: hotel.id }, data: wifi });
    const staff = await clerk();
    await correct(staff, { email: EVIL });
    await send(staff, { stayGuestId, event: "extended" });
    await run();
    expect(mails.at(-1)).toMatchObject({ to: EVIL, text: expect.not.stringContaining("grapefruit") });
    await send(owner, { stayGuestId, event: "extended" });
    await run();
    expect(mails.at(-1)).toMatchObject({ to: EVIL, text: expect.stringContaining("grapefruit") });
  });

  it("gets neither code nor link, from a clerk or from a program, whatever scopes it has", async () => {
    await settings("extended", "changed");
    const programs = [
      hotel.keyScope(["stays.view", "stays.manage"]),
      hotel.keyScope(["stays.manage", "passcodes.issue"]),
    ];
    for (const scope of [await clerk(), ...programs]) {
      await correct(owner, {});
      await correct(scope, { email: EVIL });
      await extend(scope);
      await run();
      expect(mails.at(-1)?.to).toBe(EVIL);
      expect(mails.at(-1)?.text).not.toContain("482913");
      expect(linkIn(mails.at(-1)?.text)).toBeUndefined();
      expect(await readLink(owner, { stayGuestId }, GUEST_URL)).toMatchObject({ contactUnconfirmed: true });
    }
  });

  it("gets them once somebody who may give out codes sends a message there, or enters the address", async () => {
    await settings("extended");
    await correct(await clerk(), { email: EVIL });
    await send(owner, { stayGuestId, event: "extended" });
    await run();
    expect(mails.at(-1)?.text).toContain("482913");
    await extend(owner);
    await run();
    expect(mails.at(-1)?.text).toContain("482913");
    expect(await readLink(owner, { stayGuestId }, GUEST_URL)).toMatchObject({ contactUnconfirmed: false });

    await correct(await clerk(), { email: "other@example.com" });
    await correct(owner, { email: "ada@example.org" });
    await extend(owner);
    await run();
    expect(mails.at(-1)).toMatchObject({ to: "ada@example.org", text: expect.stringContaining("482913") });
  });

  it("isn't confirmed by somebody who saw another address", async () => {
    await settings("extended");
    const contacts = await readContacts(world.database.prisma, stayGuestId);
    await correct(await clerk(), { email: EVIL });
    const message = { stayGuestId, event: "extended" as const, contacts };
    await expect(sendByHand(owner, message)).rejects.toMatchObject({ code: "state_conflict" });
    await run();
    expect(mails.filter(({ to }) => to === EVIL)).toEqual([]);
    expect(await readLink(owner, { stayGuestId }, GUEST_URL)).toMatchObject({ contactUnconfirmed: true });
  });

  it("isn't confirmed by a clerk's message without a code, nor by a correction that leaves it", async () => {
    await settings("extended");
    const restricted = await clerk();
    await correct(restricted, { email: EVIL });
    await expect(send(restricted, { stayGuestId, event: "extended" })).rejects.toMatchObject({
      code: "no_permission",
    });
    await correct(owner, { email: EVIL, name: "Ada King" });
    await extend(owner);
    await run();
    expect(mails.at(-1)?.to).toBe(EVIL);
    expect(mails.at(-1)?.text).not.toContain("482913");
  });

  it("leaves a message about a code to the desk, to be handed over", async () => {
    await settings("code_changed");
    await correct(await clerk(), { email: EVIL });
    world.clock.advance(1_000);
    await newCode("739154");
    await run();
    expect(mails).toEqual([]);
    expect(await messages()).toEqual([["code_changed", "to_hand_over"]]);
  });

  it("is that of a guest whom they put in the place of the one whose name the stay has", async () => {
    await settings("extended");
    const entered = [
      ["Mallory", await clerk()],
      ["Mallory Other", hotel.keyScope(["stays.manage"])],
    ] as const;
    for (const [name, scope] of entered) {
      const guest = { ...ADA, name, documentNumber: "", email: EVIL };
      const added = await addGuest(scope, addGuestInput.parse({ stayId, guest, confirmAlreadyIn: true }));
      await stays.removeGuest(scope, stayGuestId);
      stayGuestId = added.stayGuestId;
      await extend(scope);
      await run();
      expect(mails.at(-1)?.to).toBe(EVIL);
      expect(mails.at(-1)?.text).not.toContain("482913");
      expect(linkIn(mails.at(-1)?.text)).toBeUndefined();
    }
  });

  it("is that of a guest of the party, entered by the desk, whom they move up", async () => {
    await settings("extended");
    const guest = { ...ADA, name: "Ben", documentNumber: "", email: "ben@example.com" };
    const added = await addGuest(owner, addGuestInput.parse({ stayId, guest, confirmAlreadyIn: true }));
    await stays.removeGuest(await clerk(), stayGuestId);
    stayGuestId = added.stayGuestId;
    await extend(owner);
    await run();
    expect(mails.at(-1)?.text).not.toContain("482913");
  });

  it("is unconfirmed too if it comes from a booking for a guest who is in the house", async () => {
    await settings("extended");
    const other = await desk.room("102");
    const booking = { roomId: other.roomId, unit: "day", startsAt: at(4), endsAt: at(5) };
    const capabilities = ["stays.manage", "guests.documents"];
    const restricted = await hotel.scope("staff", { capabilities, roomIds: [room.roomId, other.roomId] });
    await stays.reserve(restricted, reserveInput.parse({ ...booking, guests: [{ ...ADA, email: EVIL }] }));
    await extend(owner);
    await run();
    expect(mails.at(-1)?.to).toBe(EVIL);
    expect(mails.at(-1)?.text).not.toContain("482913");
  });

  it("is unconfirmed too if it comes from a booking for a guest who has left, also for later stays", async () => {
    await settings("checked_in");
    await stays.checkOut(owner, checkOutInput.parse({ stayId, refundDeposit: true, refundChannel: "cash" }));
    const capabilities = ["stays.view", "stays.manage", "guests.documents"];
    const staff = await hotel.scope("staff", { capabilities, roomIds: [room.roomId] });
    const reserved = { unit: "day", startsAt: at(20), endsAt: at(22), channel: null };
    const guest = { ...ADA, email: EVIL };
    await stays.reserve(staff, reserveInput.parse({ roomId: room.roomId, ...reserved, guests: [guest] }));
    ({ stayId, stayGuestId } = await stays.checkIn(
      owner,
      checkInInput.parse({
        ...{ roomId: room.roomId, unit: "day", startsAt: at(0), endsAt: at(2), channel: "cash", confirmDirty: true },
        guests: [{ ...ADA, mobile: "", email: "" }],
      }),
    ));
    await newCode("204816");
    await run();
    expect(mails.map(({ to, text }) => [to, text.includes("204816")])).not.toContainEqual([EVIL, true]);
  });
});

describe("a booking", () => {
  const isUnconfirmed = async (of: number): Promise<boolean> =>
    (await world.database.prisma.stay.findUniqueOrThrow({ where: { id: of } })).bookingUnconfirmed;
  let nights = 10;
  const reserve = (scope: Scope, guest: Partial<typeof ADA> = {}) => {
    nights += 1;
    const period = { roomId: room.roomId, unit: "day", startsAt: at(nights), endsAt: at(nights + 1) };
    return stays.reserve(scope, reserveInput.parse({ ...period, guests: [{ ...ADA, ...guest }] }));
  };

  it("is unconfirmed if whoever made it may not give out door codes, also for a guest who is known", async () => {
    const made = [
      [await clerk(), true],
      [hotel.keyScope(["stays.manage"]), true],
      [hotel.keyScope(["stays.manage", "passcodes.issue"]), false],
      [owner, false],
    ] as const;
    for (const [scope, expected] of made) {
      expect(await isUnconfirmed((await reserve(scope)).stayId)).toBe(expected);
      expect(await isUnconfirmed((await reserve(scope, { name: "Mallory", documentNumber: "" })).stayId)).toBe(
        expected,
      );
    }
  });

  it("is unconfirmed once somebody moves it to another room or arrival who may not give out door codes", async () => {
    const other = await desk.room("102");
    const roomIds = [room.roomId, other.roomId];
    const staff = await hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds });
    const moves = [
      [staff, { endsAt: at(23) }, false],
      [staff, { startsAt: at(20) }, true],
      [staff, { roomId: other.roomId }, true],
      [owner, { roomId: other.roomId }, false],
    ] as const;
    for (const [scope, change, expected] of moves) {
      nights = 20;
      const { stayId: of } = await reserve(owner);
      const target = { stayId: of, roomId: room.roomId, startsAt: at(21), endsAt: at(22), ...change };
      const payment = { agreedTotalMinor: null, expectedDifferenceMinor: null, channel: null };
      await stays.moveReservation(scope, { ...target, ...payment });
      expect(await isUnconfirmed(of), JSON.stringify(change)).toBe(expected);
      await stays.cancelReservation(owner, { stayId: of, refundChannel: "cash" });
    }
  });

  it("is confirmed by whoever gives its first guest the link, by hand or in a message", async () => {
    await settings("reserved");
    const staff = await clerk();
    const byLink = await reserve(staff);
    await makeGuestLink(owner, byLink, GUEST_URL);
    expect(await isUnconfirmed(byLink.stayId)).toBe(false);
    const byMessage = await reserve(staff);
    world.clock.advance(1_000);
    await send(owner, { ...byMessage, event: "reserved" });
    expect(await isUnconfirmed(byMessage.stayId)).toBe(false);
    const ofCompanion = await reserve(staff);
    const guest = { ...ADA, name: "Ben", documentNumber: "" };
    const companion = await addGuest(owner, addGuestInput.parse({ stayId: ofCompanion.stayId, guest }));
    await makeGuestLink(owner, companion, GUEST_URL);
    expect(await isUnconfirmed(ofCompanion.stayId)).toBe(true);
  });

  it("confirms the addresses of a new guest only if whoever made it may give out codes, or it is confirmed", async () => {
    const unconfirmedOf = async ({ stayId: id }: { stayId: number }) => {
      const [row] = await world.database.prisma.stayGuest.findMany({ where: { stayId: id }, include: { guest: true } });
      return [row?.guest.mobileUnconfirmed, row?.guest.emailUnconfirmed];
    };
    const mallory = { name: "Mallory", documentNumber: "", email: EVIL };
    const byClerk = await reserve(await clerk(), mallory);
    expect(await unconfirmedOf(byClerk)).toEqual([true, true]);
    expect(await unconfirmedOf(await reserve(await clerk(), { ...mallory, mobile: "" }))).toEqual([false, true]);
    expect(await unconfirmedOf(await reserve(hotel.keyScope(["stays.manage"]), mallory))).toEqual([true, true]);
    const program = hotel.keyScope(["stays.manage", "passcodes.issue"]);
    expect(await unconfirmedOf(await reserve(program, mallory))).toEqual([false, false]);
    expect(await unconfirmedOf(await reserve(owner, mallory))).toEqual([false, false]);
    await world.database.prisma.hotel.update({ where: { id: hotel.id }, data: { guestChecksIn: true } });
    expect(
      await confirmBookingOf(owner, {
        ...byClerk,
        contacts: await readContacts(world.database.prisma, byClerk.stayGuestId),
      }),
    ).toEqual({
      confirmed: true,
    });
    expect(await unconfirmedOf(byClerk)).toEqual([false, false]);
  });

  it("isn't confirmed by somebody who saw another address of the guest", async () => {
    const byClerk = await reserve(await clerk(), { name: "Mallory", documentNumber: "" });
    const contacts = await readContacts(world.database.prisma, byClerk.stayGuestId);
    await correct(await clerk(), { name: "Mallory", email: EVIL }, byClerk.stayGuestId);
    await expect(confirmBookingOf(owner, { stayGuestId: byClerk.stayGuestId, contacts })).rejects.toMatchObject({
      code: "state_conflict",
    });
    expect(await isUnconfirmed(byClerk.stayId)).toBe(true);
  });

  it("of a new guest by a clerk sends no code to their address at a later stay that somebody else books", async () => {
    await settings("checked_in");
    await stays.checkOut(owner, checkOutInput.parse({ stayId, refundDeposit: true, refundChannel: "cash" }));
    const cid = { name: "Cid Far", documentNumber: "F77", nationality: "GB" };
    await reserve(await clerk(), { ...cid, mobile: "", email: EVIL });
    ({ stayId, stayGuestId } = await stays.checkIn(
      owner,
      checkInInput.parse({
        ...{ roomId: room.roomId, unit: "day", startsAt: at(0), endsAt: at(2), channel: "cash", confirmDirty: true },
        guests: [{ ...cid, mobile: "+49301234567", email: "" }],
      }),
    ));
    await createCode(
      owner,
      createPasscodeInput.parse({ type: "custom", code: "204816", roomIds: [room.roomId], stayId, person: cid.name }),
    );
    await run();
    expect(mails.map(({ to }) => to)).toContain(EVIL);
    expect(mails.filter(({ text }) => text.includes("204816") || linkIn(text))).toEqual([]);
  });

  it("is unconfirmed again once a clerk who may not give out codes makes another guest the first one", async () => {
    const { stayId: id, stayGuestId: first } = await reserve(owner);
    const guest = { ...ADA, name: "Ben", documentNumber: "" };
    await addGuest(owner, addGuestInput.parse({ stayId: id, guest }));
    await addGuest(owner, addGuestInput.parse({ stayId: id, guest: { ...guest, name: "Cid" } }));
    await stays.removeGuest(owner, first);
    expect(await isUnconfirmed(id)).toBe(false);
    const [second] = await world.database.prisma.stayGuest.findMany({ where: { stayId: id, primary: true } });
    await stays.removeGuest(await clerk(), second?.id ?? 0);
    expect(await isUnconfirmed(id)).toBe(true);
  });
});

describe("a correction", () => {
  const linkOfMessage = async (): Promise<string | undefined> => {
    await extend(owner);
    await run();
    return linkIn(mails.at(-1)?.text);
  };

  it("of the address, the phone or the document ends the link that went out, and the next message has another", async () => {
    await settings("extended");
    const seen = [await linkOfMessage()];
    for (const guest of [
      { email: "ada@example.org" },
      { mobile: "+49301234999" },
      { documentNumber: "X9" },
      { email: "" },
    ]) {
      await correct(owner, { email: "ada@example.org", ...guest });
      await correct(owner, { email: "ada@example.org" });
      seen.push(await linkOfMessage());
    }
    expect(seen).not.toContain(undefined);
    expect(new Set(seen.slice(0, 5)).size).toBe(5);
    const live = await world.database.prisma.guestLink.count({ where: { hotelId: hotel.id, revokedAt: null } });
    expect(live).toBe(1);
  });

  it("that only fills in what was missing, spells it differently, or changes the name, leaves the link", async () => {
    await settings("extended");
    await correct(owner, { mobile: "", documentNumber: "" });
    const first = await linkOfMessage();
    await correct(owner, { mobile: "+49301234567", documentNumber: "C01X" });
    await correct(owner, {
      mobile: "+49 30 1234-567",
      documentNumber: "c0-1x",
      email: "Ada@Example.com",
      name: "Ada King",
    });
    expect(await linkOfMessage()).toBe(first);
  });

  it("makes no link where there was none, or the desk took it back", async () => {
    await settings("extended");
    await correct(owner, { email: "ada@example.org" });
    expect((await readLink(owner, { stayGuestId }, GUEST_URL)).link).toBeNull();
    await makeGuestLink(owner, { stayGuestId }, GUEST_URL);
    await revokeGuestLink(owner, { stayGuestId });
    await correct(owner, { email: "ada@example.net" });
    expect(await linkOfMessage()).toBeUndefined();
  });
});

describe("a link", () => {
  const isSentToMobile = async () =>
    (await world.database.prisma.guestLink.findFirstOrThrow({ where: { stayGuestId, revokedAt: null } })).sentToMobile;

  it("is remembered as sent to the phone number once it was, until it is replaced", async () => {
    await settings("extended");
    await extend(owner);
    await run();
    expect(await isSentToMobile()).toBe(false);
    channels = ["sms"];
    await settings("extended");
    await extend(owner);
    await run();
    expect(await isSentToMobile()).toBe(true);
    channels = ["mail"];
    await settings("extended");
    await extend(owner);
    await run();
    expect(await isSentToMobile()).toBe(true);
    await correct(owner, { mobile: "+49301234999" });
    expect(await isSentToMobile()).toBe(false);
  });
});

describe("a guest who is removed from a stay", () => {
  it("gets nothing that still waits, and no text to them stays", async () => {
    await settings("extended");
    const guest = { ...ADA, name: "Ben", documentNumber: "", email: "ben@example.com" };
    const added = await addGuest(owner, addGuestInput.parse({ stayId, guest, confirmAlreadyIn: true }));
    await send(owner, { stayGuestId: added.stayGuestId, event: "extended" });
    world.clock.advance(20_000);
    await confirmCodes();
    await prepareDue(deps);
    const texts = () => world.database.prisma.outgoingMessage.count({ where: { hotelId: hotel.id } });
    expect(await texts()).toBe(1);
    await stays.removeGuest(owner, added.stayGuestId);
    await outgoing.sweep();
    expect(mails).toEqual([]);
    expect(await texts()).toBe(0);
    expect(await messages()).toEqual([]);
  });
});

describe("a door code in a guest's name", () => {
  const codesOf = async (of: number) => {
    const facts = await readMessageFacts(owner.sql, of);
    return facts && (await readMessageCodes(owner, facts)).map(({ code }) => code);
  };

  it("stays theirs when the name is corrected, and no other guest of the party sees it", async () => {
    const guest = { ...ADA, name: "Ben", documentNumber: "", email: "" };
    const ben = (await addGuest(owner, addGuestInput.parse({ stayId, guest, confirmAlreadyIn: true }))).stayGuestId;
    await confirmCodes();
    await correct(owner, { name: "Ada King" });
    expect(await codesOf(stayGuestId)).toEqual(["482913"]);
    expect(await codesOf(ben)).toEqual([]);
  });
});
