import { lockArgs } from "@innkey/shared/locks/protocol";
import { createPasscodeInput, type PasscodeCreated, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { giveLockSecret } from "../../../../test/locks/locks.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { openArgs } from "../lock-commands/commands.ts";
import { isWeakCode } from "./code-choice.ts";
import { hotp } from "./one-time.ts";
import * as queries from "./passcodes.queries.ts";
import * as passcodes from "./passcodes.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const SECRET = "3132333435363738393031323334353637383930";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;
let otherRoomId: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await door("305");
  otherRoomId = await door("306");
});

async function door(name: string, fields: { configured?: boolean; driver?: "mqtt" | "ttlock" } = {}): Promise<number> {
  const { configured = true, driver = "mqtt" } = fields;
  const id = await hotel.createRoom(name);
  const mac = `02:00:00:00:00:${String(++serial).padStart(2, "0")}`;
  const configuredAt = configured ? owner.now() : null;
  const lock = await world.database.prisma.lock.create({
    data: { hotelId: hotel.id, roomId: id, mac, driver, configuredAt },
  });
  await giveLockSecret(world.database, owner, lock.id, SECRET);
  return id;
}

type PasscodeFields = Partial<Parameters<typeof createPasscodeInput.parse>[0] & object>;
const create = (fields: PasscodeFields = {}, scope = owner): Promise<PasscodeCreated> =>
  passcodes.create(scope, createPasscodeInput.parse({ type: "air", roomIds: [roomId], person: "Ann", ...fields }));
const own = (code: string, fields: PasscodeFields = {}, scope = owner) =>
  create({ type: "custom", code, ...fields }, scope);
const createOneTime = (fields: PasscodeFields = {}, scope = owner) => create({ type: "one_time", ...fields }, scope);
const listCodes = (filter: object = {}, scope = owner) => queries.list(scope, passcodesInput.parse(filter));
const refusal = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const lockOf = (room: number) => world.database.prisma.lock.findFirstOrThrow({ where: { roomId: room } });
const auditEntry = () =>
  world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id }, orderBy: { seq: "asc" } });

async function commandsAt(room: number) {
  const { id } = await lockOf(room);
  const rows = await world.database.prisma.lockCommand.findMany({ where: { lockId: id }, orderBy: { seq: "asc" } });
  return rows.map((row) => ({ ...row, args: openArgs(owner, row) }));
}

describe("an over-the-air code", () => {
  it("has six digits that are hard to guess, is stored encrypted, and goes to each door", async () => {
    const { passcodeId, code, taken: takenAt } = await create({ roomIds: [roomId, otherRoomId] });
    expect(code).toMatch(/^[1-9]\d{5}$/);
    expect(isWeakCode(code, ["305", "306"])).toBe(false);
    expect(takenAt).toEqual([]);
    const row = await world.database.prisma.passcode.findUniqueOrThrow({ where: { id: passcodeId } });
    expect(Buffer.from(row.codeBox).includes(code)).toBe(false);
    for (const room of [roomId, otherRoomId]) {
      const [command] = await commandsAt(room);
      expect(command).toMatchObject({ type: "set_credential", state: "queued", expiresAt: null });
      const args = lockArgs.set_credential.parse(command?.args);
      // Half a minute before now, because the lock's clock may lag.
      expect(args).toMatchObject({ kind: "passcode", code, validFrom: "2026-11-18T13:59:30.000Z", validTo: null });
      expect(args.slot).toBe(command?.credentialId);
    }
  });

  it("has the requested period, and no past one", async () => {
    const period = { validFrom: "2026-11-19T14:00:00+01:00", validTo: "2026-11-20T14:00:00+01:00" };
    await create(period);
    const { rows } = await listCodes();
    const [command] = await commandsAt(roomId);
    expect(lockArgs.set_credential.parse(command?.args), "a later start is exact to the second").toMatchObject({
      validFrom: "2026-11-19T13:00:00.000Z",
      slot: command?.credentialId,
    });
    expect(rows[0]).toMatchObject({ validFrom: "2026-11-19T13:00:00.000Z", validTo: "2026-11-20T13:00:00.000Z" });
    expect(await refusal(create({ validFrom: "2026-11-17T00:00:00Z", validTo: NOW }))).toMatchObject({
      code: "invalid_input",
      fields: { validTo: { key: "validation.endPast" } },
    });
  });

  it("requires a lock on the door", async () => {
    const locklessRoom = await hotel.createRoom("900");
    expect(await refusal(create({ roomIds: [roomId, locklessRoom] }))).toMatchObject({
      code: "lock_missing",
      params: { roomName: "900" },
    });
    expect((await listCodes()).total).toBe(0);
  });
});

