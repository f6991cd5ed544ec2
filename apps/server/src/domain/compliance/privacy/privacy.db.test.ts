import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareRoomCardInput, registerCardInput } from "@innkey/shared/schemas/access/cards";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";
import { register } from "../../access/cards/air-cards.service.ts";
import { prepareForRoom } from "../../access/cards/cards.service.ts";
import { describeGrant } from "../../access/faces/faces.service.ts";
import { bodyContext } from "../../messaging/outgoing-messages/outgoing-messages.service.ts";

/** Words that occur only in this guest's data. */
const MARKS = {
  name: "Wilhelmina Quarxberg",
  mobile: "+4915550917263",
  email: "quarxberg@example.test",
  documentNumber: "C7QX9Z0418",
  birthDate: "1931-04-17",
  nationality: "IS",
};
const NOTE = "Quarxberg snores";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let portrait: Buffer;
let serial = 0;

beforeAll(async () => {
  server = await createTestServer();
  portrait = await sharp({
    create: {
      width: 400,
      height: 400,
      channels: 3,
      background: "tan",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set("2026-03-02T10:00:00.000Z");
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
});

async function room(): Promise<number> {
  serial += 1;
  const mac = `02:00:00:00:${String(Math.floor(serial / 100)).padStart(2, "0")}:${String(serial % 100).padStart(2, "0")}`;
  const { roomId } = await desk.api.rooms.save.mutate({ name: `P${serial}`, groupId: null, lock: { mac } });
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
  await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
  return roomId;
}

const markedGuest = {
  name: MARKS.name,
  mobile: MARKS.mobile,
  email: MARKS.email,
  documentType: "passport" as const,
  documentNumber: MARKS.documentNumber,
  birthDate: MARKS.birthDate,
  nationality: MARKS.nationality,
  gender: "female" as const,
};

async function face(note: string, guestId: number | null): Promise<number> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(portrait)], { type: "image/jpeg" }), "face.jpg");
  const request = new Request("http://localhost", { method: "POST", body: form });
  const { body } = await desk.http("POST", "/api/files?kind=face", {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  const { id: fileId } = JSON.parse(body) as { id: string };
  return (await desk.api.faces.enrol.mutate({ fileId, note, guestId, consent: true })).faceId;
}

/** A link to a guest's page, with a browser that is recognised there. */
async function linkWithDevice(stayGuestId: number): Promise<void> {
  serial += 1;
  const own = { hotelId: hotel.id, tokenHash: createHash("sha256").update(`${hotel.id} ${serial}`).digest() };
  const { prisma } = server.database;
  const { id: linkId } = await prisma.guestLink.create({ data: { ...own, stayGuestId } });
  await prisma.guestLinkDevice.create({ data: { ...own, linkId, provenAt: server.clock.now() } });
}

const later = (days: number): string => new Date(server.clock.now().getTime() + days * 86_400_000).toISOString();

interface Visit {
  stayId: number;
  stayGuestId: number;
  guestId: number;
  roomId: number;
  faceId: number;
}

/** Creates a stay with all possible data about its guest; `others` share it. */
async function visit(...others: string[]): Promise<Visit> {
  const roomId = await room();
  const { api } = desk;
  const { stayId, stayGuestId } = await api.stays.checkIn.mutate({
    roomId,
    unit: "day",
    startsAt: later(0),
    endsAt: later(2),
    guests: [markedGuest, ...others.map((name) => ({ name, mobile: "", email: "" }))],
    otherInformation: `${NOTE}, ask ${MARKS.name}`,
  });
  const guestId = (await api.stays.detail.query({ stayId })).guests[0]?.guestId ?? 0;
  await api.stays.update.mutate({
    stayId,
    breakfast: true,
    idCardMatch: false,
    otherInformation: `${NOTE}; call ${MARKS.name} at +49 155 5091 7263`,
  });
  // An earlier no-show of the same reservation.
  await server.database.prisma.stay.update({
    where: { id: stayId },
    data: { noShowReason: `${MARKS.name} missed the train` },
  });
  await api.guests.update.mutate({ stayGuestId, guest: { ...markedGuest, name: MARKS.name } });
  await api.passcodes.create.mutate({ type: "air", stayId, roomIds: [roomId], person: MARKS.name, note: MARKS.mobile });
  const card = await api.cards.prepare.mutate({
    stayId,
    uid: `0BAD${String(serial).padStart(4, "0")}`,
    note: MARKS.name,
  });
  await api.cards.confirm.mutate({ cardId: card.cardId, readBack: card.data });
  const faceId = await face(MARKS.name, guestId);
  await api.faces.rename.mutate({ faceId, note: `${MARKS.name} again` });
  const { credentialIds } = await api.faces.grant.mutate({ faceId, stayId, roomIds: [] });
  const noteInput = { credentialId: credentialIds[0] ?? 0, note: `the door of ${MARKS.name}` };
  const scope = await server.scopeOf(owner);
  await describeGrant(scope, noteInput);
  const laterPeriod = { note: MARKS.name, validFrom: later(3), validTo: later(30) };
  const longer = { roomId, uid: `0CAD${String(serial).padStart(4, "0")}`, ...laterPeriod };
  const roomOnly = await prepareForRoom(scope, prepareRoomCardInput.parse(longer));
  await api.cards.revoke.mutate({ cardId: roomOnly.cardId });
  return { stayId, stayGuestId, guestId, roomId, faceId };
}

const checkOut = (stayId: number) =>
  desk.api.stays.checkOut.mutate({ stayId, confirmUnpaid: true, refundChannel: "cash" });

/** Returns every row of every table as text. */
async function dump(): Promise<string[]> {
  const { rows: tables } = await server.database.pool.query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await server.database.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    lines.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return lines;
}

/**
 * Returns the lines that contain any part of the guest's identity. Country and birthday are checked only in the guest's
 * row.
 */
function linesWithIdentity(lines: readonly string[]): string[] {
  const words = ["quarxberg", "wilhelmina", "15550917263", "155 5091 7263", MARKS.documentNumber.toLowerCase()];
  const hex = words.map((word) => Buffer.from(word).toString("hex"));
  return lines.filter((line) => {
    const lower = line.toLowerCase();
    return [...words, ...hex].some((word) => lower.includes(word)) || lower.includes(MARKS.birthDate);
  });
}

function unzip(archive: Buffer): Record<string, string> {
  const directory = mkdtempSync(join(tmpdir(), "innkey-person-"));
  try {
    writeFileSync(join(directory, "a.zip"), archive);
    const script =
      "import json,sys,zipfile;a=zipfile.ZipFile(sys.argv[1]);print(json.dumps({n:a.read(n).decode('latin-1') for n in a.namelist()}))";
    return JSON.parse(execFileSync("python3", ["-c", script, join(directory, "a.zip")], { encoding: "utf8" }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const download = (guestId: number | string, browser = desk) => browser.http("GET", `/api/privacy/guests/${guestId}`);
const codeOf = async (call: Promise<unknown>) => (await failure(call)).code;

describe("erasing a guest", () => {
  it("leaves nothing that identifies them in any table, list, search or export", async () => {
    const alone = await visit();
    expect(linesWithIdentity(await dump()).map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining(["guest", "stay", "passcode", "card", "face"]),
    );
    await checkOut(alone.stayId);
    const shared = await visit("Bob");
    expect(shared.guestId).toBe(alone.guestId);
    await desk.api.folio.pay.mutate({
      stayId: shared.stayId,
      amountMinor: 100,
      channel: "cash",
      note: `by ${MARKS.name}`,
    });
    await checkOut(shared.stayId);
    const before = await desk.api.stays.detail.query({ stayId: shared.stayId });

    const erased = await desk.api.privacy.erase.mutate({ guestId: alone.guestId });
    expect(erased).toEqual({ guestId: alone.guestId, stays: 2, faces: 2, codes: 1 });
    const remaining = linesWithIdentity(await dump());
    expect(remaining).toEqual([]);

    const { guests, entries, ...after } = await desk.api.stays.detail.query({ stayId: shared.stayId });
    expect(guests.map(({ name }) => name)).toEqual(["–", "Bob"]);
    expect(after.otherInformation).not.toContain("Wilhelmina");
    expect(after.money).toEqual(before.money);
    expect(entries).toHaveLength(before.entries.length);
    for (const keyword of [MARKS.name, MARKS.documentNumber, MARKS.mobile]) {
      expect((await desk.api.guests.list.query({ keyword })).total).toBe(0);
      expect(await desk.api.guests.search.query({ query: keyword })).toEqual([]);
      expect(await desk.api.privacy.find.mutate({ query: keyword })).toEqual([]);
    }
    const paper = unzip((await download(alone.guestId)).rawPayload);
    expect(Object.keys(paper)).toEqual(["person.html", "person.json"]);
    expect(linesWithIdentity(Object.values(paper))).toEqual([]);
    const auditEntry = await server.database.prisma.auditEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, action: "privacy.erase" },
    });
    expect(auditEntry).toMatchObject({ entityId: String(alone.guestId), after: { stays: 2, faces: 2, codes: 1 } });
  });

  it("leaves nothing in the descriptions of rooms, card readers and the hotel", async () => {
    const { roomId, stayId, guestId } = await visit();
    const { prisma } = server.database;
    const { name } = await desk.api.rooms.detail.query({ roomId });
    const description = `liked by ${MARKS.name}`;
    await desk.api.rooms.save.mutate({ id: roomId, name, groupId: null, description });
    await prisma.room.update({ where: { id: roomId }, data: { remarkName: `${MARKS.name}'s` } });
    const { name: hotelName, timeZone, currency } = hotel;
    const notice = `Thank you, ${MARKS.name}`;
    await desk.api.hotel.update.mutate({
      ...(await desk.api.hotel.get.query()),
      name: hotelName,
      timeZone,
      currency,
      notice,
    });
    const broken = { roomIds: [await room()], status: "maintenance" as const, note: `Bath of ${MARKS.name}` };
    await desk.api.rooms.setStatus.mutate(broken);
    const reader = { deviceNo: "NOTED-1", name: "Desk", type: 1 as const, note: `broken by ${MARKS.name}` };
    const { id } = await desk.api.cardReaders.save.mutate(reader);
    await desk.api.cardReaders.save.mutate({
      ...reader,
      id,
      name: "Night desk",
      note: `broken by ${MARKS.name} again`,
    });
    await checkOut(stayId);
    await desk.api.privacy.erase.mutate({ guestId });
    expect(linesWithIdentity(await dump())).toEqual([]);
    expect(await prisma.room.findUnique({ where: { id: roomId } })).toMatchObject({ description: "liked by –" });
    expect(await prisma.cardReader.findUnique({ where: { id } })).toMatchObject({ note: "broken by – again" });
  });

  it("leaves nothing at doors, in a day's note, a customer's note or the audit log", async () => {
    const { roomId, stayId, guestId } = await visit();
    const lock = await server.database.prisma.lock.findFirstOrThrow({ where: { roomId } });
    await server.database.prisma.lock.update({ where: { id: lock.id }, data: { configuredAt: server.clock.now() } });
    const { api } = desk;
    const detail = () => desk.api.rooms.detail.query({ roomId });
    const { name } = await detail();
    await api.rooms.save.mutate({ name: `${name} b`, groupId: null, bulletin: `Good morning, ${MARKS.name}` });
    const { mac, bluetoothName } = lock;
    const withLock = { id: roomId, name, groupId: null, lock: { mac, bluetoothName } };
    await api.rooms.save.mutate({ ...withLock, bulletin: `Hello, ${MARKS.name}` });
    await api.hotel.sendNotice.mutate({ to: { kind: "rooms", roomIds: [roomId] }, text: `For ${MARKS.name}` });
    await api.locks.notice.mutate({ roomIds: [roomId], text: `Welcome, ${MARKS.name}` });
    const { figures } = await api.nightAudit.read.query({ date: "2026-03-01" });
    await api.nightAudit.close.mutate({ date: "2026-03-01", note: `Dog of ${MARKS.name} barked`, figures });
    await api.handOver.add.mutate({ text: `Wake ${MARKS.name}`, roomId });
    const note = `introduced by ${MARKS.name}`;
    await api.customers.save.mutate({ kind: "person", name: "Bo", mobile: "", email: "", note });
    const draft = { uid: "0DAD0001", kind: "guest" as const, note: MARKS.name, validTo: later(1) };
    await register(await server.scopeOf(owner), registerCardInput.parse(draft));
    await checkOut(stayId);
    server.clock.advance(2 * 86_400_000);
    desk = await server.loginAs(owner);
    await desk.api.privacy.erase.mutate({ guestId });
    expect(linesWithIdentity(await dump())).toEqual([]);
    expect((await detail()).bulletin).toBe("Welcome, –");
    const noticeCommands = await server.database.prisma.lockCommand.findMany({
      where: { lockId: lock.id, type: "notice", state: "queued" },
    });
    expect(noticeCommands).toMatchObject([{ createdAt: server.clock.now() }]);
  });

  it("removes the pictures from storage and the face from every door", async () => {
    const { stayId, guestId, faceId } = await visit();
    const { fileId } = await server.database.prisma.face.findUniqueOrThrow({ where: { id: faceId } });
    await checkOut(stayId);
    await desk.api.privacy.erase.mutate({ guestId });
    expect(await server.database.prisma.storedFile.count({ where: { id: fileId ?? "" } })).toBe(0);
    expect((await desk.http("GET", `/files/${fileId}`)).statusCode).toBe(404);
    const states = await server.database.prisma.credential.findMany({ where: { faceId }, select: { state: true } });
    expect(states.every(({ state }) => state === "revoking" || state === "revoked")).toBe(true);
  });

  describe("whose stays were sent to webhooks", () => {
    const events = ["stay.checked_in" as const, "stay.checked_out" as const];
    const checkIn = async (...names: string[]) => {
      const { stayId } = await desk.api.stays.checkIn.mutate({
        roomId: await room(),
        unit: "day",
        startsAt: later(0),
        endsAt: later(2),
        guests: names.map((name) => ({ name, mobile: "", email: "" })),
      });
      const { guests } = await desk.api.stays.detail.query({ stayId });
      return { stayId, guestId: guests[0]?.guestId ?? 0, stayGuestId: guests[0]?.stayGuestId ?? 0 };
    };
    const namesSent = async (stayId: number): Promise<unknown[]> => {
      const rows = await server.database.prisma.webhookDelivery.findMany({
        where: { hotelId: hotel.id, payload: { path: ["stayId"], equals: stayId } },
        orderBy: { createdAt: "asc" },
      });
      return rows.map(({ payload }) => (payload as { guestName: unknown }).guestName);
    };
    beforeEach(async () => {
      await server.database.prisma.membership.update({
        where: { id: owner.membershipId },
        data: { apiKeyAuth: true },
      });
      desk = await server.loginAs(owner);
      await desk.api.integrations.saveWebhook.mutate({ name: "Till", url: "https://8.8.8.8/hook", events });
    });

    it.each([
      ["a single name", "Wilhelmina"],
      ["characters that JSON escapes", 'Wilhelmina "Mina" Quarxberg \\ Sons'],
    ])("removes the name there: %s", async (_what, name) => {
      const { stayId, guestId } = await checkIn(name);
      await checkOut(stayId);
      expect(await namesSent(stayId)).toEqual([name, name]);
      await desk.api.privacy.erase.mutate({ guestId });
      expect(await namesSent(stayId)).toEqual(["–", "–"]);
    });

    it("removes an earlier name there too, and leaves a namesake's stay unchanged", async () => {
      const { stayId, guestId, stayGuestId } = await checkIn("Ida Sommer");
      const namesake = await checkIn("Ida Winter");
      await desk.api.guests.update.mutate({ stayGuestId, guest: { name: "Ida Winter", mobile: "", email: "" } });
      await checkOut(stayId);
      await desk.api.privacy.erase.mutate({ guestId });
      expect(await namesSent(stayId)).toEqual(["–", "–"]);
      expect(await namesSent(namesake.stayId)).toEqual(["Ida Winter"]);
    });

    it("leaves the name of a guest who shared the stay", async () => {
      const { stayId } = await checkIn("Bob Miller", MARKS.name);
      await checkOut(stayId);
      const { guests } = await desk.api.stays.detail.query({ stayId });
      await desk.api.privacy.erase.mutate({ guestId: guests[1]?.guestId ?? 0 });
      expect(await namesSent(stayId)).toEqual(["Bob Miller", "Bob Miller"]);
    });

    it("works when their phone number is also an id or an amount there", async () => {
      const { stayId, guestId, stayGuestId } = await checkIn(MARKS.name);
      await desk.api.guests.update.mutate({ stayGuestId, guest: { name: MARKS.name, mobile: "47110", email: "" } });
      await checkOut(stayId);
      const other = await checkIn("Bob Miller");
      const payload = { stayId: other.stayId, amountMinor: 47_110, text: "call 47110", guestName: "Bob Miller" };
      await server.database.prisma.webhookDelivery.updateMany({
        where: { hotelId: hotel.id, payload: { path: ["stayId"], equals: other.stayId } },
        data: { payload },
      });
      await desk.api.privacy.erase.mutate({ guestId });
      const row = await server.database.prisma.webhookDelivery.findFirstOrThrow({
        where: { hotelId: hotel.id, payload: { path: ["stayId"], equals: other.stayId } },
      });
      expect(row.payload).toEqual({ ...payload, text: "call –" });
    });
  });

  it("removes their customer record, but not a namesake's", async () => {
    const data = {
      kind: "person" as const,
      name: MARKS.name,
      company: "Quarxberg & Sons",
      note: "Quarxberg pays late",
    };
    const { api } = desk;
    const { id } = await api.customers.save.mutate({ ...data, mobile: MARKS.mobile, email: "" });
    const { id: other } = await api.customers.save.mutate({ ...data, mobile: "+4915550000000", email: "" });
    const { stayId, guestId } = await visit();
    const details = { breakfast: false, idCardMatch: false, otherInformation: "" };
    await api.stays.update.mutate({ ...details, stayId, customerId: id });
    const later = await api.stays.reserve.mutate({
      roomId: await room(),
      unit: "day",
      startsAt: new Date(server.clock.now().getTime() + 10 * 86_400_000).toISOString(),
      endsAt: new Date(server.clock.now().getTime() + 11 * 86_400_000).toISOString(),
      guests: [{ name: "Bob", mobile: "", email: "" }],
      customerId: id,
    });
    await checkOut(stayId);
    expect(await codeOf(api.privacy.erase.mutate({ guestId }))).toBe("in_house");
    await api.stays.cancel.mutate({ stayId: later.stayId, refundChannel: "cash" });
    await api.privacy.erase.mutate({ guestId });
    expect((await api.customers.list.query({})).rows.map((row) => row.id)).toEqual([other]);
    expect((await api.stays.detail.query({ stayId })).customer).toEqual({ id, name: "–" });
    await api.customers.remove.mutate({ id: other });
    expect(linesWithIdentity(await dump())).toEqual([]);
  });

  it("removes a deleted customer record of the same name", async () => {
    const { api } = desk;
    const { id } = await api.customers.save.mutate({ kind: "person", name: MARKS.name, mobile: "", email: "" });
    const { stayId, guestId } = await visit();
    const details = { breakfast: false, idCardMatch: false, otherInformation: "" };
    await api.stays.update.mutate({ ...details, stayId, customerId: id });
    await checkOut(stayId);
    await api.customers.remove.mutate({ id });
    await api.privacy.erase.mutate({ guestId });
    expect(linesWithIdentity(await dump())).toEqual([]);
  });

  it("restarts exports that are being written", async () => {
    const { stayId, guestId } = await visit();
    await checkOut(stayId);
    const { id } = await server.database.prisma.export.create({
      data: {
        hotelId: hotel.id,
        operatorId: owner.id,
        list: "guests",
        format: "csv",
        fileName: "guests.csv",
        request: {},
        state: "running",
        aliveAt: server.clock.now(),
      },
    });
    await desk.api.privacy.erase.mutate({ guestId });
    const row = await server.database.prisma.export.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ state: "queued", aliveAt: null });
  });

  it("deletes their links to guests' pages, and the browsers that were recognised there", async () => {
    const { stayId, guestId, stayGuestId } = await visit("Bob");
    const bob = (await desk.api.stays.detail.query({ stayId })).guests.find(({ name }) => name === "Bob");
    for (const id of [stayGuestId, bob?.stayGuestId ?? 0]) await linkWithDevice(id);
    await checkOut(stayId);
    await desk.api.privacy.erase.mutate({ guestId });
    const links = await server.database.prisma.guestLink.findMany({ where: { hotelId: hotel.id } });
    expect(links.map((link) => link.stayGuestId)).toEqual([bob?.stayGuestId]);
    expect(await server.database.prisma.guestLinkDevice.count({ where: { hotelId: hotel.id } })).toBe(1);
  });

  it("is refused for guests who are here or expected, and runs once", async () => {
    const { stayId, guestId, stayGuestId } = await visit();
    expect(await codeOf(desk.api.privacy.erase.mutate({ guestId }))).toBe("in_house");
    await checkOut(stayId);
    const roomId = await room();
    const period = { unit: "day" as const, startsAt: later(10), endsAt: later(12) };
    const expected = await desk.api.stays.reserve.mutate({ roomId, ...period, guests: [markedGuest], channel: "cash" });
    expect(await codeOf(desk.api.privacy.erase.mutate({ guestId }))).toBe("in_house");
    await desk.api.stays.cancel.mutate({ stayId: expected.stayId, refundChannel: "cash" });
    await desk.api.privacy.erase.mutate({ guestId });
    expect(await codeOf(desk.api.privacy.erase.mutate({ guestId }))).toBe("state_conflict");
    expect(await codeOf(desk.api.guests.update.mutate({ stayGuestId, guest: markedGuest }))).toBe("state_conflict");
  });

  it("erases one person, and neither a namesake nor anybody who shared the stay", async () => {
    const { stayId, guestId } = await visit("Bob Miller");
    await checkOut(stayId);
    const roomId = await room();
    const namesake = { name: MARKS.name, mobile: "123456789", email: "" };
    const other = await desk.api.stays.checkIn.mutate({
      roomId,
      unit: "day",
      startsAt: later(0),
      endsAt: later(1),
      guests: [namesake],
      otherInformation: `for ${MARKS.name}`,
      channel: "cash",
    });
    await desk.api.privacy.erase.mutate({ guestId });
    const detailAfter = await desk.api.stays.detail.query({ stayId: other.stayId });
    expect(detailAfter).toMatchObject({ otherInformation: `for ${MARKS.name}`, guests: [{ name: MARKS.name }] });
    expect((await desk.api.stays.detail.query({ stayId })).guests[1]).toMatchObject({ name: "Bob Miller" });
  });

  it("makes a returning person a new guest", async () => {
    const first = await visit();
    await checkOut(first.stayId);
    await desk.api.privacy.erase.mutate({ guestId: first.guestId });
    const second = await visit();
    expect(second.guestId).not.toBe(first.guestId);
  });

  it("requires the permission, in one's own hotel", async () => {
    const { guestId } = await visit();
    const staff = await server.loginAs(await server.createOperator(hotel, { role: "staff" }));
    const elsewhere = await server.createHotel();
    const stranger = await server.loginAs(await server.createOperator(elsewhere, { role: "owner" }));
    expect(await codeOf(staff.api.privacy.erase.mutate({ guestId }))).toBe("no_permission");
    expect((await download(guestId, staff)).statusCode).toBe(403);
    expect(await codeOf(stranger.api.privacy.erase.mutate({ guestId }))).toBe("not_found");
    expect((await download(guestId, stranger)).statusCode).toBe(404);
    expect((await download("x")).statusCode).toBe(404);
    expect((await download(guestId, server.visitor())).statusCode).toBe(401);
  });
});

