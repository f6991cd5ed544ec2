import { createHash } from "node:crypto";
import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import { GuestPhone, openGuestServer } from "../../../test/harness/guest-phone.ts";
import type { TestHotel } from "../../../test/harness/people.ts";
import { routesOf } from "../../../test/harness/routes.ts";
import { createTestServer, failure, GUEST_URL, type TestServer } from "../../../test/harness/server.ts";
import { deletePreCheckIns } from "../../domain/stays/pre-check-in/pre-check-in.jobs.ts";
import { SESSION_COOKIE } from "../http/session-cookie.ts";
import { GUEST_COOKIE } from "./guest-cookie.ts";

const DAY_MS = 86_400_000;
const DOCUMENT = "C01-X00T4K";
const MOBILE = "+4930123456";
const NAME = "Ada Quince";

let server: TestServer;
let app: FastifyInstance;
let hotel: TestHotel;
let desk: Browser;
let stayId: number;
let stayGuestId: number;
let roomId: number;
let lockId: number;
let token: string;
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

async function addRoom(name: string): Promise<{ roomId: number; lockId: number }> {
  serial += 1;
  const mac = `02:00:00:01:00:${String(serial).padStart(2, "0")}`;
  const { id: groupId } = await desk.api.groups.save.mutate({ name: `Group ${serial}`, sort: 1 });
  const { roomId } = await desk.api.rooms.save.mutate({ name, groupId, lock: { mac } });
  const prices = { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 10_000 };
  await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
  const { id } = await server.database.prisma.lock.findFirstOrThrow({ where: { roomId } });
  await server.database.prisma.lock.update({ where: { id }, data: { online: true } });
  return { roomId, lockId: id };
}

async function newToken(of = stayGuestId): Promise<string> {
  const { url } = await desk.api.guestLinks.make.mutate({ stayGuestId: of });
  return url.slice(`${GUEST_URL}/#`.length);
}

beforeEach(async () => {
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  ({ roomId, lockId } = await addRoom("Kelpie"));
  const guests = [
    { name: NAME, mobile: MOBILE, email: "", documentNumber: DOCUMENT },
    { name: "Ben Medlar", mobile: "", email: "" },
  ];
  const stay = { roomId, unit: "day" as const, startsAt: at(0), endsAt: at(2), guests, channel: "cash" as const };
  ({ stayId, stayGuestId } = await desk.api.stays.checkIn.mutate(stay));
  const texts = { wifiName: "Messing", wifiPassword: "grapefruit", notice: "Pool closed" };
  await server.database.prisma.hotel.update({ where: { id: hotel.id }, data: texts });
  token = await newToken();
});

/** A phone that opens the link of the test, unless it is asked to open another. */
class Phone extends GuestPhone {
  constructor() {
    super(app);
  }

  override page(of = token): Promise<GuestPage> {
    return super.page(of);
  }

  override prove(answer: string, of = token): Promise<string> {
    return super.prove(answer, of);
  }
}

async function provenPhone(of = token): Promise<Phone> {
  const phone = new Phone();
  expect(await phone.prove("456", of)).toBe("proven");
  return phone;
}

/** An answer without the request's id. */
function withoutRequestId({ statusCode, body }: LightMyRequestResponse): object {
  const { requestId: _requestId, ...rest } = JSON.parse(body);
  return { statusCode, ...rest };
}

describe("the guests' server", () => {
  it("has these routes and no other", () => {
    expect(routesOf(app).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /",
      "HEAD /",
      "POST /api/page",
      "POST /api/proof",
      "POST /api/pre-check-in",
      "POST /api/forget",
      "POST /api/open",
      "POST /api/opening",
      "POST /api/late",
      "POST /api/check-in",
      "POST /api/check-out",
      "GET /sw.js",
      "HEAD /sw.js",
    ]);
  });

  it("serves nothing of the console, with its cookie or without", async () => {
    const headers = { host: "stay.example", cookie: `${SESSION_COOKIE}=${desk.cookie}` };
    for (const url of ["/api/trpc/auth.status", "/api/board", "/healthz", "/metrics", "/login", "/manage/room/list"]) {
      expect((await app.inject({ method: "GET", url, headers })).statusCode, url).toBe(404);
    }
  });

  it("answers under its own name alone, with a strict policy, and lets nothing be stored", async () => {
    expect((await app.inject({ method: "GET", url: "/", headers: { host: "elsewhere.example" } })).statusCode).toBe(
      421,
    );
    const page = await app.inject({ method: "GET", url: "/", headers: { host: "stay.example" } });
    expect(page.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "x-frame-options": "DENY",
      "cache-control": "no-cache",
    });
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers["content-security-policy"]).not.toMatch(/unsafe|\*|https?:/);
    const answer = await new Phone().post("page", { token });
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers["referrer-policy"]).toBe("no-referrer");
  });

  it("gives each request an id of its own, whatever a proxy passes on", async () => {
    const id = "chosen-by-a-stranger";
    const answer = await new Phone().post("page", { token: "x" }, { "x-request-id": id });
    expect([answer.headers["x-request-id"], answer.json().requestId]).not.toContain(id);
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("refuses what another site makes the browser send", async () => {
    const phone = new Phone();
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { "x-innkey": "0" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      const answer = await phone.post("page", { token }, headers);
      expect(answer.json().code, JSON.stringify(headers)).toBe("cross_site");
    }
  });
});