describe("a chosen code", () => {
  it("is refused at its field when it is easy to guess", async () => {
    for (const code of ["111111", "123456", "305305"]) {
      expect(await refusal(own(code))).toMatchObject({ code: "code_weak", fields: { code: expect.anything() } });
    }
    await own("306000");
  });

  it("is refused while another valid code is the same, and accepted once that one ends", async () => {
    const { passcodeId } = await own("402867");
    expect(await refusal(own("402867"))).toMatchObject({ code: "code_taken", params: { roomName: "305" } });
    await passcodes.remove(owner, { passcodeId });
    await own("402867");
  });

  it("is accepted in a period that does not overlap", async () => {
    await own("402867", { validTo: "2026-11-20T12:00:00Z" });
    await own("402867", { validFrom: "2026-11-20T12:00:00Z", validTo: "2026-11-21T12:00:00Z" });
    const late = { validFrom: "2026-11-21T11:59:59Z" };
    expect(await refusal(own("402867", late))).toMatchObject({ code: "code_taken" });
  });

  it("goes to the doors that can take it, and names the others", async () => {
    await own("402867");
    const roomIds = [roomId, otherRoomId];
    const { passcodeId, taken: takenAt } = await own("402867", { roomIds });
    expect(takenAt).toEqual(["305"]);
    const { rows } = await listCodes();
    expect(rows.find(({ id }) => id === passcodeId)).toMatchObject({
      roomNames: "306",
      credentials: [{ roomName: "306" }],
    });
    expect(await refusal(own("402867", { roomIds }))).toMatchObject({
      code: "code_taken",
      params: { roomName: "305, 306" },
    });
  });

  it("is issued once when ten requests ask for it at the same moment", async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => own("402867")));
    const refused = attempts.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(refused).toEqual(Array(9).fill("code_taken"));
    expect(await world.database.prisma.credential.count({ where: { hotelId: hotel.id } })).toBe(1);
  });

  it("is drawn again when another request has taken the same digits", async () => {
    const many = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(new Set(many.map(({ code }) => code)).size).toBe(10);
  });
});

