import type { GuestMessageChannel, GuestMessageEvent } from "@innkey/shared/guest-messages";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { saveGuestMessageTextInput } from "@innkey/shared/schemas/guest-messages";
import { changeRoomInput, checkInInput, reserveInput, updateGuestInput } from "@innkey/shared/schemas/stays/stays";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../test/clients/card-desk.ts";
import { type Receiver, startReceiver } from "../../../test/clients/receiver.ts";
import { readContacts } from "../../../test/harness/guest-contacts.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { idleQueue } from "../../../test/harness/idle-queue.ts";
import type { Scope } from "../../kernel/scope.ts";
import { handOver as handOverCode } from "../access/passcodes/hand-over.ts";
import { create as createCode, remove as removeCode } from "../access/passcodes/passcodes.service.ts";
import { readGuestCodes } from "../access/public.ts";
import { erase } from "../compliance/privacy/erase.service.ts";
import type { FileStore } from "../files/public.ts";
import { list as listAlerts } from "../messaging/alerts/alerts.service.ts";
import { deleteOldTexts } from "../messaging/guest-messages/guest-messages.ts";
import { get, save, saveText, saveWebhook } from "../messaging/guest-messages/settings.service.ts";
import { MAX_TRIES, OutgoingMessages } from "../messaging/outgoing-messages/outgoing-messages.service.ts";
import { listMessages, preview, readMessage, revealMessage } from "../overview/guest-messages.queries.ts";
import { list as listOutbox } from "../overview/outbox.queries.ts";
import { linkHash } from "../stays/guest-links/guest-secrets.ts";
import { revokeGuestLink } from "./guest-links.ts";
import { handOver, MAX_BY_HAND, sendByHand, setOptOut } from "./guest-messages.ts";
import { type GuestMessageDeps, prepareDue } from "./prepare-guest-messages.ts";
import * as stays from "./public.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY = 86_400_000;
const GUEST_URL = "https://stay.example";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let desk: CardDesk;
let room: DeskRoom;
let outgoing: OutgoingMessages;
let deps: GuestMessageDeps;
let services: { mail: boolean; sms: boolean };
const mails: { to: string; subject: string; text: string }[] = [];
const texts: { to: string; text: string }[] = [];

/** Sends a message by hand to the contact details that the guest has now. */
async function send(
  scope: Scope,
  message: { stayGuestId: number; event: GuestMessageEvent },
): ReturnType<typeof sendByHand> {
  return sendByHand(scope, { ...message, contacts: await readContacts(world.database.prisma, message.stayGuestId) });
}

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  await world.database.prisma.outgoingMessage.deleteMany();
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  owner = desk.owner;
  room = await desk.room("101");
  mails.length = 0;
  texts.length = 0;
  services = { mail: true, sms: true };
  build();
});

/** Makes the outbox with the services that are set up. */
function build(answers: { mailFails?: boolean; mailQuotes?: boolean } = {}): void {
  const log = pino({ level: "silent" });
  const { database, clock, secrets } = world;
  const scopes = async (hotelId: number) => (hotelId === hotel.id ? owner : null);
  const mailer = {
    async send(mail: (typeof mails)[number]) {
      if (answers.mailQuotes) throw new Error(`550 rejected: ${mail.text.replaceAll("\n", " ").toUpperCase()}`);
      if (answers.mailFails) throw new Error("550 nobody here");
      mails.push(mail);
    },
    close: () => undefined,
  };
  const sms = { send: async (text: (typeof texts)[number]) => void texts.push(text) };
  outgoing = new OutgoingMessages({
    ...{ database, clock, secrets, log, scopes, queue: idleQueue },
    mailer: services.mail ? mailer : undefined,
    sms: services.sms ? sms : undefined,
  });
  outgoing.allowLocal = true;
  deps = { database, clock, scopes, outgoingMessages: outgoing, guestUrl: GUEST_URL, log };
}

const at = (days: number): string => new Date(Date.parse(NOW) + days * DAY).toISOString();
const settings = (events: GuestMessageEvent[], more: { channels?: GuestMessageChannel[]; quiet?: null } = {}) =>
  save(
    owner,
    { outgoingMessages: outgoing, guestUrl: GUEST_URL },
    { events, channels: ["mail", "sms"], hoursBefore: 48, quiet: { from: "22:00", to: "08:00" }, ...more },
  );
