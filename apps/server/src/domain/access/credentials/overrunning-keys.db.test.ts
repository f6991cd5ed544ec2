import { airCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import { shortenInput } from "@innkey/shared/schemas/overview/timeline";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createDeskWithGuest, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { createLogger } from "../../../adapters/telemetry/logger.ts";
import { renew, shorten } from "../../desk/public.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { listStayCards } from "../cards/cards.queries.ts";
import * as codeQueries from "../passcodes/passcodes.queries.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";
import { UnlockIngest } from "../unlocks/ingest.ts";
import { revokeCredentials } from "./credentials.ts";
import { listPendingRevocations, resendRevocation } from "./pending-revocations.ts";
import { adjustHotel, reschedule } from "./stay-access.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const TOMORROW = "2026-11-19T14:00:00.000Z";
const END = "2026-11-21T14:00:00.000Z";
const HOUR_MS = 3_600_000;

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;
let codeId: number;
let uid: string;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  ({ hotel, desk, room, stayId } = await createDeskWithGuest(world));
  const code = { type: "air", roomIds: [room.roomId], person: "Ann", stayId };
  codeId = (await passcodes.create(desk.owner, createPasscodeInput.parse(code))).passcodeId;
  uid = desk.newUid();
  await addOverTheAir(desk.owner, airCardInput.parse({ uid, stayId, roomIds: [room.roomId] }));
  await desk.deliver(room.lock.id);
});

const status = (state: "online" | "offline") => desk.bench.status(room.lock, state);
const shortenTo = (endsAt: string) =>
  shorten(desk.owner, shortenInput.parse({ stayId, endsAt, channel: "cash" })).then(() => desk.deliver(room.lock.id));
const renewTo = (endsAt: string) =>
  renew(desk.owner, {
    ...{ stayId, endsAt, unit: "day", agreedTotalMinor: null, expectedTotalMinor: null, channel: "cash" },
  });
async function passTo(instant: string): Promise<void> {
  world.clock.set(instant);
  await desk.deliver(room.lock.id);
  await desk.bench.plane.sweep();
}
/** Returns the display status of the code and of the card. */
const standings = async () => {
  const [ended] = (await codeQueries.list(desk.owner, passcodesInput.parse({ state: "ended" }))).rows;
  const [live] = (await codeQueries.list(desk.owner, passcodesInput.parse({}))).rows;
  const [card] = await listStayCards(desk.owner, stayId);
  return [(ended ?? live)?.standing, card?.standing];
};
const listKeys = async () =>
  (await listPendingRevocations(desk.owner)).map(({ kind, validTo, reason }) => ({ kind, validTo, reason }));
const BOTH = [
  { kind: "passcode", validTo: END, reason: "period_over" },
  { kind: "card", validTo: END, reason: "period_over" },
];

