import { type GuestPictureKind, preCheckInInput } from "@innkey/shared/schemas/stays/pre-check-in";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import { GuestPhone, openGuestServer } from "../../../test/harness/guest-phone.ts";
import { untilBlocked } from "../../../test/harness/hotel.ts";
import type { TestHotel, TestOperator } from "../../../test/harness/people.ts";
import { createTestServer, failure, GUEST_URL, type TestServer } from "../../../test/harness/server.ts";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import { retain } from "../../domain/compliance/privacy/retention.ts";
import { sendPreCheckIn } from "../../domain/desk/pre-check-in.ts";
import { savePictures } from "../../domain/stays/pre-check-in/guest-pictures.ts";
import { deletePreCheckIns } from "../../domain/stays/pre-check-in/pre-check-in.jobs.ts";
import { isValidVisit } from "../../domain/stays/public.ts";

const DAY_MS = 86_400_000;

let server: TestServer;
let app: FastifyInstance;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let roomId: number;
let stayId: number;
let stayGuestId: number;
let token: string;
let phone: GuestPhone;
let photo: string;
let signature: string;

beforeAll(async () => {
  server = await createTestServer();
  app = await openGuestServer(server);
  const blank = { create: { width: 400, height: 300, channels: 3 as const, background: "tan" } };
  const camera = sharp(blank).withExif({ IFD0: { Artist: "Somebody" } });
  photo = (await camera.jpeg().toBuffer()).toString("base64");
  signature = (await sharp(blank).png().toBuffer()).toString("base64");
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const at = (days: number): string => new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();
const setHotel = (data: object) => server.database.prisma.hotel.update({ where: { id: hotel.id }, data });

beforeEach(async () => {
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
  const { id: groupId } = await desk.api.groups.save.mutate({ name: "Group", sort: 1 });
  ({ roomId } = await desk.api.rooms.save.mutate({ name: "Nymph", groupId, lock: null }));
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
  await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
  const guests = [{ name: "Ada Quince", mobile: "+4930123456", email: "" }];
  const period = { roomId, unit: "day" as const, startsAt: at(0.1), endsAt: at(2) };
  ({ stayId, stayGuestId } = await desk.api.stays.reserve.mutate({ ...period, guests, channel: "cash" }));
  const { url } = await desk.api.guestLinks.make.mutate({ stayGuestId });
  token = url.slice(`${GUEST_URL}/#`.length);
  phone = new GuestPhone(app);
  expect(await phone.prove("456", token)).toBe("proven");
  await setHotel({ guestGivesPhoto: true, guestGivesSignature: true });
});

const send = (body: object, from = phone) => from.post("pre-check-in", { token, ...body });
const readQuestions = async () => (await phone.page(token)).inside?.preCheckIn;
const list = (browser = desk) => browser.api.preCheckIns.pictures.query({ stayGuestId });
const open = (kind: GuestPictureKind, browser = desk) =>
  browser.http("GET", `/api/guest-pictures/${stayGuestId}/${kind}`);
const stored = () => server.database.prisma.guestPicture.count({ where: { hotelId: hotel.id } });
const sentAt = async () => (await desk.api.preCheckIns.read.query({ stayGuestId }))?.sentAt ?? "";
async function sendAndTakeOver(): Promise<void> {
  await send({ document: photo, signature });
  await desk.api.preCheckIns.takeOver.mutate({ stayGuestId, sentAt: await sentAt() });
}

it("stores what a guest sends, drawn anew without the camera's data and sealed, for those who may see documents", async () => {
  expect(await readQuestions()).toMatchObject({ asksPhoto: true, asksSignature: true, sentPictures: [], sentAt: null });
  expect((await send({ document: photo, signature })).json()).toEqual({ done: true });
  expect(await readQuestions()).toMatchObject({ sentPictures: ["signature", "document"] });
  expect(await list()).toMatchObject([
    { kind: "signature", taken: false },
    { kind: "document", taken: false },
  ]);
  const answer = await open("document");
  expect(answer.headers).toMatchObject({ "content-type": "image/webp", "cache-control": "private, no-store" });
  const metadata = await sharp(answer.rawPayload).metadata();
  expect([metadata.format, metadata.width, metadata.exif]).toEqual(["webp", 400, undefined]);
  expect((await open("signature")).headers["content-type"]).toBe("image/png");
  const rows = await server.database.prisma.guestPicture.findMany({ where: { hotelId: hotel.id } });
  for (const { contentBox } of rows) expect(Buffer.from(contentBox).toString("latin1")).not.toMatch(/WEBP|PNG/);
  const viewer = { role: "staff" as const, capabilities: ["stays.view" as const], roomIds: [roomId] };
  const clerk = await server.loginAs(await server.createOperator(hotel, viewer));
  expect(await list(clerk)).toHaveLength(2);
  expect((await open("document", clerk)).statusCode).toBe(403);
  expect((await open("document", server.visitor())).statusCode).toBe(401);
  const elsewhere = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  expect((await open("document", elsewhere)).statusCode).toBe(404);
  expect((await failure(list(elsewhere))).code).toBe("not_found");
});

it("refuses what is no picture, and stores nothing of the details with it", async () => {
  await setHotel({ guestGivesIdentity: true });
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>';
  const blank = sharp({ create: { width: 40, height: 30, channels: 3, background: "tan" } });
  // The page sends none of these, and each more decoder is one more that strangers can attack.
  const others = await Promise.all([blank.gif().toBuffer(), blank.tiff().toBuffer(), blank.webp().toBuffer()]);
  const refused = [Buffer.from(drawing), ...others].map((bytes) => bytes.toString("base64"));
  for (const document of ["", "x", photo.slice(0, 200), ...refused]) {
    expect((await send({ name: "Ada", document })).json().code, document).toBe("file_not_image");
  }
  expect([await stored(), await desk.api.preCheckIns.read.query({ stayGuestId })]).toEqual([0, null]);
});

it("refuses more pixels than the page sends, which take long to decode", async () => {
  const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "tan" } });
  const large = (await blank(1601, 1600).jpeg().toBuffer()).toString("base64");
  const largeSignature = (await blank(801, 800).png().toBuffer()).toString("base64");
  expect((await send({ document: large })).json().code).toBe("file_not_image");
  expect((await send({ signature: largeSignature })).json().code).toBe("file_not_image");
  expect(await stored()).toBe(0);
  const largest = (await blank(1600, 1600).jpeg().toBuffer()).toString("base64");
  expect((await send({ document: largest })).json()).toEqual({ done: true });
});