describe("a guest's link", () => {
  it("has 128 random bits, is found by its hash, and is stored only encrypted beside it", async () => {
    expect(Buffer.from(token, "base64url")).toHaveLength(16);
    const row = await server.database.prisma.guestLink.findFirstOrThrow({ where: { stayGuestId } });
    expect(Buffer.from(row.tokenHash)).toEqual(createHash("sha256").update(`guest link:${token}`).digest());
    expect(JSON.stringify(row)).not.toContain(token);
    expect(Buffer.from(row.tokenBox ?? []).includes(token)).toBe(false);
    const audit = await server.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(JSON.stringify(audit.map(({ after, before }) => [after, before]))).not.toContain(token);
  });

  it("is refused in the same way if it is wrong, replaced, revoked, or of a stay that is over", async () => {
    const phone = new Phone();
    const ask = async (of: string) => withoutRequestId(await phone.post("page", { token: of }));
    const wrong = await ask("A".repeat(22));
    expect(wrong).toEqual({ statusCode: 404, code: "not_found", params: {} });
    for (const nonsense of ["", "x", `${token}A`, token.slice(1), "'; --", "\u0000"]) {
      expect(await ask(nonsense), JSON.stringify(nonsense)).toEqual(wrong);
    }
    const next = await newToken();
    expect(await ask(token)).toEqual(wrong);
    await phone.page(next);
    await desk.api.guestLinks.revoke.mutate({ stayGuestId });
    expect(await ask(next)).toEqual(wrong);
    const last = await newToken();
    await phone.page(last);
    await desk.api.stays.checkOut.mutate({ stayId, channel: "cash" });
    expect(await ask(last)).toEqual(wrong);
    for (const path of ["proof", "forget", "open", "opening", "late", "pre-check-in", "check-in", "check-out"]) {
      const body = { token: last, answer: "456", time: "23:00", commandId: "00000000-0000-4000-8000-00000000000a" };
      expect(withoutRequestId(await phone.post(path, body)), path).toEqual(wrong);
    }
  });

  it("ends, with the browsers that are recognised by it, when the desk makes another person of the guest", async () => {
    const phone = await provenPhone();
    expect((await phone.page()).proof).toBe("done");
    const carl = { name: "Carl Other", documentNumber: "X-99887Z", mobile: "+4917699999", email: "" };
    await desk.api.guests.update.mutate({ stayGuestId, guest: carl });
    expect((await phone.post("page", { token })).statusCode).toBe(404);
    expect((await phone.post("open", { token })).statusCode).toBe(404);
    const { link } = await desk.api.guestLinks.state.query({ stayGuestId });
    expect(link).toMatchObject({ seenAt: null, provenAt: null, devices: 0, locked: false });
    expect(await server.database.prisma.guestLinkDevice.count({ where: { hotelId: hotel.id } })).toBe(0);
  });

  it("ends with a reservation whose time is over, or that is cancelled", async () => {
    const other = await addRoom("Dryad");
    const reserve = async (from: number) =>
      desk.api.stays.reserve.mutate({
        ...{ roomId: other.roomId, unit: "day", startsAt: at(from), endsAt: at(from + 1) },
        guests: [{ name: "Cy", mobile: MOBILE, email: "" }],
      });
    const phone = new Phone();
    const soon = await reserve(3);
    const soonToken = await newToken(soon.stayGuestId);
    expect(await phone.page(soonToken)).toMatchObject({ stay: { state: "reserved" }, proof: "needed", inside: null });
    expect(await phone.prove("456", soonToken)).toBe("proven");
    expect((await phone.page(soonToken)).inside).toMatchObject({ room: null, codes: [], wifi: null, canOpen: false });
    await desk.api.stays.cancel.mutate({ stayId: soon.stayId });
    expect((await phone.post("page", { token: soonToken })).statusCode).toBe(404);
    const late = await reserve(3);
    const lateToken = await newToken(late.stayGuestId);
    await phone.page(lateToken);
    server.clock.advance(5 * DAY_MS);
    expect((await phone.post("page", { token: lateToken })).statusCode).toBe(404);
    server.clock.advance(-5 * DAY_MS);
  });

  it("can't be made for a stay that is over, and not without the permission to give out codes", async () => {
    const viewer = await server.createOperator(hotel, {
      ...{ role: "staff", capabilities: ["stays.view", "stays.manage"], roomIds: [roomId] },
    });
    const { api } = await server.loginAs(viewer);
    expect((await failure(api.guestLinks.make.mutate({ stayGuestId }))).code).toBe("no_permission");
    expect((await api.guestLinks.state.query({ stayGuestId })).link).toMatchObject({ locked: false, devices: 0 });
    await desk.api.stays.checkOut.mutate({ stayId, channel: "cash" });
    expect((await failure(desk.api.guestLinks.make.mutate({ stayGuestId }))).code).toBe("state_conflict");
  });

  it("tells the desk when it was opened and when the guest was recognised", async () => {
    const { link } = await desk.api.guestLinks.state.query({ stayGuestId });
    expect(link).toMatchObject({ seenAt: null, provenAt: null, devices: 0, openedDoorAt: null });
    await provenPhone();
    const now = server.clock.now().toISOString();
    expect(await desk.api.guestLinks.state.query({ stayGuestId })).toMatchObject({
      ...{ available: true, canProve: true, link: { seenAt: now, provenAt: now, devices: 1 } },
    });
    const entries = await server.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: { startsWith: "guestLink" } },
      orderBy: { seq: "asc" },
    });
    expect(entries.map(({ action, actorKind, actorName, door }) => [action, actorKind, actorName, door])).toEqual([
      ["guestLink.make", "operator", expect.any(String), "console"],
      ["guestLink.prove", "guest", "", "guest"],
    ]);
  });
});