describe("a stay shortened while its lock is offline", () => {
  it("lists its keys as may still open until the end that the lock has, and never as expired", async () => {
    await status("offline");
    await shortenTo(TOMORROW);
    expect(await listKeys()).toEqual([]);
    await passTo("2026-11-19T14:00:30.000Z");
    expect(desk.opens(uid, room.lock.id)).toBe(true);
    expect(await listKeys()).toEqual(expect.arrayContaining(BOTH));
    expect(await standings()).toEqual(["revoking", "revoking"]);
    await passTo("2026-11-21T13:59:00.000Z");
    expect(await listKeys()).toHaveLength(2);
  });

  it("lists its keys from the moment of the new end, before any sweep", async () => {
    await status("offline");
    await shortenTo(TOMORROW);
    world.clock.set("2026-11-19T13:59:59.999Z");
    expect(await listKeys()).toEqual([]);
    expect(await standings()).toEqual(["pending", "pending"]);
    world.clock.set(TOMORROW);
    expect(await listKeys()).toEqual(expect.arrayContaining(BOTH));
    expect(await standings()).toEqual(["revoking", "revoking"]);
    const before = await listPendingRevocations(desk.owner);
    await desk.bench.plane.sweep();
    const keys = (rows: typeof before) => rows.map(({ key }) => key).sort();
    expect(keys(await listPendingRevocations(desk.owner))).toEqual(keys(before));
  });

  it("is sent to the lock as soon as it returns, even after the new end", async () => {
    await status("offline");
    await shortenTo(TOMORROW);
    await passTo("2026-11-20T10:00:00.000Z");
    await status("online");
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
    expect(await listKeys()).toEqual([]);
    expect(await standings()).toEqual(["expired", "expired"]);
  });

  it("lists revoked keys with the end that the lock has, when the party leaves before the lock returns", async () => {
    await status("offline");
    await shortenTo(TOMORROW);
    await desk.checkOut(stayId);
    await passTo("2026-11-20T10:00:00.000Z");
    expect((await listPendingRevocations(desk.owner)).map(({ validTo }) => validTo)).toEqual([END, END]);
    await passTo("2026-11-20T20:00:00.000Z");
    await status("online");
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
    expect(await listKeys()).toEqual([]);
  });

  it("is renewed with all its keys, whether the lock has dropped them or not", async () => {
    await status("offline");
    await shortenTo(TOMORROW);
    await passTo("2026-11-19T15:00:00.000Z");
    await renewTo("2026-11-20T14:00:00.000Z");
    await desk.bench.plane.sweep();
    expect(await listKeys()).toEqual([]);
    await passTo("2026-11-20T15:00:00.000Z");
    await status("online");
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
    await renewTo("2026-11-22T14:00:00.000Z");
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
    expect(await standings()).toEqual(["active", "active"]);
  });

  it("does not extend a key that was taken back for another reason since", async () => {
    await status("offline");
    await shortenTo(TOMORROW);
    await passTo("2026-11-19T15:00:00.000Z");
    await desk.owner.write((tx) => revokeCredentials(desk.owner, tx, { stayId }, "room_changed"));
    await renewTo("2026-11-22T14:00:00.000Z");
    const rows = await listKeys();
    expect(rows.map(({ reason }) => reason)).toEqual(["room_changed", "room_changed"]);
    await status("online");
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
  });

  it("keeps its keys ended until the hotel's minutes after departure reach far enough", async () => {
    await status("offline");
    await shortenTo(TOMORROW);
    await passTo("2026-11-19T15:00:00.000Z");
    const leave = (accessLateMinutes: number) =>
      desk.owner.write((tx) => adjustHotel(desk.owner, tx, { ...desk.owner.hotel, accessLateMinutes }));
    await leave(30);
    expect(await listKeys()).toEqual(expect.arrayContaining(BOTH));
    await leave(90);
    expect(await listKeys()).toEqual([]);
    await passTo("2026-11-19T15:31:00.000Z");
    expect(await listKeys()).toEqual(expect.arrayContaining(BOTH));
  });

  it("lists no key whose new end the lock has received", async () => {
    await shortenTo(TOMORROW);
    await passTo("2026-11-19T15:00:00.000Z");
    expect(await listKeys()).toEqual([]);
    expect(await standings()).toEqual(["expired", "expired"]);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
  });
});