describe("a one-time code", () => {
  it("is computed by the lock itself, works at once, and sends nothing", async () => {
    const first = await createOneTime();
    const second = await createOneTime();
    expect([first.code, second.code]).toEqual([0n, 1n].map((counter) => hotp(Buffer.from(SECRET, "hex"), counter)));
    expect(await commandsAt(roomId)).toEqual([]);
    const { rows } = await listCodes({ type: "one_time" });
    expect(rows).toMatchObject([
      { id: second.passcodeId, validTo: null, credentials: [{ state: "confirmed", validTo: null, nextTryAt: null }] },
      { id: first.passcodeId },
    ]);
  });

  it("requires a configured lock that computes codes", async () => {
    const fresh = await door("307", { configured: false });
    const cloud = await door("308", { driver: "ttlock" });
    for (const [room, roomName] of [
      [fresh, "307"],
      [cloud, "308"],
    ] as const) {
      expect(await refusal(createOneTime({ roomIds: [room] }))).toMatchObject({
        code: "lock_not_set_up",
        params: { roomName },
      });
    }
  });

  it("is not issued beyond the lock's look-ahead, and no counter twice", async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 25 }, () => createOneTime()));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(await refusal(createOneTime())).toMatchObject({ code: "codes_unused", params: { count: 20 } });
    const rows = await world.database.prisma.passcode.findMany({ where: { hotelId: hotel.id } });
    expect(rows.map(({ otpCounter }) => Number(otpCounter)).sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
    await world.database.prisma.lock.updateMany({ where: { roomId }, data: { otpFloor: 3n } });
    expect((await createOneTime()).code).toBe(hotp(Buffer.from(SECRET, "hex"), 20n));
  });

  it("starts at the lock's minimum counter when that is higher", async () => {
    await world.database.prisma.lock.updateMany({ where: { roomId }, data: { otpFloor: 40n } });
    expect((await createOneTime()).code).toBe(hotp(Buffer.from(SECRET, "hex"), 40n));
    expect(await lockOf(roomId)).toMatchObject({ otpNext: 41n });
  });

  it("skips a counter whose code is in use at that door", async () => {
    const code = hotp(Buffer.from(SECRET, "hex"), 0n);
    await own(code);
    expect((await createOneTime()).code).toBe(hotp(Buffer.from(SECRET, "hex"), 1n));
    expect((await createOneTime({ roomIds: [otherRoomId] })).code).toBe(code);
  });

  it("ends once it or a later one was used", async () => {
    const [passed, used, open] = [await createOneTime(), await createOneTime(), await createOneTime()];
    await world.database.prisma.credential.updateMany({
      where: { passcodeId: used.passcodeId },
      data: { state: "used" },
    });
    await world.database.prisma.lock.updateMany({ where: { roomId }, data: { otpFloor: 2n } });
    expect((await listCodes()).rows.map(({ id }) => id)).toEqual([open.passcodeId]);
    expect((await listCodes({ state: "ended" })).rows).toMatchObject([
      { id: used.passcodeId, credentials: [{ state: "used" }] },
      { id: passed.passcodeId, credentials: [{ state: "revoked" }] },
    ]);
    await passcodes.remove(owner, { passcodeId: used.passcodeId });
    await passcodes.remove(owner, { passcodeId: open.passcodeId });
    expect((await commandsAt(roomId)).map(({ type, args }) => ({ type, args }))).toEqual([
      { type: "skip_code", args: { counter: 2 } },
    ]);
  });
});