describe("before the proof", () => {
  it("shows the hotel and the dates, and nothing of the guest, the room, the network or the money", async () => {
    const response = await new Phone().post("page", { token });
    expect(response.json()).toMatchObject({
      hotel: { name: hotel.name, notice: "Pool closed", hourFormat: "language" },
      proof: "needed",
    });
    for (const secret of ["Quince", "Medlar", "Kelpie", "Messing", "grapefruit", "Minor"]) {
      expect(response.body.replace(hotel.name, ""), secret).not.toContain(secret);
    }
  });

  it("is written in the language of the hotel, which shows nothing of the guest", async () => {
    await server.database.prisma.guest.updateMany({
      where: { name: NAME, hotelId: hotel.id },
      data: { nationality: "JP" },
    });
    await server.database.prisma.hotel.update({ where: { id: hotel.id }, data: { language: "Italian" } });
    await server.database.prisma.stay.update({ where: { id: stayId }, data: { breakfast: true } });
    expect(await new Phone().page()).toMatchObject({ language: "Italian", stay: { breakfast: false } });
    expect(await (await provenPhone()).page()).toMatchObject({ language: "Japanese", stay: { breakfast: true } });
  });

  it("is asked once in each browser, and accepts the end of either number in any writing", async () => {
    for (const answer of ["456", "T4K", "t4k", " t-4k", "٤٥٦"]) {
      const phone = new Phone();
      expect(await phone.prove(answer), answer).toBe("proven");
      expect(await phone.page()).toMatchObject({
        proof: "done",
        inside: { guestName: NAME, room: { name: "Kelpie" } },
      });
    }
    expect((await new Phone().page()).inside).toBeNull();
  });

  it("gives a cookie that scripts can't read, that other sites don't send, and that opens no other link", async () => {
    const phone = new Phone();
    const answer = await phone.post("proof", { token, answer: "456" });
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "Strict", path: "/" });
    const rows = await server.database.prisma.guestLinkDevice.findMany({ where: { hotelId: hotel.id } });
    expect(JSON.stringify(rows)).not.toContain(phone.cookie);
    const next = await newToken();
    expect((await phone.page(next)).inside).toBeNull();
  });

  it("is asked again in a browser that was told to forget, by every link of the hotel, and in no other", async () => {
    const phone = await provenPhone();
    const own = await provenPhone();
    const other = await addRoom("Naiad");
    const { stayGuestId: otherId } = await desk.api.stays.reserve.mutate({
      ...{ roomId: other.roomId, unit: "day", startsAt: at(3), endsAt: at(4) },
      guests: [{ name: NAME, mobile: MOBILE, email: "" }],
    });
    const otherToken = await newToken(otherId);
    expect(await phone.prove("456", otherToken)).toBe("proven");
    const { cookie } = phone;
    const answer = await phone.post("forget", { token });
    expect(answer.json()).toEqual({ done: true });
    expect(answer.cookies).toMatchObject([{ name: `__Host-${GUEST_COOKIE}`, value: "", path: "/", secure: true }]);
    // Not even with a copy of the cookie
    phone.cookie = cookie;
    expect([await phone.page(), await phone.page(otherToken)]).toMatchObject([{ inside: null }, { inside: null }]);
    expect((await own.page()).inside).toMatchObject({ guestName: NAME });
    expect((await desk.api.guestLinks.state.query({ stayGuestId })).link).toMatchObject({ devices: 1 });
  });

  it("writes nothing for a browser that was never recognised", async () => {
    const seen = () => server.database.prisma.guestLink.findMany({ select: { seenAt: true }, orderBy: { id: "asc" } });
    const stranger = new Phone();
    stranger.cookie = "A".repeat(43);
    await stranger.page();
    const before = await seen();
    server.clock.advance(1_000);
    expect((await stranger.post("forget", { token })).json()).toEqual({ done: true });
    expect(await seen()).toEqual(before);
  });

  it("is asked again also if the browser was told to forget by a link that is no longer valid, or by none", async () => {
    for (const end of ["revoked", "replaced", "unknown"] as const) {
      const phone = await provenPhone();
      const other = await addRoom(`Naiad ${end}`);
      const booking = { roomId: other.roomId, unit: "day" as const, startsAt: at(3), endsAt: at(4) };
      const guests = [{ name: NAME, mobile: MOBILE, email: "" }];
      const { stayGuestId: otherId } = await desk.api.stays.reserve.mutate({ ...booking, guests });
      const otherToken = await newToken(otherId);
      expect(await phone.prove("456", otherToken)).toBe("proven");
      const { cookie } = phone;
      const former = token;
      if (end === "revoked") await desk.api.guestLinks.revoke.mutate({ stayGuestId });
      token = await newToken();
      const answer = await phone.post("forget", { token: end === "unknown" ? "x".repeat(22) : former });
      expect(answer.statusCode).toBe(404);
      expect(answer.cookies).toMatchObject([{ name: `__Host-${GUEST_COOKIE}`, value: "" }]);
      phone.cookie = cookie;
      expect((await phone.page(otherToken)).inside).toBeNull();
      expect(await server.database.prisma.guestLinkDevice.count({ where: { link: { stayGuestId: otherId } } })).toBe(0);
    }
  });

  it("is remembered until a day after the stay, and of several stays after the last", async () => {
    const life = async (phone: Phone, of = token) => {
      const { cookies } = await phone.post("page", { token: of });
      return (cookies[0]?.maxAge ?? 0) / (DAY_MS / 1000);
    };
    const phone = new Phone();
    const [cookie] = (await phone.post("proof", { token, answer: "456" })).cookies;
    expect(cookie?.maxAge).toBe((3 * DAY_MS) / 1000);
    await desk.api.stays.renew.mutate({ stayId, endsAt: at(4), channel: "cash" });
    expect(await life(phone)).toBe(5);
    const other = await addRoom("Undine");
    const period = { roomId: other.roomId, unit: "day" as const, startsAt: at(6), endsAt: at(9) };
    const next = await desk.api.stays.reserve.mutate({
      ...period,
      guests: [{ name: NAME, mobile: MOBILE, email: "" }],
    });
    const nextToken = await newToken(next.stayGuestId);
    expect(await phone.prove("456", nextToken)).toBe("proven");
    expect(await life(phone)).toBe(10);
    await desk.api.stays.cancel.mutate({ stayId: next.stayId });
    expect(await life(phone)).toBe(5);
    expect((await new Phone().post("page", { token })).cookies).toEqual([]);
    server.clock.advance(6 * DAY_MS);
    expect(await life(phone)).toBe(1);
    server.clock.advance(-6 * DAY_MS);
  });

  it("counts wrong answers of strangers on while the guest goes on being recognised elsewhere", async () => {
    const stranger = new Phone();
    const outcomes = [];
    for (const answer of ["000", "001", "002"]) outcomes.push(await stranger.prove(answer));
    await provenPhone();
    for (const answer of ["003", "004", "005"]) outcomes.push(await stranger.prove(answer));
    expect(outcomes).toEqual(["wrong", "wrong", "wrong", "wrong", "locked", "locked"]);
  });

  it("fills no audit log: there is one entry an hour, with what happened since the one before", async () => {
    const { prisma } = server.database;
    const entries = async (action: string) =>
      (await prisma.auditEntry.findMany({ where: { hotelId: hotel.id, action }, orderBy: { seq: "asc" } })).map(
        ({ after }) => after,
      );
    const phone = await provenPhone();
    for (let tries = 0; tries < 3; tries += 1) await phone.prove("456");
    for (const time of ["14:00", "14:30", "15:00"]) await phone.post("late", { token, time });
    server.clock.advance(DAY_MS / 24);
    await provenPhone();
    await phone.post("late", { token, time: "14:00" });
    server.clock.advance(-DAY_MS / 24);
    expect(await entries("guestLink.prove")).toEqual([null, { skipped: 3 }]);
    const [first, second] = ["2026-03-04T13:00:00.000Z", "2026-03-04T13:00:00.000Z"];
    expect(await entries("guestLink.askLate")).toEqual([{ lateUntil: first }, { lateUntil: second, skipped: 2 }]);
  });

  it("accepts five wrong answers and then none, until the desk makes a new link; known browsers go on", async () => {
    const ownPhone = await provenPhone();
    const stranger = new Phone();
    const answers = [];
    for (const answer of ["000", "1", "30123456", "", "457", "456"]) answers.push(await stranger.prove(answer));
    expect(answers).toEqual(["wrong", "wrong", "wrong", "wrong", "locked", "locked"]);
    expect(await stranger.page()).toMatchObject({ proof: "locked", inside: null });
    expect((await desk.api.guestLinks.state.query({ stayGuestId })).link).toMatchObject({ locked: true });
    expect((await ownPhone.page()).proof).toBe("done");
    expect(await new Phone().prove("456", await newToken())).toBe("proven");
  });

  it("isn't the end of the phone number if the link went there, unless there is no document", async () => {
    const { prisma } = server.database;
    expect((await new Phone().page()).proof).toBe("needed");
    await prisma.guestLink.updateMany({ where: { stayGuestId }, data: { sentToMobile: true } });
    expect((await new Phone().page()).proof).toBe("document_needed");
    expect(await new Phone().prove("456")).toBe("wrong");
    expect(await new Phone().prove("t4k")).toBe("proven");
    const documentless = { documentNumberBox: null, documentNumberHash: null };
    await prisma.guest.updateMany({ where: { hotelId: hotel.id }, data: documentless });
    expect((await new Phone().page()).proof).toBe("needed");
    expect(await new Phone().prove("456")).toBe("proven");
  });

  it("gives the browser a new secret, which it is recognised by at every link", async () => {
    const other = await addRoom("Selkie");
    const guests = [{ name: "Dee", mobile: MOBILE, email: "" }];
    const period = { roomId: other.roomId, unit: "day" as const, startsAt: at(3), endsAt: at(4) };
    const elsewhere = await newToken((await desk.api.stays.reserve.mutate({ ...period, guests })).stayGuestId);
    const phone = new Phone();
    phone.cookie = "x".repeat(43);
    const planted = new Phone();
    planted.cookie = phone.cookie;
    expect(await phone.prove("456")).toBe("proven");
    expect((await planted.page()).proof).toBe("needed");
    const before = new Phone();
    before.cookie = phone.cookie;
    expect(await phone.prove("456", elsewhere)).toBe("proven");
    expect([(await phone.page()).proof, (await phone.page(elsewhere)).proof]).toEqual(["done", "done"]);
    expect([(await before.page()).proof, (await before.page(elsewhere)).proof]).toEqual(["needed", "needed"]);
  });

  it("isn't possible for a guest of whom nothing is stored", async () => {
    const { guests } = await desk.api.stays.detail.query({ stayId });
    const ben = guests.find(({ name }) => name === "Ben Medlar")?.stayGuestId ?? 0;
    const bens = await newToken(ben);
    expect(await new Phone().page(bens)).toMatchObject({ proof: "impossible", inside: null });
    for (let tries = 0; tries < 6; tries += 1) expect(await new Phone().prove("456", bens)).toBe("wrong");
    const state = await desk.api.guestLinks.state.query({ stayGuestId: ben });
    expect(state).toMatchObject({ canProve: false, link: { locked: false } });
    const entered = { name: "Ben Medlar", mobile: MOBILE, email: "" };
    await desk.api.guests.update.mutate({ stayGuestId: ben, guest: entered });
    expect(await new Phone().prove("456", bens)).toBe("proven");
  });
});