const GUEST = {
  name: "Ada Lovelace",
  nationality: "GB",
  documentNumber: "C01X",
  mobile: "+49301234567",
  email: "ada@example.com",
};
async function reserve(days = 5, guest: Partial<typeof GUEST> = {}) {
  const booking = { roomId: room.roomId, unit: "day", startsAt: at(days), endsAt: at(days + 2) };
  return stays.reserve(owner, reserveInput.parse({ ...booking, guests: [{ ...GUEST, ...guest }] }));
}
async function checkIn(guest: Partial<typeof GUEST> = {}, { roomId }: Pick<DeskRoom, "roomId"> = room) {
  const booking = { roomId, unit: "day", startsAt: at(0), endsAt: at(2), channel: "cash" };
  return stays.checkIn(owner, checkInInput.parse({ ...booking, guests: [{ ...GUEST, ...guest }] }));
}
const newCode = (stayId: number, code = "482913", person = GUEST.name, { roomId }: Pick<DeskRoom, "roomId"> = room) =>
  createCode(owner, createPasscodeInput.parse({ type: "custom", code, roomIds: [roomId], stayId, person }));
const confirmCodes = () =>
  world.database.prisma.credential.updateMany({
    where: { hotelId: hotel.id, kind: "passcode" },
    data: { state: "confirmed", confirmedAt: world.clock.now() },
  });
/** Prepares what is due and delivers it. */
async function run(): Promise<void> {
  await prepareDue(deps);
  await outgoing.sweep();
}
const stored = async () =>
  (
    await world.database.prisma.guestMessage.findMany({
      where: { hotelId: hotel.id },
      orderBy: { id: "asc" },
      select: { event: true, state: true, skip: true },
    })
  ).map(({ event, state, skip }) => [event, state, ...(skip ? [skip] : [])]);