describe("the data about a person", () => {
  it("is counted, and returned with everything except codes", async () => {
    const { guestId, stayId, faceId, roomId } = await visit();
    const lock = await server.database.prisma.lock.findFirstOrThrow({ where: { roomId } });
    const guest = await server.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
    await server.database.prisma.unlockRecord.create({
      data: {
        hotelId: hotel.id,
        roomId,
        lockId: lock.id,
        lockSeq: 1,
        at: server.clock.now(),
        style: "card",
        success: true,
        stayGuestId: guest.id,
      },
    });
    expect(await desk.api.privacy.person.query({ guestId })).toMatchObject({
      name: MARKS.name,
      standing: "here",
      hasDocument: true,
      ...{ faces: 1, cards: 1, codes: 1, doorRecords: 1, stayCount: 1 },
      stays: [{ stayId, state: "checked_in", guests: 1 }],
    });
    const reply = await download(guestId);
    expect(reply.headers).toMatchObject({
      "cache-control": "private, no-store",
      "content-disposition": `attachment; filename="guest-${guestId}.zip"`,
    });
    const files = unzip(reply.rawPayload);
    // The universal time of the first file is in the ZIP directory's field "UT".
    const timeAt = reply.rawPayload.indexOf(Buffer.from("5554050003", "hex")) + 5;
    expect(reply.rawPayload.readUInt32LE(timeAt)).toBe(Math.floor(server.clock.now().getTime() / 1000));
    expect(Object.keys(files)).toEqual(["person.html", "person.json", `face-${faceId}.webp`]);
    expect(files[`face-${faceId}.webp`]?.slice(8, 12)).toBe("WEBP");
    const person = JSON.parse(files["person.json"] ?? "");
    expect(person).toMatchObject({
      person: { name: MARKS.name, documentNumber: MARKS.documentNumber, birthDate: MARKS.birthDate },
      stays: [{ stayId, breakfast: true, rooms: [{}] }],
      codes: [{ person: MARKS.name }],
      cards: [{ number: expect.stringMatching(/^0BAD/) }],
      faces: [{ faceId, picture: `face-${faceId}.webp` }],
      doors: [{ style: "card", opened: true }],
    });
    expect(person.entries.length).toBeGreaterThan(0);
    const codes = await desk.api.passcodes.list.query({ stayId });
    const revealed = await desk.api.passcodes.reveal.mutate({ passcodeId: codes.rows[0]?.id ?? 0 });
    expect(files["person.json"]).not.toContain(revealed.code);
    expect(files["person.html"]).toContain("Wilhelmina");
    const auditEntry = await server.database.prisma.auditEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, action: "privacy.export" },
    });
    expect(auditEntry.after).toEqual({ documentInFull: true, pictures: 1 });
  });

  it("contains neither the bill nor the codes and cards of those whom they travelled with", async () => {
    const { stayId, roomId } = await visit("Bob Miller");
    const { guests } = await desk.api.stays.detail.query({ stayId });
    const bob = guests.find(({ name }) => name === "Bob Miller");
    const holder = { stayId, holderId: bob?.stayGuestId ?? 0, person: "Bob Miller" };
    await desk.api.passcodes.create.mutate({ type: "air", roomIds: [roomId], ...holder });
    const guestId = bob?.guestId ?? 0;
    expect(await desk.api.privacy.person.query({ guestId })).toMatchObject({ cards: 0, codes: 1, entries: 0 });
    const files = unzip((await download(guestId)).rawPayload);
    const person = JSON.parse(files["person.json"] ?? "");
    expect(person).toMatchObject({ stays: [{ stayId }], entries: [], cards: [], codes: [{ person: "Bob Miller" }] });
    expect(JSON.stringify([person.codes, person.cards])).not.toContain(MARKS.name);
  });

  it("contains what they gave before they arrived and what they were written, without codes and links", async () => {
    const { guestId, stayId, stayGuestId } = await visit();
    const { prisma } = server.database;
    const { secrets } = await server.scopeOf(owner);
    const own = { hotelId: hotel.id, stayGuestId };
    const values = {
      name: "Willa Q.",
      birthDate: "1931-04-18",
      nationality: "NO",
      documentType: null,
      documentNumber: "N-77",
    };
    const details = { column: "pre_check_in.content_box", hotelId: hotel.id, row: stayGuestId } as const;
    const contentBox = secrets.document.seal(JSON.stringify(values), details);
    const sentAt = server.clock.now();
    await prisma.preCheckIn.create({ data: { ...own, contentBox, arrivalTime: "18:30", sentAt } });
    const row = `${stayGuestId},signature`;
    const signature = { column: "guest_picture.content_box", hotelId: hotel.id, row } as const;
    await prisma.guestPicture.create({
      data: { ...own, kind: "signature", sentAt, contentBox: secrets.document.sealBytes(portrait, signature) },
    });
    const codes = await desk.api.passcodes.list.query({ stayId });
    const { code } = await desk.api.passcodes.reveal.mutate({ passcodeId: codes.rows[0]?.id ?? 0 });
    await prisma.hotel.update({ where: { id: hotel.id }, data: { wifiPassword: "grapefruit" } });
    const id = randomUUID();
    const text = `Dear Willa, code ${code}, Wi-Fi grapefruit, https://stay.example/#${"Ab1_".repeat(6).slice(0, 22)}`;
    const bodyBox = secrets.message.seal(text, bodyContext({ id, hotelId: hotel.id }));
    const message = {
      id,
      hotelId: hotel.id,
      channel: "mail" as const,
      recipient: MARKS.email,
      subject: `Code ${code}`,
    };
    await prisma.outgoingMessage.create({ data: { ...message, bodyBox } });
    await prisma.guestMessage.create({
      data: { ...own, stayId, event: "checked_in", occurredAt: sentAt, dueAt: sentAt, messageId: id },
    });
    const files = unzip((await download(guestId)).rawPayload);
    expect(Object.keys(files)).toContain(`signature-${stayId}.png`);
    const person = JSON.parse(Buffer.from(files["person.json"] ?? "", "latin1").toString());
    expect(person).toMatchObject({
      beforeArrival: [{ stayId, arrivalTime: "18:30", values }],
      guestPictures: [{ stayId, kind: "signature", picture: `signature-${stayId}.png` }],
    });
    expect(person.messages).toContainEqual(
      expect.objectContaining({
        subject: "Code ••••••",
        text: "Dear Willa, code ••••••, Wi-Fi ••••••, https://stay.example/#••••••",
      }),
    );
    expect(files["person.html"]).toContain("Willa Q.");
    expect(files["person.html"]).toContain("Dear Willa");
  });

  it("contains their customer record, and nobody else's", async () => {
    const { guestId } = await visit();
    const { api } = desk;
    const entry = {
      ...{ name: MARKS.name, company: "Quarxberg & Sons", note: "pays late" },
      ...{ address: "Quarx Lane 1", taxNumber: "DE 999" },
    };
    await api.customers.save.mutate({ ...entry, kind: "person", mobile: "", email: MARKS.email });
    await api.customers.save.mutate({ kind: "person", name: MARKS.name, mobile: "+4915550000000", email: "" });
    await api.customers.save.mutate({ kind: "person", name: "Bo", mobile: MARKS.mobile, email: "" });
    const files = unzip((await download(guestId)).rawPayload);
    const { customers } = JSON.parse(files["person.json"] ?? "");
    expect(customers).toEqual([{ ...entry, mobile: "", email: MARKS.email, since: server.clock.now().toISOString() }]);
    expect(files["person.html"]).toContain("Quarxberg &#38; Sons");
  });

  it("escapes HTML on its page", async () => {
    const roomId = await room();
    const { stayId } = await desk.api.stays.checkIn.mutate({
      roomId,
      unit: "day",
      startsAt: later(0),
      endsAt: later(1),
      guests: [{ name: "<script>alert(1)</script>", mobile: "", email: "" }],
      channel: "cash",
    });
    const guestId = (await desk.api.stays.detail.query({ stayId })).guests[0]?.guestId ?? 0;
    const files = unzip((await download(guestId)).rawPayload);
    expect(files["person.html"]).not.toContain("<script>");
  });
});