describe("after the proof", () => {
  const giveCode = (person: string, type: "air" | "one_time" = "air") =>
    desk.api.passcodes.create.mutate({ type, roomIds: [roomId], stayId, person });
  const setState = (passcodeId: number, state: "confirmed" | "failed" | "revoking") =>
    server.database.prisma.credential.updateMany({ where: { passcodeId }, data: { state } });

  it("shows the code only once its lock has confirmed it", async () => {
    const phone = await provenPhone();
    expect((await phone.page()).inside).toMatchObject({ codes: [], wifi: { name: "Messing", password: "grapefruit" } });
    const { code, passcodeId } = await giveCode(NAME);
    expect((await phone.page()).inside?.codes).toMatchObject([{ code: null, changing: false, once: false }]);
    await setState(passcodeId, "failed");
    expect((await phone.page()).inside?.codes).toMatchObject([{ code: null }]);
    await setState(passcodeId, "confirmed");
    expect((await phone.page()).inside?.codes).toMatchObject([{ code, validTo: at(2) }]);
    await setState(passcodeId, "revoking");
    expect((await phone.page()).inside?.codes).toEqual([]);
  });

  it("keeps a confirmed code while its period changes, with the same link after an extension and in another room", async () => {
    const phone = await provenPhone();
    const { code, passcodeId } = await giveCode(NAME);
    const confirmation = {
      state: "confirmed" as const,
      confirmedAt: server.clock.now(),
      atLockFrom: server.clock.now(),
    };
    await server.database.prisma.credential.updateMany({ where: { passcodeId }, data: confirmation });
    await desk.api.stays.renew.mutate({ stayId, endsAt: at(4), channel: "cash" });
    expect(await phone.page()).toMatchObject({
      stay: { endsAt: at(4) },
      inside: { codes: [{ code, changing: true }] },
    });
    const next = await addRoom("Naiad");
    await desk.api.stays.changeRoom.mutate({ stayId, roomId: next.roomId, channel: "cash" });
    const { inside } = await phone.page();
    expect(inside?.room).toEqual({ name: "Naiad" });
    // The new door's lock has confirmed nothing yet.
    expect(inside?.codes.filter((one) => one.code !== null)).toEqual([]);
  });

  it("shows no code of another guest of the party, and the bill only to the one whose name the stay has", async () => {
    const mine = await giveCode(NAME);
    const bens = await giveCode("Ben Medlar");
    for (const { passcodeId } of [mine, bens]) await setState(passcodeId, "confirmed");
    const { inside } = await (await provenPhone()).page();
    expect(inside?.codes.map(({ code }) => code)).toEqual([mine.code]);
    expect(inside?.bill).toMatchObject({ chargedMinor: 20_000, owedMinor: 0 });
    const { guests } = await desk.api.stays.detail.query({ stayId });
    const ben = guests.find(({ name }) => name === "Ben Medlar");
    await server.database.prisma.guest.update({ where: { id: ben?.guestId ?? 0 }, data: { mobile: MOBILE } });
    const bensToken = await newToken(ben?.stayGuestId);
    const bensPage = await (await provenPhone(bensToken)).page(bensToken);
    expect(bensPage.inside).toMatchObject({ codes: [{ code: bens.code }], bill: null });
  });

  it("shows no code that was made out to another guest's phone number, and the guest's own", async () => {
    const { guests } = await desk.api.stays.detail.query({ stayId });
    const ben = guests.find(({ name }) => name === "Ben Medlar");
    await server.database.prisma.guest.update({ where: { id: ben?.guestId ?? 0 }, data: { mobile: "+4917699456" } });
    const mine = await giveCode(MOBILE);
    const bens = await giveCode("+4917699456");
    const anybodys = await giveCode("Cleaner");
    for (const { passcodeId } of [mine, bens, anybodys]) await setState(passcodeId, "confirmed");
    const codes = async (of: string) =>
      (await (await provenPhone(of)).page(of)).inside?.codes.map(({ code }) => code).toSorted();
    expect(await codes(token)).toEqual([mine.code, anybodys.code].toSorted());
    expect(await codes(await newToken(ben?.stayGuestId))).toEqual([bens.code, anybodys.code].toSorted());
  });
});