describe("an act", () => {
  it("writes nothing in a hotel that sends nothing", async () => {
    await reserve();
    expect(await stored()).toEqual([]);
  });

  it("leads to one message to the guest, in their language, with dates by the hotel's clock", async () => {
    await settings(["reserved"]);
    await reserve(5, { nationality: "DE" });
    await Promise.all([run(), run(), run()]);
    await run();
    expect(await stored()).toEqual([["reserved", "sent"]]);
    expect(mails).toMatchObject([{ to: "ada@example.com", subject: expect.stringContaining("Ihre Reservierung") }]);
    expect(mails[0]?.text).toContain("Anreise: Montag, 23. November 2026, 15:00");
    expect(mails[0]?.text).toMatch(/https:\/\/stay\.example\/#[\w-]{22}/);
    expect(mails[0]?.text).not.toContain("{{");
  });

  it("that fails writes no message", async () => {
    await settings(["reserved"]);
    await reserve();
    await expect(reserve()).rejects.toMatchObject({ code: "room_taken" });
    expect(await stored()).toHaveLength(1);
  });

  it("of each kind has its message, all with the same link", async () => {
    await settings(["reserved", "changed", "cancelled", "checked_in", "extended", "checked_out"]);
    const { stayId } = await reserve(1);
    await run();
    const move = { stayId, roomId: room.roomId, startsAt: at(0), endsAt: at(2), channel: null, agreedTotalMinor: null };
    await stays.moveReservation(owner, { ...move, expectedDifferenceMinor: null });
    await run();
    const arrival = { stayId, channel: "cash", depositMinor: null, depositChannel: "cash" } as const;
    await stays.arrive(owner, { ...arrival, confirmDirty: true, confirmAlreadyIn: true });
    await run();
    world.clock.advance(1000);
    const renewal = { stayId, endsAt: at(3), expectedTotalMinor: null, channel: null, agreedTotalMinor: null };
    await stays.renew(owner, renewal);
    await run();
    world.clock.advance(1000);
    const other = await desk.room("102");
    await stays.changeRoom(owner, changeRoomInput.parse({ stayId, roomId: other.roomId }));
    await run();
    await desk.checkOut(stayId);
    await run();
    expect(await stored()).toEqual([
      ["reserved", "sent"],
      ["changed", "sent"],
      ["checked_in", "sent"],
      ["extended", "sent"],
      ["changed", "sent"],
      ["checked_out", "sent"],
    ]);
    expect(mails[4]?.text).toContain("Room: 102");
    const links = mails.flatMap(({ text }) => text.match(/#[\w-]{22}/g) ?? []);
    expect(new Set(links).size).toBe(1);
    const { stayId: second } = await reserve(20);
    await stays.cancelReservation(owner, { stayId: second, refundChannel: "cash" });
    await run();
    expect((await stored()).slice(6)).toEqual([
      ["reserved", "skipped", "outdated"],
      ["cancelled", "sent"],
    ]);
  });

  it("that records what was booked elsewhere writes nothing to the guest", async () => {
    await settings(["reserved"]);
    const booking = { roomId: room.roomId, unit: "day", startsAt: at(5), endsAt: at(6), guests: [GUEST] };
    await stays.reserve(owner, reserveInput.parse(booking), { isQuiet: true });
    expect(await stored()).toEqual([]);
  });

  it("of a program or an old client, which call the same acts, has it too", async () => {
    await settings(["reserved"]);
    const key = hotel.keyScope(["stays.manage"]);
    const booking = { roomId: room.roomId, unit: "day", startsAt: at(5), endsAt: at(6), guests: [GUEST] };
    await stays.reserve(key, reserveInput.parse(booking));
    expect(await stored()).toEqual([["reserved", "waiting"]]);
  });
});

describe("before the arrival", () => {
  it("a message is written once, at the hotel's time, and again if the arrival moves", async () => {
    await settings(["before_arrival"]);
    const { stayId } = await reserve(5);
    await run();
    expect(await stored()).toEqual([]);
    world.clock.set(at(3.1));
    await run();
    await run();
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("Your arrival")]);
    const move = {
      stayId,
      roomId: room.roomId,
      startsAt: at(20),
      endsAt: at(22),
      channel: null,
      agreedTotalMinor: null,
    };
    await stays.moveReservation(owner, { ...move, expectedDifferenceMinor: null });
    world.clock.set(at(18.1));
    await run();
    expect(await stored()).toEqual([
      ["before_arrival", "sent"],
      ["before_arrival", "sent"],
    ]);
  });
});

describe("a door code", () => {
  it("goes out only when the lock has confirmed it, at any hour", async () => {
    await settings(["checked_in", "code_changed"]);
    world.clock.set("2026-11-18T22:30:00.000Z");
    const booking = { roomId: room.roomId, unit: "day", startsAt: world.clock.now().toISOString(), endsAt: at(2) };
    const { stayId } = await stays.checkIn(owner, checkInInput.parse({ ...booking, channel: "cash", guests: [GUEST] }));
    await newCode(stayId);
    await run();
    expect(mails).toEqual([]);
    await confirmCodes();
    world.clock.advance(11_000);
    await run();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("Door code: 482913");
    expect(await stored()).toEqual([
      ["checked_in", "sent"],
      ["code_changed", "skipped", "included"],
    ]);
  });

  it("that is made later, or that its lock confirms late, gets a message of its own", async () => {
    await settings(["checked_in", "code_changed"]);
    const { stayId } = await checkIn();
    await newCode(stayId);
    world.clock.advance(31 * 60_000);
    await run();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).not.toContain("Door code");
    world.clock.advance(11_000);
    await confirmCodes();
    await run();
    expect(mails[1]?.text).toContain("Door code: 482913");
    world.clock.advance(1000);
    await newCode(stayId, "739154");
    await confirmCodes();
    await run();
    expect(mails[2]?.text).toContain("Door code: 739154");
    expect(mails[2]?.text).not.toContain("482913");
  });

  it("of another guest of the party stays theirs, and one that is gone is not sent", async () => {
    await settings(["code_changed"]);
    const booking = { roomId: room.roomId, unit: "day", startsAt: at(0), endsAt: at(2), channel: "cash" };
    const guests = [GUEST, { ...GUEST, name: "Mary", documentNumber: "M1", email: "" }];
    const { stayId } = await stays.checkIn(owner, checkInInput.parse({ ...booking, guests }));
    const code = { type: "custom", code: "482913", roomIds: [room.roomId], stayId, person: "Mary" };
    await createCode(owner, createPasscodeInput.parse(code));
    await confirmCodes();
    await run();
    expect(mails).toEqual([]);
    expect(await stored()).toEqual([["code_changed", "skipped", "outdated"]]);
  });
});