describe("retention", () => {
  const run = async () => {
    const { retain } = await import("./retention.ts");
    const scope = await server.services.scopes(hotel.id);
    if (!scope) throw new Error("no hotel");
    return retain(scope, server.services.files, 2);
  };

  it("deletes documents and faces some time after check-out, in batches, except for current and returning guests", async () => {
    const pastVisits: Visit[] = [];
    for (let index = 0; index < 3; index += 1) {
      const roomId = await room();
      const { stayId } = await desk.api.stays.checkIn.mutate({
        roomId,
        unit: "day",
        startsAt: later(0),
        endsAt: later(1),
        guests: [{ name: `Gone ${index}`, documentType: "passport", documentNumber: `GONE000${index}` }],
        channel: "cash",
      });
      const [{ guestId, stayGuestId } = { guestId: 0, stayGuestId: 0 }] = (
        await desk.api.stays.detail.query({ stayId })
      ).guests;
      await linkWithDevice(stayGuestId);
      pastVisits.push({ stayId, roomId, guestId, stayGuestId, faceId: await face(`Gone ${index}`, guestId) });
      await checkOut(stayId);
    }
    const currentVisit = await visit();
    await linkWithDevice(currentVisit.stayGuestId);
    expect(await desk.api.privacy.overview.query()).toEqual({ days: null, due: null, runs: [] });
    expect(await run()).toEqual({ guests: 0, documents: 0, faces: 0 });

    await desk.api.privacy.setRetention.mutate({ days: 30 });
    server.clock.advance(29 * 86_400_000);
    desk = await server.loginAs(owner);
    expect((await desk.api.privacy.overview.query()).due).toEqual({ guests: 0, documents: 0, faces: 0 });
    server.clock.advance(2 * 86_400_000);
    desk = await server.loginAs(owner);
    expect((await desk.api.privacy.overview.query()).due).toEqual({ guests: 3, documents: 3, faces: 3 });
    expect(await desk.api.privacy.preview.query({ days: 60 })).toEqual({ guests: 0, documents: 0, faces: 0 });
    expect(await run()).toEqual({ guests: 3, documents: 3, faces: 3 });
    expect(await run()).toEqual({ guests: 0, documents: 0, faces: 0 });

    const links = await server.database.prisma.guestLink.findMany({ where: { hotelId: hotel.id } });
    expect(links.map(({ stayGuestId }) => stayGuestId)).toEqual([currentVisit.stayGuestId]);
    expect(await server.database.prisma.guestLinkDevice.count({ where: { hotelId: hotel.id } })).toBe(1);
    for (const { guestId, faceId } of pastVisits) {
      const guest = await server.database.prisma.guest.findUniqueOrThrow({ where: { id: guestId } });
      expect(guest).toMatchObject({ documentNumberBox: null, documentNumberHash: null, documentType: null });
      expect(guest.documentsErasedAt).toEqual(server.clock.now());
      expect(guest.name).toMatch(/^Gone/);
      expect(await server.database.prisma.face.findUnique({ where: { id: faceId } })).toMatchObject({ fileId: null });
    }
    const currentGuest = await server.database.prisma.guest.findUniqueOrThrow({ where: { id: currentVisit.guestId } });
    expect(currentGuest.documentNumberBox).not.toBeNull();
    expect(await server.database.prisma.storedFile.count({ where: { hotelId: hotel.id, kind: "face" } })).toBe(1);

    const { runs } = await desk.api.privacy.overview.query();
    expect(runs.map(({ guests }) => guests)).toEqual([0, 1, 2]);
    const [entry] = await server.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "privacy.retain" },
      orderBy: { seq: "desc" },
    });
    expect(entry).toMatchObject({ actorKind: "system", door: "system" });
  });

  it("is set by those who can, from a day to ten years or not at all", async () => {
    const administrator = await server.loginAs(await server.createOperator(hotel, { role: "administrator" }));
    expect((await administrator.api.privacy.setRetention.mutate({ days: 1 })).days).toBe(1);
    for (const days of [0, 3651, 1.5]) {
      expect(await codeOf(desk.api.privacy.setRetention.mutate({ days }))).toBe("invalid_input");
    }
    const data = await desk.api.hotel.get.query();
    expect(data.retentionDays).toBe(1);
    expect((await desk.api.hotel.update.mutate({ ...data, retentionDays: 3650 })).retentionDays).toBe(3650);
    expect(data.recordMonths).toBeNull();
    expect((await desk.api.hotel.update.mutate({ ...data, recordMonths: 24 })).recordMonths).toBe(24);
    for (const recordMonths of [0, 241]) {
      expect(await codeOf(desk.api.hotel.update.mutate({ ...data, recordMonths }))).toBe("invalid_input");
    }
    expect((await desk.api.hotel.update.mutate({ ...data, retentionDays: 3650 })).recordMonths).toBeNull();
    const { retentionDays: _untold, ...rest } = data;
    expect((await desk.api.hotel.update.mutate({ ...rest, name: "Renamed" })).retentionDays).toBe(3650);
    const staff = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["hotel.view", "stays.view"] }),
    );
    expect(await codeOf(staff.api.privacy.setRetention.mutate({ days: null }))).toBe("no_permission");
    expect((await desk.api.privacy.setRetention.mutate({ days: null })).due).toBeNull();
  });

  it("follows the check-out of the stay that a face without a name belongs to", async () => {
    const { stayId } = await visit();
    const faceId = await face("party", null);
    const staffFace = await face("housekeeping", null);
    await desk.api.faces.grant.mutate({ faceId, stayId, roomIds: [] });
    await checkOut(stayId);
    await desk.api.privacy.setRetention.mutate({ days: 1 });
    server.clock.advance(2 * 86_400_000);
    expect(await run()).toEqual({ guests: 1, documents: 1, faces: 2 });
    const rows = await server.database.prisma.face.findMany({
      where: { id: { in: [faceId, staffFace] } },
      orderBy: { id: "asc" },
    });
    expect(rows.map(({ fileId }) => fileId !== null)).toEqual([false, true]);
  });
});