describe("opening the door", () => {
  const allow = () => server.database.prisma.hotel.update({ where: { id: hotel.id }, data: { guestOpensDoor: true } });
  const commands = () => server.database.prisma.lockCommand.findMany({ where: { lockId, type: "unlock" } });

  it("is not there unless the hotel allows it, and not without the proof", async () => {
    const phone = await provenPhone();
    expect((await phone.page()).inside?.canOpen).toBe(false);
    expect((await phone.post("open", { token })).statusCode).toBe(404);
    await allow();
    expect((await new Phone().post("open", { token })).statusCode).toBe(404);
    expect(await commands()).toEqual([]);
    expect((await phone.page()).inside?.canOpen).toBe(true);
  });

  it("asks the lock of the guest's own room, and is recorded as the guest's", async () => {
    await allow();
    const phone = await provenPhone();
    const { commandId, state } = (await phone.post("open", { token })).json();
    expect(state).toBe("queued");
    expect(await commands()).toMatchObject([{ id: commandId, openingReason: "guest_page", createdById: null }]);
    expect((await phone.post("opening", { token, commandId })).json()).toEqual({ commandId, state: "queued" });
    await server.database.prisma.lockCommand.update({ where: { id: commandId }, data: { state: "acknowledged" } });
    expect((await phone.post("opening", { token, commandId })).json().state).toBe("acknowledged");
    const entry = await server.database.prisma.auditEntry.findFirst({
      where: { hotelId: hotel.id, action: "lock.open" },
    });
    expect(entry).toMatchObject({ actorKind: "guest", actorId: stayGuestId, door: "guest" });
    const { link } = await desk.api.guestLinks.state.query({ stayGuestId });
    expect(link?.openedDoorAt).toBe(server.clock.now().toISOString());
  });

  it("opens no former room's door for a party that changes rooms or leaves at that moment", async () => {
    await allow();
    const { cookie } = await provenPhone();
    const visitor = { address: "10.1.0.1", requestId: "x", language: "en" as const, deviceToken: cookie };
    const visit = await server.services.guestEntrance.enter(token, visitor);
    const other = await addRoom("Selkie");
    await desk.api.stays.changeRoom.mutate({ stayId, roomId: other.roomId });
    await expect(server.services.guestDoors.open(visit)).rejects.toMatchObject({ code: "not_found" });
    expect(await commands()).toEqual([]);
  });

  it("is withdrawn when the party changes rooms or leaves", async () => {
    await allow();
    const phone = await provenPhone();
    expect((await phone.post("open", { token })).statusCode).toBe(200);
    const other = await addRoom("Selkie");
    await desk.api.stays.changeRoom.mutate({ stayId, roomId: other.roomId });
    expect(await commands()).toMatchObject([{ state: "cancelled", argsBox: null }]);
    expect((await phone.post("open", { token })).statusCode).toBe(200);
    const leave = { stayId, useDeposit: true, refundDeposit: true, channel: "cash", refundChannel: "cash" } as const;
    await desk.api.stays.checkOut.mutate(leave);
    const ofOther = { lockId: other.lockId, type: "unlock" as const };
    const withdrawn = await server.database.prisma.lockCommand.findMany({ where: ofOther });
    expect(withdrawn).toMatchObject([{ state: "cancelled" }]);
  });

  /** What the desk does after which a link that went out opens nothing any more. */
  const ENDS: [string, () => Promise<unknown>][] = [
    ["takes the link back", () => desk.api.guestLinks.revoke.mutate({ stayGuestId })],
    ["makes another link", () => desk.api.guestLinks.make.mutate({ stayGuestId })],
    ["corrects the guest's phone number", () => correct({ mobile: "+4930654321" })],
    ["books the same guest with another phone number", () => bookAgain({ mobile: "+4930654321" })],
    ["adds the same guest to another party", () => addToOther({ mobile: "+4930654321" })],
  ];
  const guest = { name: NAME, mobile: MOBILE, email: "", documentNumber: DOCUMENT };
  const correct = (change: { mobile: string }) =>
    desk.api.guests.update.mutate({ stayGuestId, guest: { ...guest, documentNumber: null, ...change } });
  async function bookAgain(change: { mobile: string }, name = NAME): Promise<number> {
    const { roomId: id } = await addRoom(`Nixie ${serial}`);
    const guests = [{ ...guest, ...change, name }];
    const later = {
      roomId: id,
      unit: "day" as const,
      startsAt: at(5),
      endsAt: at(6),
      guests,
      channel: "cash" as const,
    };
    return (await desk.api.stays.reserve.mutate(later)).stayId;
  }
  async function addToOther(change: { mobile: string }): Promise<void> {
    const other = await bookAgain({ mobile: "" }, "Cleo Sorb");
    await desk.api.guests.add.mutate({ stayId: other, guest: { ...guest, ...change } });
  }

  it.each(ENDS)("is withdrawn when the desk %s", async (_what, end) => {
    await allow();
    expect((await (await provenPhone()).post("open", { token })).statusCode).toBe(200);
    await end();
    expect(await commands()).toMatchObject([{ state: "cancelled", argsBox: null }]);
  });

  it("goes on when the desk changes what ends no link, and what it does for another room", async () => {
    await allow();
    expect((await (await provenPhone()).post("open", { token })).statusCode).toBe(200);
    await bookAgain({ mobile: MOBILE });
    const { guests } = await desk.api.stays.detail.query({ stayId: await bookAgain({ mobile: "" }, "Cleo Sorb") });
    await newToken(guests[0]?.stayGuestId);
    await desk.api.guestLinks.revoke.mutate({ stayGuestId: guests[0]?.stayGuestId ?? 0 });
    expect(await commands()).toMatchObject([{ state: "queued" }]);
  });

  it("says nothing about the openings of another door", async () => {
    await allow();
    const other = await addRoom("Sylph");
    const { commandId } = await desk.api.locks.open.mutate({ roomId: other.roomId });
    expect((await (await provenPhone()).post("opening", { token, commandId })).statusCode).toBe(404);
  });

  it("is possible three times a minute", async () => {
    await allow();
    const phone = await provenPhone();
    const answers = [];
    for (let tries = 0; tries < 4; tries += 1) answers.push((await phone.post("open", { token })).statusCode);
    expect(answers).toEqual([200, 200, 200, 429]);
  });

  it("is not there while a block-out card keeps guests out of the room, which the page says", async () => {
    await allow();
    const phone = await provenPhone();
    const blockOut = (blockedOutAt: Date | null) =>
      server.database.prisma.lock.update({ where: { id: lockId }, data: { blockedOutAt } });
    const shown = async () => (await phone.page()).inside;
    expect(await shown()).toMatchObject({ canOpen: true, blockedOut: false });
    await blockOut(server.clock.now());
    expect(await shown()).toMatchObject({ canOpen: false, blockedOut: true });
    expect((await phone.post("open", { token })).statusCode).toBe(404);
    expect(await commands()).toEqual([]);
    await blockOut(null);
    expect(await shown()).toMatchObject({ canOpen: true, blockedOut: false });
  });

  it("ends with the time of the stay, and is refused while the lock is offline", async () => {
    await allow();
    const phone = await provenPhone();
    await server.database.prisma.lock.update({ where: { id: lockId }, data: { online: false } });
    expect((await phone.post("open", { token })).json().code).toBe("lock_offline");
    await server.database.prisma.lock.update({ where: { id: lockId }, data: { online: true } });
    server.clock.advance(2 * DAY_MS);
    expect((await phone.page()).inside?.canOpen).toBe(false);
    expect((await phone.post("open", { token })).statusCode).toBe(404);
    server.clock.advance(-2 * DAY_MS);
  });
});