describe("a message", () => {
  it("has no one-time code, in the preview neither", async () => {
    const { stayId, stayGuestId } = await checkIn();
    await createCode(
      owner,
      createPasscodeInput.parse({ type: "one_time", roomIds: [room.roomId], stayId, person: GUEST.name }),
    );
    const [code] = await readGuestCodes(owner, stayGuestId, room.roomId);
    expect(code).toMatchObject({ once: true, code: expect.any(String) });
    await send(owner, { stayGuestId, event: "extended" });
    await run();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).not.toContain("Door code");
    const content = { subject: "x", body: "Code {{doorCode}}\nEnd" };
    const shown = await preview(owner, { event: "extended", language: "en", content, stayGuestId }, GUEST_URL);
    expect(shown.body).toBe("End");
  });

  it("says what is owed to the guest whose name the stay has, and to no companion", async () => {
    const booking = { roomId: room.roomId, unit: "day", startsAt: at(0), endsAt: at(2), channel: null };
    const guests = [GUEST, { ...GUEST, name: "Mary", documentNumber: "M1", email: "mary@example.com" }];
    const { stayId } = await stays.checkIn(owner, checkInInput.parse({ ...booking, guests }));
    const party = await world.database.prisma.stayGuest.findMany({ where: { stayId }, orderBy: { id: "asc" } });
    for (const { id } of party) {
      await send(owner, { stayGuestId: id, event: "extended" });
      world.clock.advance(1000);
    }
    await run();
    expect(mails.map(({ to, text }) => [to, text.includes("Still to pay")])).toEqual([
      [GUEST.email, true],
      ["mary@example.com", false],
    ]);
  });

  it("has no secret in its subject, also in a text that was stored before that was refused", async () => {
    const { stayId, stayGuestId } = await checkIn();
    await newCode(stayId);
    await confirmCodes();
    const own = { event: "checked_in", language: "en" } as const;
    const subject = "{{room}} {{doorCode}}{{guestLink}}{{wifiPassword}}";
    const content = { subject, body: "{{guestLink}}-{{doorCode}}" };
    expect(saveGuestMessageTextInput.safeParse({ ...own, content }).success).toBe(false);
    await world.database.prisma.guestMessageText.create({ data: { hotelId: hotel.id, ...own, ...content } });
    await send(owner, { stayGuestId, event: "checked_in" });
    await run();
    expect(mails).toMatchObject([{ subject: "101", text: expect.stringMatching(/#[\w-]{22}-482913$/) }]);
    const id = (await listMessages(owner, { stayGuestId }, outgoing)).rows[0]?.id ?? 0;
    expect((await readMessage(owner, { id })).body).toBe(`${GUEST_URL}/#••••••-••••••`);
  });

  it("waits for the end of the quiet hours", async () => {
    await settings(["reserved"]);
    world.clock.set("2026-11-18T22:30:00.000Z");
    await reserve();
    await run();
    expect(mails).toEqual([]);
    world.clock.set("2026-11-19T07:00:00.000Z");
    await run();
    expect(mails).toHaveLength(1);
  });

  it("isn't sent if the hotel switches its event off while it waits", async () => {
    await settings(["reserved"]);
    world.clock.set("2026-11-18T22:30:00.000Z");
    await reserve();
    await run();
    await settings(["checked_in"]);
    world.clock.set("2026-11-19T07:00:00.000Z");
    await run();
    expect(mails).toEqual([]);
    expect(await stored()).toEqual([["reserved", "skipped", "switched_off"]]);
  });

  it("takes the first way that reaches the guest", async () => {
    await settings(["reserved"], { channels: ["sms", "mail"] });
    await reserve();
    await run();
    expect(texts).toMatchObject([{ to: "+49301234567" }]);
    await reserve(10, { name: "Mary", documentNumber: "M1", mobile: "" });
    await run();
    expect(mails).toHaveLength(1);
  });

  it("goes to nobody without an address, and to nobody who wants none", async () => {
    await settings(["reserved", "checked_in"]);
    await reserve(5, { mobile: "", email: "" });
    const { stayGuestId } = await checkIn({ name: "Grace", documentNumber: "G1" });
    await setOptOut(owner, { stayGuestId, optedOut: true });
    await run();
    expect([mails, texts]).toEqual([[], []]);
    expect(await stored()).toEqual([
      ["reserved", "skipped", "no_address"],
      ["checked_in", "skipped", "opted_out"],
    ]);
    await expect(send(owner, { stayGuestId, event: "checked_in" })).rejects.toMatchObject({
      code: "state_conflict",
    });
  });

  it("goes not to a guest who wanted none before they became a person of their own", async () => {
    const { stayGuestId } = await checkIn();
    await setOptOut(owner, { stayGuestId, optedOut: true });
    const other = await desk.room("102");
    const booking = { roomId: other.roomId, unit: "day", startsAt: at(5), endsAt: at(6), guests: [GUEST] };
    await stays.reserve(owner, reserveInput.parse(booking));
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds: [room.roomId] });
    const guest = {
      ...GUEST,
      name: "Ada King",
      gender: null,
      birthDate: null,
      documentType: null,
      documentNumber: null,
    };
    await stays.correctGuest(clerk, { stayGuestId, guest });
    const names = await world.database.prisma.guest.findMany({ where: { hotelId: hotel.id, noMessages: true } });
    expect(names.map(({ name }) => name).sort()).toEqual(["Ada King", "Ada Lovelace"]);
  });

  it("is handed over by the desk where no service reaches the guest", async () => {
    services = { mail: false, sms: false };
    build();
    await settings(["reserved"]);
    const { stayGuestId } = await reserve();
    await run();
    const [row] = (await listMessages(owner, { stayGuestId }, outgoing)).rows;
    expect(row).toMatchObject({ state: "to_hand_over", recipient: "ada@example.com", hasText: true });
    const id = row?.id ?? 0;
    expect((await revealMessage(owner, { id })).body).toContain("Ada Lovelace");
    await handOver(owner, { id });
    await expect(handOver(owner, { id })).rejects.toMatchObject({ code: "state_conflict" });
    await run();
    expect(await stored()).toEqual([["reserved", "handed_over"]]);
  });

  it("that no service accepts raises an alert, which ends when it arrives another way", async () => {
    build({ mailFails: true });
    await settings(["reserved"]);
    const { stayGuestId } = await reserve();
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      await run();
      world.clock.advance(20 * 60_000);
    }
    expect(await stored()).toEqual([["reserved", "failed"]]);
    const open = async () => (await listAlerts(owner, { state: "open", page: 1, pageSize: 20 })).rows;
    expect(await open()).toMatchObject([
      { kind: "guest_message_failed", roomId: room.roomId, params: { name: "Ada Lovelace", event: "reserved" } },
    ]);
    const technician = await hotel.scope("staff", { capabilities: ["alerts.view"], roomIds: [room.roomId] });
    const { rows } = await listAlerts(technician, { state: "open", page: 1, pageSize: 20 });
    expect(rows).toMatchObject([{ kind: "guest_message_failed", params: { name: "" } }]);
    expect((await listMessages(owner, { stayGuestId }, outgoing)).rows).toMatchObject([{ error: "550 nobody here" }]);
    build();
    await send(owner, { stayGuestId, event: "reserved" });
    await run();
    expect(mails).toHaveLength(1);
    expect(await open()).toEqual([]);
  });

  it("leaves no name of an erased guest in its alert, also a single name, or a namesake's", async () => {
    build({ mailFails: true });
    for (const [n, name] of ["Quarx", "Ann Quarx"].entries()) {
      await settings(["reserved"]);
      const { stayId } = await reserve(5 + 10 * n, { name, documentNumber: `D ${name}` });
      for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
        await run();
        world.clock.advance(20 * 60_000);
      }
      await stays.cancelReservation(owner, { stayId, refundChannel: "cash" });
      await settings([]);
      const other = { name, documentNumber: `E ${name}`, mobile: "+49888888", email: "other@example.com" };
      await reserve(10 + 10 * n, other);
      const { guestId } = await world.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
      await erase(owner, { erase: async () => undefined } as unknown as FileStore, guestId);
      const { rows } = await listAlerts(owner, { state: "open", page: 1, pageSize: 20 });
      expect(rows).toMatchObject([{ kind: "guest_message_failed" }]);
      const alerts = await world.database.prisma.alert.findMany({ where: { hotelId: hotel.id } });
      expect(JSON.stringify([rows, alerts.map(({ params }) => params)])).not.toContain("Quarx");
    }
  });

  it("that a service quotes when it refuses it leaves no Wi-Fi password in the reason", async () => {
    build({ mailQuotes: true });
    await settings(["checked_in"], { channels: ["mail"] });
    const wifi = { wifiName: "Guests", wifiPassword: "grapefruit" };
    await world.database.prisma.hotel.update({ where: { id: hotel.id }, data: wifi });
    const { stayGuestId } = await checkIn();
    await run();
    const [row] = (await listMessages(owner, { stayGuestId }, outgoing)).rows;
    expect(row?.error).toContain("WI-FI");
    expect(row?.error.toLowerCase()).not.toContain("grapefruit");
  });

  it("that was refused at first isn't sent again to a guest who wants none, or about a stay that was cancelled", async () => {
    build({ mailFails: true });
    await settings(["reserved"], { channels: ["mail"] });
    const cancelled = await reserve(5);
    const quiet = await reserve(10, { name: "Mary", documentNumber: "M1" });
    await run();
    await stays.cancelReservation(owner, { stayId: cancelled.stayId, refundChannel: "cash" });
    await setOptOut(owner, { stayGuestId: quiet.stayGuestId, optedOut: true });
    build();
    world.clock.advance(60_000);
    await run();
    expect(mails).toEqual([]);
    expect(await stored()).toEqual([
      ["reserved", "skipped", "outdated"],
      ["reserved", "skipped", "opted_out"],
    ]);
    expect(await world.database.prisma.outgoingMessage.count({ where: { hotelId: hotel.id } })).toBe(0);
  });

  it("that was refused at first is written again to the address that the guest has now", async () => {
    build({ mailFails: true });
    await settings(["reserved"], { channels: ["mail"] });
    const { stayGuestId } = await reserve();
    await run();
    const guest = { ...GUEST, email: "ada@new.example", gender: null, birthDate: null, documentType: null };
    await stays.correctGuest(owner, { stayGuestId, guest });
    build();
    world.clock.advance(60_000);
    await outgoing.sweep();
    expect([mails, await stored()]).toEqual([[], [["reserved", "waiting"]]]);
    await run();
    expect(mails.map(({ to }) => to)).toEqual(["ada@new.example"]);
    expect(await stored()).toEqual([["reserved", "sent"]]);
    expect(await world.database.prisma.outgoingMessage.count({ where: { hotelId: hotel.id } })).toBe(1);
  });

  it("that was refused at first is written again if its link is replaced or taken back meanwhile", async () => {
    build({ mailFails: true });
    await settings(["reserved"], { channels: ["mail"] });
    const [replaced, revoked] = [await reserve(5), await reserve(10, { name: "Mary", documentNumber: "M1" })];
    await run();
    const guest = { ...GUEST, documentNumber: "OTHER99" };
    await stays.correctGuest(owner, updateGuestInput.parse({ stayGuestId: replaced.stayGuestId, guest }));
    await revokeGuestLink(owner, { stayGuestId: revoked.stayGuestId });
    build();
    world.clock.advance(60_000);
    await run();
    expect(mails).toEqual([]);
    await run();
    expect(mails).toHaveLength(2);
    const links = mails.map(({ text }) => text.match(/#([\w-]{22})/)?.[1]);
    expect(links[1]).toBeUndefined();
    const { tokenHash } = await world.database.prisma.guestLink.findFirstOrThrow({
      where: { stayGuestId: replaced.stayGuestId, revokedAt: null },
    });
    expect(linkHash(links[0] ?? "")).toEqual(Buffer.from(tokenHash));
  });

  it("that was refused at first is written again if the party's room or code has ended meanwhile", async () => {
    await settings(["checked_in"], { channels: ["mail"] });
    const other = await desk.room("201");
    const moved = await checkIn();
    const without = await checkIn({ name: "Mary", documentNumber: "M1" }, other);
    await newCode(moved.stayId);
    const { passcodeId } = await newCode(without.stayId, "739164", "Mary", other);
    await confirmCodes();
    build({ mailFails: true });
    await run();
    const next = await desk.room("102");
    const change = { stayId: moved.stayId, roomId: next.roomId, expectedDifferenceMinor: 0, channel: null };
    await stays.changeRoom(owner, changeRoomInput.parse(change));
    await removeCode(owner, { passcodeId });
    await confirmCodes();
    build();
    for (const _try of [1, 2]) {
      world.clock.advance(60_000);
      await run();
    }
    expect(mails).toHaveLength(2);
    const text = mails.map((mail) => mail.text).join();
    expect(text).toContain("102");
    expect(text).toContain("201");
    expect(text).not.toMatch(/101|739164/);
  });

  it("has no text on the outbox page, where reading isn't recorded, but leads to its guest", async () => {
    services = { mail: false, sms: false };
    build();
    await settings(["reserved"]);
    const { stayGuestId } = await reserve();
    await run();
    expect((await listOutbox(owner, outgoing)).rows).toMatchObject([
      { recipient: GUEST.email, state: "to_hand_over", body: "", stayGuestId },
    ]);
  });

  it("is sent by hand at any hour, as often as the desk needs and no more, if it fits the stay", async () => {
    world.clock.set("2026-11-18T22:30:00.000Z");
    const { stayGuestId } = await reserve();
    await expect(send(owner, { stayGuestId, event: "checked_in" })).rejects.toMatchObject({
      code: "state_conflict",
    });
    for (let count = 0; count < MAX_BY_HAND; count += 1) {
      await send(owner, { stayGuestId, event: "before_arrival" });
      world.clock.advance(1000);
    }
    await expect(send(owner, { stayGuestId, event: "before_arrival" })).rejects.toMatchObject({
      code: "sent_too_often",
    });
    await run();
    expect(mails).toHaveLength(MAX_BY_HAND);
    const { stayGuestId: other } = await reserve(10, { name: "Mary", documentNumber: "M1" });
    for (let count = 1; count < MAX_BY_HAND; count += 1) {
      await send(owner, { stayGuestId: other, event: "before_arrival" });
      world.clock.advance(1000);
    }
    const events = ["before_arrival", "reserved"] as const;
    const sent = await Promise.allSettled(events.map((event) => send(owner, { stayGuestId: other, event })));
    expect(sent.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds: [room.roomId] });
    await expect(send(clerk, { stayGuestId, event: "before_arrival" })).rejects.toMatchObject({
      code: "no_permission",
    });
    await expect(
      send(hotel.keyScope(["stays.manage", "passcodes.issue"]), { stayGuestId, event: "before_arrival" }),
    ).rejects.toMatchObject({ code: "no_permission" });
  });

  it("shows its code to those who may issue codes, and to no others", async () => {
    await settings(["checked_in"]);
    const { stayId, stayGuestId } = await checkIn();
    await newCode(stayId);
    await confirmCodes();
    world.clock.advance(11_000);
    await run();
    const id = (await listMessages(owner, { stayGuestId }, outgoing)).rows[0]?.id ?? 0;
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [room.roomId] });
    const masked = await readMessage(clerk, { id });
    expect(masked.body).toContain("••••••");
    expect(masked.body).not.toMatch(/482913|#[\w-]{22}/);
    await expect(revealMessage(clerk, { id })).rejects.toMatchObject({ code: "no_permission" });
    expect((await revealMessage(owner, { id })).body).toContain("482913");
    const elsewhere = await hotel.scope("staff", { capabilities: ["stays.view"] });
    await expect(readMessage(elsewhere, { id })).rejects.toMatchObject({ code: "not_found" });
    const content = { subject: "x", body: "{{doorCode}} {{balance}}|{{guestLink}}" };
    const owned = await preview(owner, { event: "checked_in", language: "en", content, stayGuestId }, GUEST_URL);
    expect(owned.body).toBe(`•••••• |${GUEST_URL}/#••••••`);
    const viewer = await hotel.scope("staff", { capabilities: ["hotel.view", "stays.view"], roomIds: [room.roomId] });
    const hidden = await preview(viewer, { event: "checked_in", language: "en", content, stayGuestId }, GUEST_URL);
    expect(hidden.body).toContain("••••••");
    expect(hidden.body).not.toContain("482913");
  });

  it("shows its text to no program, and the Wi-Fi password to those who may see the hotel's", async () => {
    await world.database.prisma.hotel.update({ where: { id: hotel.id }, data: { wifiPassword: "grapefruit" } });
    await settings(["checked_in"]);
    const content = { subject: "Wi-Fi grapefruit", body: "Wi-Fi {{wifiPassword}}" };
    await saveText(owner, { event: "checked_in", language: "en", content });
    const { stayGuestId } = await checkIn();
    await run();
    const id = (await listMessages(owner, { stayGuestId }, outgoing)).rows[0]?.id ?? 0;
    const program = hotel.keyScope(["stays.view", "passcodes.issue"]);
    for (const read of [readMessage, revealMessage]) {
      await expect(read(program, { id })).rejects.toMatchObject({ code: "no_permission" });
    }
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [room.roomId] });
    const masked = { subject: "Wi-Fi ••••••", body: "Wi-Fi ••••••", masked: true };
    expect(await readMessage(clerk, { id })).toEqual(masked);
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view", "hotel.view"], roomIds: [room.roomId] });
    expect((await readMessage(viewer, { id })).body).toBe("Wi-Fi grapefruit");
  });

  it("is erased with the guest, and its text is deleted a month after the stay", async () => {
    await settings(["checked_in", "checked_out"]);
    const { stayId } = await checkIn();
    await run();
    await desk.checkOut(stayId);
    await run();
    const texts = () => world.database.prisma.outgoingMessage.count({ where: { hotelId: hotel.id } });
    expect(await texts()).toBe(2);
    await deleteOldTexts(world.database, new Date(Date.parse(NOW) + 29 * DAY));
    expect(await texts()).toBe(2);
    const { guestId } = await world.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
    await deleteOldTexts(world.database, new Date(Date.parse(NOW) + 31 * DAY));
    expect([await texts(), await stored()]).toEqual([
      0,
      [
        ["checked_in", "sent"],
        ["checked_out", "sent"],
      ],
    ]);
    await erase(owner, { erase: async () => undefined } as unknown as FileStore, guestId);
    expect(await stored()).toEqual([]);
  });

  it("to another guest with the same address stays when one of them is erased", async () => {
    build({ mailFails: true });
    await settings(["reserved"]);
    const { stayId } = await reserve(5, { documentNumber: "OLD" });
    await stays.cancelReservation(owner, { stayId, refundChannel: "cash" });
    await reserve(5, { name: "Mary", documentNumber: "NEW" });
    await run();
    const { guestId } = await world.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
    await erase(owner, { erase: async () => undefined } as unknown as FileStore, guestId);
    build();
    world.clock.advance(60_000);
    await run();
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining("Mary")]);
  });

  it("leaves no more than two digits of a phone number in the audit log", async () => {
    await settings(["reserved"], { channels: ["sms"] });
    await reserve();
    await run();
    const entry = await world.database.prisma.auditEntry.findFirst({
      where: { hotelId: hotel.id, action: "guestMessage.queue" },
    });
    expect(entry?.after).toMatchObject({ to: "***67" });
  });

  it("with a code that was handed over is deleted a month after the stay, and with its guest, whatever their number is", async () => {
    await settings([]);
    const count = () => world.database.prisma.outgoingMessage.count({ where: { hotelId: hotel.id } });
    const handOut = async (of: DeskRoom, code: string): Promise<{ stayId: number; stayGuestId: number }> => {
      const party = await checkIn({}, of);
      const { passcodeId } = await newCode(party.stayId, code, GUEST.name, of);
      await world.database.prisma.credential.updateMany({ where: { passcodeId }, data: { state: "confirmed" } });
      await handOverCode(owner, outgoing, { passcodeId, to: GUEST.mobile });
      await run();
      expect(await count()).toBe(1);
      return party;
    };
    const { stayId: first } = await handOut(room, "482913");
    await desk.checkOut(first);
    const later = (days: number): Date => new Date(world.clock.now().getTime() + days * DAY);
    await deleteOldTexts(world.database, later(29));
    expect(await count()).toBe(1);
    await deleteOldTexts(world.database, later(31));
    expect(await count()).toBe(0);

    const { stayId, stayGuestId } = await handOut(await desk.room("201"), "739164");
    const guest = { ...GUEST, documentNumber: null, mobile: "+4915199887766" };
    await stays.correctGuest(owner, updateGuestInput.parse({ stayGuestId, guest }));
    await desk.checkOut(stayId);
    const { guestId } = await world.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
    await erase(owner, { erase: async () => undefined } as unknown as FileStore, guestId);
    expect(await count()).toBe(0);
  });

  it("that an erased guest got through the outbox is deleted, and others' are not", async () => {
    await settings(["checked_in"]);
    const { stayId } = await checkIn();
    await run();
    const other = { hotelId: hotel.id, channel: "mail" as const, subject: "", body: "x" };
    for (const recipient of [GUEST.email, "mary@example.com"]) {
      await outgoing.queueWritten(world.database.prisma, { ...other, recipient });
    }
    await desk.checkOut(stayId);
    const { guestId } = await world.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
    await erase(owner, { erase: async () => undefined } as unknown as FileStore, guestId);
    const left = await world.database.prisma.outgoingMessage.findMany({ where: { hotelId: hotel.id } });
    expect(left.map(({ recipient }) => recipient)).toEqual(["mary@example.com"]);
  });
});