describe("an issued code", () => {
  it("is shown to those who can issue codes, and that is recorded without the digits", async () => {
    const { passcodeId, code } = await own("402867");
    expect(await passcodes.reveal(owner, { passcodeId })).toEqual({ code });
    const entries = (await auditEntry()).filter(({ entity }) => entity === "passcode");
    expect(entries.map(({ action, entityId }) => [action, entityId])).toEqual([
      ["passcode.create", String(passcodeId)],
      ["passcode.reveal", String(passcodeId)],
    ]);
    expect(JSON.stringify(entries, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      code,
    );
    expect(JSON.stringify(await listCodes())).not.toContain(code);
  });

  it("that is taken back ends at once where it was never sent, and otherwise when the lock confirms", async () => {
    const { passcodeId } = await create({ roomIds: [roomId, otherRoomId] });
    const commands = await commandsAt(otherRoomId);
    await world.database.prisma.lockCommand.updateMany({
      where: { id: { in: commands.map(({ id }) => id) } },
      data: { state: "acknowledged", tries: 1 },
    });
    await passcodes.remove(owner, { passcodeId });
    expect((await listCodes()).total).toBe(0);
    const { rows } = await listCodes({ state: "ended" });
    expect(rows[0]?.credentials).toMatchObject([
      { roomName: "305", state: "revoked" },
      { roomName: "306", state: "revoking" },
    ]);
    expect((await commandsAt(roomId)).map(({ type, state }) => [type, state])).toEqual([
      ["set_credential", "superseded"],
    ]);
    expect((await commandsAt(otherRoomId)).map(({ type }) => type)).toEqual(["set_credential", "remove_credential"]);
    expect(await refusal(passcodes.remove(owner, { passcodeId }))).toMatchObject({ code: "state_conflict" });
    expect(await refusal(passcodes.reveal(owner, { passcodeId }))).toMatchObject({ code: "state_conflict" });
  });

  it("becomes history once its period is over", async () => {
    const { passcodeId } = await create({ validFrom: "2026-11-01T00:00:00Z", validTo: "2026-11-18T15:00:00Z" });
    expect((await listCodes()).total).toBe(1);
    world.clock.advance(3_600_000);
    expect((await listCodes()).total).toBe(0);
    expect((await listCodes({ state: "ended" })).rows).toMatchObject([{ id: passcodeId, roomNames: "305" }]);
    world.clock.set(NOW);
  });

  it("is found by person, note, room, stay and type, with the lock's pending commands", async () => {
    const { passcodeId } = await create({ person: "Ann 100%", note: "pool" });
    await create({ roomIds: [otherRoomId], person: "Bob" });
    for (const query of [
      { query: "ann" },
      { query: "pool ann" },
      { query: "POOL" },
      { query: "305" },
      { roomId },
      { page: 2, pageSize: 1 },
    ]) {
      expect((await listCodes(query)).rows.map(({ id }) => id)).toEqual([passcodeId]);
    }
    expect(await listCodes({ type: "custom" })).toEqual({ rows: [], total: 0 });
    expect(await listCodes({ page: 9 })).toMatchObject({ rows: [], total: 2 });
    const { rows } = await listCodes({ query: "pool" });
    expect(rows[0]).toMatchObject({
      operatorName: owner.actor.name,
      credentials: [{ label: "Ann 100%", state: "queued", tries: 0, nextTryAt: NOW, lockOnline: false }],
    });
  });
});

describe("access to codes", () => {
  it("is limited to codes and rooms of one's own hotel", async () => {
    const { passcodeId } = await create();
    const stranger = await (await world.createHotel()).scope();
    expect((await listCodes({}, stranger)).total).toBe(0);
    for (const call of [
      () => passcodes.reveal(stranger, { passcodeId }),
      () => passcodes.remove(stranger, { passcodeId }),
      () => create({}, stranger),
    ]) {
      expect(await refusal(call())).toMatchObject({ code: "not_found" });
    }
  });

  it("requires every room of a code", async () => {
    const capabilities = ["passcodes.view", "passcodes.issue"];
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [roomId] });
    const roomCode = await create();
    const both = await create({ roomIds: [roomId, otherRoomId] });
    expect((await listCodes({}, clerk)).rows.map(({ id }) => id)).toEqual([roomCode.passcodeId]);
    for (const call of [
      () => listCodes({ roomId: otherRoomId }, clerk),
      () => passcodes.reveal(clerk, { passcodeId: both.passcodeId }),
      () => passcodes.remove(clerk, { passcodeId: both.passcodeId }),
      () => create({ roomIds: [roomId, otherRoomId] }, clerk),
    ]) {
      expect(await refusal(call())).toMatchObject({ code: "not_found" });
    }
    expect(await passcodes.reveal(clerk, { passcodeId: roomCode.passcodeId })).toEqual({ code: roomCode.code });
  });

  it("requires the permission to issue codes, or to view them for the list", async () => {
    const { passcodeId } = await create();
    const viewer = await hotel.scope("staff", { capabilities: ["passcodes.view"], roomIds: [roomId] });
    expect((await listCodes({}, viewer)).total).toBe(1);
    const nobody = await hotel.scope("staff", { roomIds: [roomId] });
    for (const call of [
      () => passcodes.reveal(viewer, { passcodeId }),
      () => passcodes.remove(viewer, { passcodeId }),
      () => create({}, viewer),
      () => listCodes({}, nobody),
    ]) {
      expect(await refusal(call())).toMatchObject({ code: "no_permission" });
    }
  });
});