describe("asking for a later departure", () => {
  const state = async () => (await desk.api.guestLinks.state.query({ stayGuestId })).link?.lateUntil;
  // The stay ends at 11:00 in Berlin.
  const LATER = "2026-03-04T13:30:00.000Z";

  it("is told to the desk until the stay is extended", async () => {
    const phone = await provenPhone();
    expect((await phone.page()).inside).toMatchObject({ canAskLate: true, late: null });
    expect((await phone.post("late", { token, time: "14:30" })).statusCode).toBe(200);
    expect((await phone.page()).inside?.late).toEqual({ until: LATER, declined: false });
    expect(await state()).toBe(LATER);
    expect(await desk.api.home.today.query()).toMatchObject([{ stayId, lateUntil: LATER }]);
    token = await newToken();
    expect(await state()).toBe(LATER);
    await desk.api.stays.renew.mutate({ stayId, endsAt: at(3), channel: "cash" });
    expect(await state()).toBeNull();
    expect((await (await provenPhone()).page()).inside?.late).toBeNull();
  });

  it("is answered on the page if the desk declines, and can be asked again", async () => {
    const phone = await provenPhone();
    await phone.post("late", { token, time: "14:30" });
    expect(await desk.api.guestLinks.declineLate.mutate({ stayGuestId })).toEqual({ declined: true });
    expect((await phone.page()).inside?.late).toEqual({ until: LATER, declined: true });
    expect(await state()).toBeNull();
    expect(await desk.api.guestLinks.declineLate.mutate({ stayGuestId })).toEqual({ declined: false });
    await phone.post("late", { token, time: "13:00" });
    expect(await state()).toBe("2026-03-04T12:00:00.000Z");
  });

  it("is refused for a time that is not later, without the proof, and where the hotel doesn't want it", async () => {
    const phone = await provenPhone();
    for (const time of ["11:00", "09:00", "25:00", "", "14:30:00"]) {
      expect((await phone.post("late", { token, time })).json().code, time).toBe("invalid_input");
    }
    expect((await new Phone().post("late", { token, time: "14:30" })).statusCode).toBe(404);
    await server.database.prisma.hotel.update({ where: { id: hotel.id }, data: { guestAsksLate: false } });
    expect((await phone.page()).inside?.canAskLate).toBe(false);
    expect((await phone.post("late", { token, time: "14:30" })).statusCode).toBe(404);
    expect(await state()).toBeNull();
  });
});