describe("a messenger service", () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  it("gets messages with a signature, and its address follows the rules of webhooks", async () => {
    const admin = await hotel.scope("owner", { apiKeyAuth: true });
    await settings(["reserved"], { channels: ["webhook", "mail"] });
    await expect(saveWebhook(admin, { url: "https://127.0.0.1/x" }, { allowLocal: false })).rejects.toMatchObject({
      code: "invalid_input",
    });
    const other = await hotel.scope("owner");
    await expect(saveWebhook(other, { url: null }, { allowLocal: false })).rejects.toMatchObject({
      code: "feature_off",
    });
    const { secret } = await saveWebhook(admin, { url: receiver.url }, { allowLocal: true });
    expect(secret).toMatch(/^whsec_/);
    await reserve();
    await run();
    expect(await stored()).toEqual([["reserved", "sent"]]);
    expect(receiver.received).toHaveLength(1);
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: "{}" };
    expect(headers["webhook-signature"]).toMatch(/^v1,/);
    expect(JSON.parse(body)).toMatchObject({ type: "guest.message", data: { to: GUEST.mobile } });
    expect((await get(owner, { outgoingMessages: outgoing, guestUrl: null })).webhookHost).toContain("127.0.0.1");
    await saveWebhook(admin, { url: null }, { allowLocal: false });
    await reserve(10);
    await run();
    expect(mails).toHaveLength(1);
  });
});

describe("a text", () => {
  it("of the hotel replaces the product's in its language, until it is given back", async () => {
    await settings(["reserved"]);
    const own = { event: "reserved", language: "en" } as const;
    await saveText(owner, { ...own, content: { subject: "Hello {{guestName}}", body: "From {{arrivalDate}}" } });
    await reserve();
    await run();
    expect(mails[0]).toMatchObject({ subject: "Hello Ada Lovelace", text: "From Monday, 23 November 2026" });
    await saveText(owner, { ...own, content: null });
    await reserve(10);
    await run();
    expect(mails[1]?.subject).toContain("Your reservation at");
    const clerk = await hotel.scope("staff", { capabilities: ["hotel.view"] });
    await expect(saveText(clerk, { ...own, content: null })).rejects.toMatchObject({ code: "no_permission" });
  });
});