it("takes large bodies from recognised browsers alone, and no larger ones", async () => {
  const noise = await sharp({
    create: {
      width: 400,
      height: 400,
      channels: 3,
      background: "tan",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const large = noise.toString("base64");
  expect(large.length).toBeGreaterThan(64 * 1024);
  expect((await send({ document: large }, new GuestPhone(app))).statusCode).toBe(413);
  const guesser = new GuestPhone(app);
  guesser.cookie = "A".repeat(43);
  expect((await send({ document: large }, guesser)).statusCode).toBe(413);
  expect((await send({ document: large })).statusCode).toBe(200);
  expect((await send({ document: "A".repeat(2_000_001) })).json().code).toBe("invalid_input");
  expect((await send({ document: "A".repeat(5_000_000) })).statusCode).toBe(413);
  // The cookie outlives the stay.
  await desk.api.stays.cancel.mutate({ stayId });
  expect((await send({ document: large })).statusCode).toBe(413);
  await desk.api.stays.reinstate.mutate({ stayId });
  expect((await send({ document: large })).statusCode).toBe(200);
  server.clock.advance(3 * DAY_MS);
  expect((await send({ document: large })).statusCode).toBe(413);
  server.clock.advance(-3 * DAY_MS);
});

it("ignores what the hotel doesn't ask for, and limits pictures of a link", async () => {
  await setHotel({ guestGivesPhoto: false });
  await send({ document: photo, signature });
  expect((await list()).map(({ kind }) => kind)).toEqual(["signature"]);
  for (let calls = 1; calls < 10; calls += 1) expect((await send({ signature })).statusCode).toBe(200);
  expect((await send({ signature })).statusCode).toBe(429);
  expect(await stored()).toBe(1);
});

it("limits large bodies of a browser, also if something in them is wrong", async () => {
  const large = { document: "A".repeat(20_000), name: 5 };
  for (let calls = 0; calls < 20; calls += 1) expect((await send(large)).statusCode).toBe(400);
  expect((await send(large)).statusCode).toBe(429);
  expect((await send({ signature })).statusCode).toBe(200);
});

it("tells a clerk who saw an earlier picture that there is another", async () => {
  await send({ signature });
  const seen = { stayGuestId, sentAt: await sentAt() };
  server.clock.advance(1_000);
  await send({ signature });
  server.clock.advance(-1_000);
  expect((await failure(desk.api.preCheckIns.takeOver.mutate(seen))).code).toBe("state_conflict");
});

it("isn't stored if the link ends between the call and the storing", async () => {
  const visitor = { address: "10.1.0.9", requestId: "r1", language: "en" as const, deviceToken: phone.cookie };
  const guest = { name: "Ada Quince", mobile: "+4930123456", email: "" };
  const sendAfter = async (change: () => Promise<unknown>): Promise<void> => {
    const visit = await server.services.guestEntrance.enter(token, visitor);
    expect(visit.proven).toBe(true);
    await change();
    const sending = sendPreCheckIn(visit, preCheckInInput.parse({ token, document: photo }));
    await expect(sending).rejects.toMatchObject({ code: "not_found" });
    expect([await stored(), await server.database.prisma.preCheckIn.count({ where: { hotelId: hotel.id } })]).toEqual([
      0, 0,
    ]);
  };
  const renew = async (answer: string): Promise<void> => {
    token = (await desk.api.guestLinks.make.mutate({ stayGuestId })).url.slice(`${GUEST_URL}/#`.length);
    expect(await phone.prove(answer, token)).toBe("proven");
    visitor.deviceToken = phone.cookie;
  };
  await sendAfter(() => desk.api.guestLinks.revoke.mutate({ stayGuestId }));
  await renew("456");
  // Another person, with a link of their own.
  const other = { ...guest, name: "Carl Other", mobile: "+4917699888" };
  await sendAfter(() => desk.api.guests.update.mutate({ stayGuestId, guest: other }));
  await renew("888");
  await desk.api.guests.add.mutate({ stayId, guest: { ...guest, name: "Ben Medlar" } });
  await sendAfter(() => desk.api.guests.remove.mutate({ stayGuestId }));
});

it("isn't stored beside a correction of the same guest on another stay that ends the link at that moment", async () => {
  const guest = { name: "Ada Quince", mobile: "+4930123456", email: "", documentNumber: "C01X00T4K" };
  await desk.api.guests.update.mutate({ stayGuestId, guest });
  const period = { roomId, unit: "day" as const, startsAt: at(5), endsAt: at(6) };
  const later = await desk.api.stays.reserve.mutate({ ...period, guests: [guest], channel: "cash" });
  const visitor = { address: "10.1.0.9", requestId: "r1", language: "en" as const, deviceToken: phone.cookie };
  const visit = await server.services.guestEntrance.enter(token, visitor);
  const carl = { ...guest, name: "Carl Other", mobile: "+4917699888", documentNumber: "X99887Z" };
  let isCorrected = false;
  let correction: Promise<unknown> = Promise.resolve();
  await visit.scope.write(async (tx) => {
    expect(await isValidVisit(tx, visit)).toBe(true);
    correction = desk.api.guests.update
      .mutate({ stayGuestId: later.stayGuestId, guest: carl })
      .finally(() => (isCorrected = true));
    await Promise.race([correction, untilBlocked(server)]);
    expect(isCorrected).toBe(false);
    await savePictures(visit.scope, tx, stayGuestId, new Map([["document", Buffer.from("picture")]]));
  });
  await correction;
  expect([await stored(), (await phone.post("page", { token })).statusCode]).toEqual([0, 404]);
});

it("is deleted with the details if the desk discards them, and then nothing more can be sent", async () => {
  await send({ document: photo });
  await desk.api.preCheckIns.discard.mutate({ stayGuestId, sentAt: await sentAt() });
  expect(await stored()).toBe(0);
  expect((await send({ document: photo })).json().code).toBe("state_conflict");
});

it("stays once it was taken over, until the desk deletes it", async () => {
  await sendAndTakeOver();
  expect((await list()).map(({ taken }) => taken)).toEqual([true, true]);
  expect((await open("document")).statusCode).toBe(200);
  await desk.api.stays.cancel.mutate({ stayId });
  server.clock.advance(1.5 * DAY_MS);
  await deletePreCheckIns(server);
  server.clock.advance(-1.5 * DAY_MS);
  expect(await stored()).toBe(2);
  expect(await desk.api.preCheckIns.deletePictures.mutate({ stayGuestId })).toEqual({ deleted: 2 });
  expect(await stored()).toBe(0);
  const where = { hotelId: hotel.id, action: "preCheckIn.deletePictures" };
  expect(await server.database.prisma.auditEntry.count({ where })).toBe(1);
});

it("is deleted a day after the stay if nobody took it over", async () => {
  await send({ document: photo });
  await desk.api.stays.cancel.mutate({ stayId });
  server.clock.advance(1.5 * DAY_MS);
  await deletePreCheckIns(server);
  server.clock.advance(-1.5 * DAY_MS);
  expect(await stored()).toBe(0);
});

it("is deleted, with the details, if the desk enters another document, which may be somebody else's", async () => {
  const guest = { name: "Ada Quince", mobile: "+4930123456", email: "" };
  await desk.api.guests.update.mutate({ stayGuestId, guest: { ...guest, documentNumber: "C01X00T4K" } });
  await sendAndTakeOver();
  await desk.api.guests.update.mutate({ stayGuestId, guest: { ...guest, name: "Ada M. Quince" } });
  expect(await stored()).toBe(2);
  await desk.api.guests.update.mutate({ stayGuestId, guest: { ...guest, documentNumber: "X-99887Z" } });
  expect([await stored(), await desk.api.preCheckIns.read.query({ stayGuestId })]).toEqual([0, null]);
});

it("is deleted on every stay of the guest, since the person changes on all of them", async () => {
  const guest = { name: "Ada Quince", mobile: "+4930123456", email: "", documentNumber: "C01X00T4K" };
  await desk.api.guests.update.mutate({ stayGuestId, guest });
  const period = { roomId, unit: "day" as const, startsAt: at(5), endsAt: at(6) };
  const later = await desk.api.stays.reserve.mutate({ ...period, guests: [guest], channel: "cash" });
  await sendAndTakeOver();
  const correction = { ...guest, name: "Carl Other", documentNumber: "X-99887Z" };
  await desk.api.guests.update.mutate({ stayGuestId: later.stayGuestId, guest: correction });
  expect([await stored(), await desk.api.preCheckIns.read.query({ stayGuestId })]).toEqual([0, null]);
});

it("is deleted with another phone number, unless the guest's name and stored document stay", async () => {
  const guest = { name: "Ada Quince", mobile: "+4930123456", email: "" };
  await send({ document: photo, signature });
  const carl = { ...guest, name: "Carl Other", mobile: "+4917699999" };
  await desk.api.guests.update.mutate({ stayGuestId, guest: carl });
  expect([await stored(), await desk.api.preCheckIns.read.query({ stayGuestId })]).toEqual([0, null]);
  await desk.api.guests.update.mutate({ stayGuestId, guest: { ...carl, documentNumber: "C01X00T4K" } });
  const { url } = await desk.api.guestLinks.make.mutate({ stayGuestId });
  token = url.slice(`${GUEST_URL}/#`.length);
  expect(await phone.prove("t4k", token)).toBe("proven");
  await send({ document: photo, signature });
  await desk.api.guests.update.mutate({ stayGuestId, guest: { ...carl, mobile: "+4917655555" } });
  expect([await stored(), (await phone.post("page", { token })).statusCode]).toEqual([2, 404]);
  // The document stays, because the desk entered none; the person may not.
  await desk.api.guests.update.mutate({ stayGuestId, guest });
  expect(await stored()).toBe(0);
});

it("stays, but the links end, if a known guest is booked again with another phone number", async () => {
  const guest = { name: "Ada Quince", mobile: "+4930123456", email: "", documentNumber: "C01X00T4K" };
  await desk.api.guests.update.mutate({ stayGuestId, guest });
  await send({ document: photo, signature });
  const reserve = (from: number, mobile: string) => {
    const period = { roomId, unit: "day" as const, startsAt: at(from), endsAt: at(from + 1) };
    return desk.api.stays.reserve.mutate({ ...period, guests: [{ ...guest, mobile }], channel: "cash" });
  };
  await reserve(5, "");
  expect((await phone.post("page", { token })).statusCode).toBe(200);
  await reserve(8, "+4917655555");
  expect([await stored(), (await phone.post("page", { token })).statusCode]).toEqual([2, 404]);
});

it("is erased with the guest's documents and with the guest", async () => {
  await sendAndTakeOver();
  await desk.api.stays.cancel.mutate({ stayId });
  await setHotel({ retentionDays: 30 });
  const scope = await server.scopeOf(owner);
  await retain(scope, server.services.files);
  expect(await stored()).toBe(2);
  server.clock.advance(40 * DAY_MS);
  await retain(scope, server.services.files);
  server.clock.advance(-40 * DAY_MS);
  expect(await stored()).toBe(0);
});

it("is erased with the guest", async () => {
  await sendAndTakeOver();
  await desk.api.stays.cancel.mutate({ stayId });
  const { guestId } = await server.database.prisma.stayGuest.findUniqueOrThrow({ where: { id: stayGuestId } });
  await desk.api.privacy.erase.mutate({ guestId });
  expect(await stored()).toBe(0);
});

it("is in no line of the log, nor is the link or what else the guest sends, also if it is refused", async () => {
  const lines: string[] = [];
  const logging = await openGuestServer(server, createLogger("trace", { write: (line) => void lines.push(line) }));
  const own = new GuestPhone(logging);
  own.cookie = phone.cookie;
  await setHotel({ guestGivesIdentity: true, guestChecksIn: true });
  const details = { name: "Wilhelmina Quarxberg", birthDate: "1931-04-17", signature, document: photo };
  expect((await send(details, own)).statusCode).toBe(200);
  expect((await send({ ...details, document: "Quarxberg".repeat(30) }, own)).json().code).toBe("file_not_image");
  expect((await send({ ...details, birthDate: "Quarxberg" }, own)).json().code).toBe("invalid_input");
  await own.post("check-in", { token });
  await own.post("check-in", { token: "A".repeat(22) });
  await logging.close();
  expect(lines.length).toBeGreaterThan(3);
  const log = lines.join("");
  for (const secret of [
    token,
    own.cookie ?? "",
    "Quarxberg",
    "1931-04-17",
    photo.slice(0, 40),
    signature.slice(0, 40),
  ]) {
    expect(log, secret).not.toContain(secret);
  }
});

it("is needed for a check-in on the page if the hotel asks for it", async () => {
  await setHotel({ guestChecksIn: true });
  const state = async () => (await phone.page(token)).inside?.checkIn;
  expect(await state()).toBe("details_missing");
  await send({ document: photo });
  expect(await state()).toBe("details_missing");
  await send({ signature });
  expect(await state()).toBe("too_early");
});