describe("checking out", () => {
  const allow = () => server.database.prisma.hotel.update({ where: { id: hotel.id }, data: { guestChecksOut: true } });

  /** Checks a guest in without a deposit, and returns their phone. */
  async function checkIn(paid: boolean) {
    const room = await addRoom(`Satyr ${serial}`);
    const guests = [{ name: `Dee Rowan ${serial}`, mobile: MOBILE, email: "" }];
    const payment = { depositMinor: 0, channel: paid ? ("cash" as const) : null };
    const period = { unit: "day" as const, startsAt: at(0), endsAt: at(1) };
    const stay = await desk.api.stays.checkIn.mutate({ roomId: room.roomId, ...period, ...payment, guests });
    const ownToken = await newToken(stay.stayGuestId);
    return { ...stay, ownToken, phone: await provenPhone(ownToken) };
  }
  const stateOf = async (id: number) => (await desk.api.stays.detail.query({ stayId: id })).state;

  it("is not there unless the hotel allows it, and not while money is owed or held", async () => {
    const withDeposit = await provenPhone();
    const owing = await checkIn(false);
    const settled = await checkIn(true);
    expect((await settled.phone.page(settled.ownToken)).inside?.canCheckOut).toBe(false);
    expect((await settled.phone.post("check-out", { token: settled.ownToken })).statusCode).toBe(404);
    await allow();
    expect((await withDeposit.page()).inside).toMatchObject({ canCheckOut: false, bill: { depositHeldMinor: 5_000 } });
    expect((await withDeposit.post("check-out", { token })).statusCode).toBe(404);
    expect((await owing.phone.page(owing.ownToken)).inside).toMatchObject({ canCheckOut: false });
    expect((await owing.phone.post("check-out", { token: owing.ownToken })).statusCode).toBe(404);
    expect((await new Phone().post("check-out", { token: settled.ownToken })).statusCode).toBe(404);
    expect(await Promise.all([stayId, owing.stayId, settled.stayId].map(stateOf))).toEqual(
      Array.from({ length: 3 }, () => "checked_in"),
    );
  });

  it("ends the stay, its keys and the link, and moves no money", async () => {
    await allow();
    const { stayId: id, ownToken, phone } = await checkIn(true);
    const { roomId: own } = await server.database.prisma.occupancy.findFirstOrThrow({ where: { stayId: id } });
    await desk.api.passcodes.create.mutate({ type: "air", roomIds: [own], stayId: id, person: "Dee" });
    const entries = () => server.database.prisma.folioEntry.count({ where: { stayId: id } });
    const before = await entries();
    expect((await phone.page(ownToken)).inside?.canCheckOut).toBe(true);
    expect((await phone.post("check-out", { token: ownToken })).json()).toEqual({ done: true });
    expect([await stateOf(id), await entries()]).toEqual(["checked_out", before]);
    const [credential] = await server.database.prisma.credential.findMany({ where: { stayId: id } });
    expect(credential).toMatchObject({ revokeReason: "checked_out" });
    expect((await phone.post("page", { token: ownToken })).statusCode).toBe(404);
    const where = { hotelId: hotel.id, action: "stay.check_out" };
    expect(await server.database.prisma.auditEntry.findFirst({ where })).toMatchObject({ actorKind: "guest" });
  });
});