describe("a party moved to later days than its lock knows", () => {
  const MOVED = BOTH.map((row) => ({ ...row, reason: "moved_later" }));
  const later = { startsAt: "2026-11-25T14:00:00.000Z", endsAt: "2026-11-27T14:00:00.000Z" };
  const moveLater = async () => {
    await desk.owner.write((tx) => reschedule(desk.owner, tx, { id: stayId, ...later }));
    await desk.deliver(room.lock.id);
  };

  it("has keys that may still open in the earlier days, until the lock gets the new ones", async () => {
    await status("offline");
    await moveLater();
    expect(desk.opens(uid, room.lock.id)).toBe(true);
    expect(await listKeys()).toEqual(expect.arrayContaining(MOVED));
    await passTo("2026-11-20T10:00:00.000Z");
    expect(await listKeys()).toHaveLength(2);
    await status("online");
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
    expect(await listKeys()).toEqual([]);
  });

  it("has no such keys when the earlier days are over at the lock", async () => {
    await status("offline");
    await moveLater();
    await passTo("2026-11-21T15:00:00.000Z");
    expect(await listKeys()).toEqual([]);
  });

  it("can be sent to the lock again by hand after it refused the later days", async () => {
    const { reply } = desk.bench.driver;
    desk.bench.driver.reply = () => ({ outcome: "answered", ack: { ok: false, error: "invalid" } });
    await moveLater();
    const rows = await listPendingRevocations(desk.owner);
    expect(rows.map(({ nextTryAt, reason }) => [nextTryAt, reason])).toEqual([
      [null, "moved_later"],
      [null, "moved_later"],
    ]);
    desk.bench.driver.reply = reply;
    for (const { lockId, credentialId } of rows) {
      await resendRevocation(desk.owner, { lockId, credentialId: credentialId ?? 0 });
    }
    await desk.deliver(room.lock.id);
    expect(await listKeys()).toEqual([]);
  });
});

it("a lock that refuses the new end for good keeps its keys on the list", async () => {
  const { reply } = desk.bench.driver;
  desk.bench.driver.reply = () => ({ outcome: "answered", ack: { ok: false, error: "invalid" } });
  await shortenTo(TOMORROW);
  await passTo("2026-11-19T14:00:30.000Z");
  await desk.deliver(room.lock.id);
  expect(await listKeys()).toEqual(expect.arrayContaining(BOTH));
  desk.bench.driver.reply = reply;
});

it("a window that was sent and not answered counts as one that the lock may have", async () => {
  const { reply } = desk.bench.driver;
  desk.bench.driver.reply = () => ({ outcome: "sent" });
  const other = { type: "air", roomIds: [room.roomId], person: "Bob", stayId };
  await passcodes.create(desk.owner, createPasscodeInput.parse(other));
  await desk.deliver(room.lock.id);
  await status("offline");
  await shortenTo(TOMORROW);
  await passTo("2026-11-19T15:00:00.000Z");
  expect((await listPendingRevocations(desk.owner)).map(({ label }) => label)).toContain("Bob");
  desk.bench.driver.reply = reply;
});

it("a key at a lock with a slow clock is listed until it ends by that clock", async () => {
  const { lock } = world.database.prisma;
  world.clock.set(END);
  await lock.update({ where: { id: room.lock.id }, data: { driftSeconds: -7200, lastSeenAt: desk.owner.now() } });
  desk.bench.driver.reply = () => ({ outcome: "sent" });
  await passTo(new Date(Date.parse(END) + HOUR_MS).toISOString());
  expect(await listKeys()).toEqual(expect.arrayContaining(BOTH));
  await passTo(new Date(Date.parse(END) + 2 * HOUR_MS).toISOString());
  expect(await listKeys()).toEqual([]);
});

it("an opening confirms the window that the lock has, so a renewal that it rejects afterwards has failed", async () => {
  const { credential } = world.database.prisma;
  const { id } = await credential.findFirstOrThrow({ where: { passcodeId: codeId } });
  desk.bench.driver.reply = () => ({ outcome: "sent" });
  await renewTo("2026-11-22T14:00:00.000Z");
  await desk.deliver(room.lock.id);
  const at = desk.owner.now().toISOString();
  const opening = { style: "passcode" as const, success: true, credential: { kind: "slot" as const, slot: id } };
  const ingest = new UnlockIngest({ database: world.database, clock: world.clock, log: createLogger("silent") });
  await ingest.events({ hotelId: hotel.id, mac: room.lock.mac }, [{ seq: 1, at, ...opening }]);
  expect(await credential.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: "sent", usedAt: new Date(at) });
  await desk.bench.ack(room.lock, { ok: false, error: "invalid" });
  expect(await credential.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: "failed" });
});