describe("giving details before the arrival", () => {
  const DETAILS = {
    ...{ name: "Ada M. Quince", birthDate: "1990-02-03", nationality: "PT" },
    ...{ documentType: "passport", documentNumber: "P-7731X", arrivalTime: "18:30" },
  };
  const ask = (data: Record<string, boolean>) => server.database.prisma.hotel.update({ where: { id: hotel.id }, data });
  let reserved: { stayId: number; stayGuestId: number };
  let ownToken: string;

  beforeEach(async () => {
    const room = await addRoom(`Nymph ${serial}`);
    const period = { roomId: room.roomId, unit: "day" as const, startsAt: at(0.1), endsAt: at(2) };
    const guests = [{ name: NAME, mobile: MOBILE, email: "ada@example.test" }];
    reserved = await desk.api.stays.reserve.mutate({ ...period, guests });
    ownToken = await newToken(reserved.stayGuestId);
    await ask({ guestGivesIdentity: true, guestGivesDocument: true, guestGivesArrival: true });
  });
  const read = () => desk.api.preCheckIns.read.query({ stayGuestId: reserved.stayGuestId });
  const rowOfToday = async () => (await desk.api.home.today.query()).find(({ stayId: id }) => id === reserved.stayId);
  const storedGuest = async () => {
    const { guests } = await desk.api.stays.detail.query({ stayId: reserved.stayId });
    return guests[0];
  };

  it("changes nothing of the guest until the desk takes it over, and then what was given", async () => {
    const phone = await provenPhone(ownToken);
    expect((await phone.page(ownToken)).inside?.preCheckIn).toMatchObject({ asksIdentity: true, sentAt: null });
    expect((await phone.post("pre-check-in", { token: ownToken, ...DETAILS })).json()).toEqual({ done: true });
    const { arrivalTime, ...values } = DETAILS;
    const state = await read();
    expect(state).toMatchObject({ arrivalTime, answeredAt: null, values });
    expect(await rowOfToday()).toMatchObject({ preCheckIns: 1, arrivalTime, documentsMissing: 1 });
    expect(await storedGuest()).toMatchObject({ name: NAME, nationality: null, documentNumber: "" });
    const { stayGuestId: id } = reserved;
    await desk.api.preCheckIns.takeOver.mutate({ stayGuestId: id, sentAt: state?.sentAt ?? "" });
    expect(await storedGuest()).toMatchObject({
      ...{ name: "Ada M. Quince", birthDate: "1990-02-03", nationality: "PT", documentNumber: "P7731X" },
      ...{ mobile: MOBILE, email: "ada@example.test" },
    });
    expect(await read()).toMatchObject({ values: null, answeredAt: expect.any(String) });
    expect(await rowOfToday()).toMatchObject({ preCheckIns: 0, arrivalTime });
    const row = await server.database.prisma.preCheckIn.findUniqueOrThrow({ where: { stayGuestId: id } });
    expect(row.contentBox).toBeNull();
    // The name has changed, and so has what the guest can be asked for.
    const again = await phone.post("pre-check-in", { token: ownToken, ...DETAILS });
    expect(again.json().code).toBe("state_conflict");
    expect((await phone.page(ownToken)).inside?.preCheckIn).toMatchObject({ answered: true });
  });

  it("keeps the guest's own link if the desk takes over another document than the stored one", async () => {
    const guest = { name: NAME, mobile: MOBILE, email: "ada@example.test", documentNumber: DOCUMENT };
    const { stayGuestId: id } = reserved;
    await desk.api.guests.update.mutate({ stayGuestId: id, guest });
    const phone = await provenPhone(ownToken);
    await phone.post("pre-check-in", { token: ownToken, ...DETAILS });
    await desk.api.preCheckIns.takeOver.mutate({ stayGuestId: id, sentAt: (await read())?.sentAt ?? "" });
    expect(await storedGuest()).toMatchObject({ documentNumber: "P7731X" });
    expect((await phone.page(ownToken)).inside?.preCheckIn).toMatchObject({ answered: true });
  });

  it("stores nothing that the hotel doesn't ask for, and nothing in the clear", async () => {
    await ask({ guestGivesDocument: false });
    const phone = await provenPhone(ownToken);
    await phone.post("pre-check-in", { token: ownToken, ...DETAILS });
    expect((await read())?.values).toMatchObject({ name: "Ada M. Quince", documentType: null, documentNumber: "" });
    const { rows } = await server.database.pool.query("SELECT p::text FROM pre_check_in p WHERE hotel_id = $1", [
      hotel.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from("Quince").toString("hex"));
    const audit = await server.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(audit.filter(({ action }) => action === "preCheckIn.send")).toMatchObject([{ actorKind: "guest" }]);
    expect(JSON.stringify(audit.map(({ after }) => after))).not.toContain("Ada M.");
  });

  it("is refused without the proof, after the arrival, empty or malformed, and where the hotel asks nothing", async () => {
    const send = async (phone: Phone, body: object) => phone.post("pre-check-in", { token: ownToken, ...body });
    expect((await send(new Phone(), DETAILS)).statusCode).toBe(404);
    const phone = await provenPhone(ownToken);
    const wrong = [
      {},
      { name: "" },
      { birthDate: "2200-01-01" },
      { arrivalTime: "25:00" },
      { nationality: "Portugal" },
    ];
    for (const body of [...wrong, { name: "x".repeat(121) }, { documentNumber: "x".repeat(41) }]) {
      expect((await send(phone, body)).json().code, JSON.stringify(body)).toBe("invalid_input");
    }
    await ask({ guestGivesIdentity: false, guestGivesDocument: false, guestGivesArrival: false });
    expect((await phone.page(ownToken)).inside?.preCheckIn).toBeNull();
    expect((await send(phone, DETAILS)).statusCode).toBe(404);
    await ask({ guestGivesIdentity: true });
    server.clock.advance(DAY_MS / 5);
    await desk.api.stays.arrive.mutate({ stayId: reserved.stayId, confirmAlreadyIn: true });
    expect((await send(phone, DETAILS)).statusCode).toBe(404);
    server.clock.advance(-DAY_MS / 5);
    expect(await read()).toBeNull();
  });

  it("is answered by the desk only as the clerk saw it, once, and by those who may", async () => {
    const phone = await provenPhone(ownToken);
    await phone.post("pre-check-in", { token: ownToken, ...DETAILS });
    const seen = { stayGuestId: reserved.stayGuestId, sentAt: (await read())?.sentAt ?? "" };
    server.clock.advance(1_000);
    await phone.post("pre-check-in", { token: ownToken, ...DETAILS, name: "Mallory" });
    server.clock.advance(-1_000);
    expect((await failure(desk.api.preCheckIns.takeOver.mutate(seen))).code).toBe("state_conflict");
    const { roomId: ownRoom } = await server.database.prisma.occupancy.findFirstOrThrow({
      where: { stayId: reserved.stayId },
    });
    const viewer = { role: "staff" as const, capabilities: ["stays.view" as const], roomIds: [ownRoom] };
    const { api } = await server.loginAs(await server.createOperator(hotel, viewer));
    const state = await api.preCheckIns.read.query({ stayGuestId: reserved.stayGuestId });
    expect(state?.values).toMatchObject({ name: "Mallory", documentNumber: expect.stringMatching(/^•+1X$/) });
    const now = { ...seen, sentAt: state?.sentAt ?? "" };
    expect((await failure(api.preCheckIns.discard.mutate(now))).code).toBe("no_permission");
    await desk.api.preCheckIns.discard.mutate(now);
    expect(await storedGuest()).toMatchObject({ name: NAME, documentNumber: "" });
    expect((await failure(desk.api.preCheckIns.takeOver.mutate(now))).code).toBe("state_conflict");
  });

  it("is deleted a day after the stay is over, and with the guest's data", async () => {
    const phone = await provenPhone(ownToken);
    await phone.post("pre-check-in", { token: ownToken, ...DETAILS });
    const stored = () => server.database.prisma.preCheckIn.count({ where: { hotelId: hotel.id } });
    await desk.api.stays.cancel.mutate({ stayId: reserved.stayId });
    await deletePreCheckIns(server);
    expect(await stored()).toBe(1);
    server.clock.advance(1.5 * DAY_MS);
    await deletePreCheckIns(server);
    expect(await stored()).toBe(0);
    server.clock.advance(-1.5 * DAY_MS);
  });
});

it("limits how often one link is used", async () => {
  const phone = new Phone();
  const answers = new Set<number>();
  for (let calls = 0; calls < 61; calls += 1) answers.add((await phone.post("page", { token })).statusCode);
  expect([...answers]).toEqual([200, 429]);
});

it("limits what a guest asks of the desk, whoever else has the link", async () => {
  const stranger = new Phone();
  for (let calls = 0; calls < 40; calls += 1) await stranger.post("late", { token, time: "14:00" });
  const phone = await provenPhone();
  const answers = [];
  for (let calls = 0; calls < 31; calls += 1) {
    answers.push((await phone.post("late", { token, time: "14:00" })).statusCode);
  }
  expect(answers).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  expect((await phone.post("pre-check-in", { token, name: "Ada" })).statusCode).toBe(429);
  expect((await phone.post("check-in", { token })).statusCode).toBe(429);
  expect((await phone.page()).proof).toBe("done");
});

it("lets a guest open the door twice in a minute and wait for each answer", async () => {
  const phone = await provenPhone();
  const answers = new Set<number>();
  for (let calls = 0; calls < 100; calls += 1) answers.add((await phone.post("page", { token })).statusCode);
  expect([...answers]).toEqual([200]);
});
