import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { lockSecretContext } from "../../../domain/access/locks/lock-secrets.ts";

interface Issued {
  id: number;
  password: string;
  state: string;
}
interface CodeRow extends Issued {
  name: string;
  type: string;
  start: number;
  end: number | null;
  permanent: number;
  fail_reason: string;
}
interface PasswordRow {
  state: string;
  command_state: string | null;
  update_time: number;
}

const DAY = 86_400;
let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let desk: Browser["api"];
let roomId: number;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
  desk = hotel.ownerDesk.api;
  roomId = hotel.ids.roomId;
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);
const give = (payload: Record<string, unknown> = {}) =>
  answerOf<Issued>(client, "room/password", {
    room_id: roomId,
    type: "air",
    name: "Ben",
    end: now() + DAY,
    ...payload,
  });
const codes = async (path: string, payload: Record<string, unknown>, by = client) =>
  (await answerOf<{ list: CodeRow[] }>(by, path, { page_size: 200, ...payload })).list;
const findLive = async (id: number) =>
  (await codes("room/passwordList", { room_id: roomId })).find((row) => row.id === id);
const statusOf = (id: number) => answerOf<PasswordRow>(client, "room/callbackPassword", { id });
const set = (passcodeId: number, data: object) =>
  server.database.prisma.credential.updateMany({ where: { passcodeId }, data });

describe("a code for a door", () => {
  it("is sent to its lock, shown to those who can issue codes, and polled until the lock confirms it", async () => {
    const end = now() + DAY;
    const code = await give({ end, name: "13800000009" });
    expect(code).toMatchObject({ state: "pending", password: expect.stringMatching(/^\d{6}$/) });
    const { rows } = await desk.passcodes.list.query({ roomId });
    expect(rows.find(({ id }) => id === code.id)).toMatchObject({ person: "13800000009", type: "air" });
    expect(await findLive(code.id)).toMatchObject({ ...code, name: "13800000009", end, permanent: 0, fail_reason: "" });
    expect(await statusOf(code.id)).toMatchObject({ id: code.id, state: "pending", command_state: "queued" });

    const sent = {
      state: "acknowledged" as const,
      sentAt: server.clock.now(),
      endedAt: new Date((now() + 60) * 1000),
      argsBox: null,
    };
    await server.database.prisma.lockCommand.updateMany({ where: { credential: { passcodeId: code.id } }, data: sent });
    await set(code.id, { state: "confirmed" });
    expect(await statusOf(code.id)).toEqual({
      ...{ id: code.id, state: "active", command_state: "acknowledged" },
      update_time: now() + 60,
    });
    await set(code.id, { state: "failed", failReason: "full" });
    expect(await findLive(code.id)).toMatchObject({ state: "failed", fail_reason: "full" });
    expect((await codes("room/passwordList", { room_id: roomId, state: "failed" })).map(({ id }) => id)).toEqual([
      code.id,
    ]);
    await set(code.id, { state: "used", failReason: null });
    expect((await statusOf(code.id)).state).toBe("active");
  });

  it("can be chosen, permanent or one-time", async () => {
    const custom = await give({ type: "custom", password: 482_913, permanent: 1, end: undefined });
    expect(custom).toMatchObject({ password: "482913", state: "pending" });
    expect(await findLive(custom.id)).toMatchObject({ type: "custom", end: null, permanent: 1 });
    const unready = await refusalOf(client, "room/password", { room_id: roomId, type: "one_time", name: "Ben" });
    expect([unready.errno, unready.data.reason]).toEqual([100_008, "lock_not_set_up"]);
    const scope = await server.scopeOf(hotel.owner);
    const { lockId } = hotel.ids;
    const secretBox = scope.secrets.lock.seal("00".repeat(20), lockSecretContext(scope, lockId));
    await server.database.prisma.lock.update({
      where: { id: lockId },
      data: { configuredAt: server.clock.now(), secretBox },
    });
    const oneTime = await give({ type: "one_time", end: undefined });
    expect(oneTime.state).toBe("active");
    expect(await findLive(oneTime.id)).toMatchObject({ type: "one_time", end: null, permanent: 0, state: "active" });
    expect(await statusOf(oneTime.id)).toMatchObject({ state: "active", command_state: null });
    await set(oneTime.id, { state: "used" });
    expect(await findLive(oneTime.id)).toBeUndefined();
    expect((await codes("room/passwordHistory", { room_id: roomId }))[0]).toMatchObject({
      id: oneTime.id,
      state: "expired",
    });
    expect((await codes("room/passwordList", { room_id: roomId, type: "custom" })).map(({ id }) => id)).toEqual([
      custom.id,
    ]);
  });

  it("is refused with the missing field or the conflict", async () => {
    const refused = async (payload: object) => {
      const whole = { room_id: roomId, type: "air", name: "Ben", end: now() + DAY, ...payload };
      const { errno, data } = await refusalOf(client, "room/password", whole);
      return [errno, data.reason ?? Object.keys(data.fields ?? {})[0]];
    };
    expect(await refused({ name: undefined })).toEqual([100_001, "name"]);
    expect(await refused({ end: undefined })).toEqual([100_001, "end"]);
    expect(await refused({ end: now() - DAY })).toEqual([100_001, "end"]);
    expect(await refused({ type: "custom" })).toEqual([100_001, "password"]);
    expect(await refused({ type: "custom", password: "12345" })).toEqual([100_001, "password"]);
    expect(await refused({ type: "custom", password: "123456" })).toEqual([100_001, "password"]);
    await give({ type: "custom", password: "739182" });
    server.clock.advance(3000);
    expect(await refused({ type: "custom", password: "739182" })).toEqual([100_008, "code_taken"]);
    expect(await refused({ room_id: 999_999 })).toEqual([100_007, undefined]);
  });

  it("is deleted, and remains as history without its digits once its lock confirms", async () => {
    const reported = await give();
    await server.database.prisma.lockCommand.updateMany({
      where: { credential: { passcodeId: reported.id } },
      data: { state: "acknowledged", tries: 1 },
    });
    await set(reported.id, { state: "confirmed" });
    expect(await answerOf(client, "room/deletePassword", { id: reported.id })).toEqual({ state: "revoking" });
    expect(await statusOf(reported.id)).toMatchObject({ state: "revoking", command_state: "queued" });
    expect(await findLive(reported.id)).toBeUndefined();
    const ended = (await codes("room/passwordHistory", {})).find(({ id }) => id === reported.id);
    expect(ended).toMatchObject({ state: "revoking", password: "******" });
    await set(reported.id, { state: "revoked" });
    expect((await statusOf(reported.id)).state).toBe("revoked");
    server.clock.advance(3000);
    const unreported = await give();
    expect(await answerOf(client, "room/deletePassword", { id: unreported.id })).toEqual({ state: "revoked" });
    server.clock.advance(3000);
    expect((await refusalOf(client, "room/deletePassword", { id: unreported.id })).data.reason).toBe("state_conflict");
    for (const path of ["room/deletePassword", "room/callbackPassword"]) {
      expect((await refusalOf(client, path, { id: 999_999 })).errno).toBe(100_007);
      expect((await refusalOf(client, path, {})).data.fields).toHaveProperty("id");
    }
  });
});

describe("codes in clear", () => {
  it("are for those who can issue them, and reading them is recorded", async () => {
    const code = await give();
    const countReveals = () => server.database.prisma.auditEntry.count({ where: { action: "passcode.reveal" } });
    const before = await countReveals();
    expect(await findLive(code.id)).toMatchObject({ password: code.password });
    expect(await countReveals()).toBe(before + 1);
    const viewer = await server.createOperator(hotel.hotel, {
      ...{ role: "staff", capabilities: ["passcodes.view"], roomIds: [roomId] },
    });
    const viewerCodes = await codes("room/passwordList", { room_id: roomId }, await manageLogin(server, viewer));
    expect(viewerCodes.find(({ id }) => id === code.id)).toMatchObject({ password: "******", name: "Ben" });
    expect(await countReveals()).toBe(before + 1);
    expect((await refusalOf(client, "room/passwordList", { room_id: 999_999 })).errno).toBe(100_007);
    expect((await refusalOf(client, "room/passwordHistory", { room_id: 999_999 })).errno).toBe(100_007);
  });
});

describe("a guest's code", () => {
  it("is issued in their name at their door, for their stay or a part of it", async () => {
    const { stayGuestId, stayId } = hotel.ids;
    const stay = await desk.stays.detail.query({ stayId });
    const add = (payload: object = {}) =>
      answerOf<Issued>(client, "room/addPassword", { manage_id: stayGuestId, type: "air", ...payload });
    const code = await add();
    const { rows } = await desk.passcodes.list.query({ stayId });
    expect(rows.find(({ id }) => id === code.id)).toMatchObject({
      ...{ person: "own guest", stayId, credentials: [{ roomId }] },
    });
    const end = Math.floor(Date.parse(stay.endsAt) / 1000);
    const part = await add({ type: "custom", password: "918274", end: end - 3600 });
    expect(await findLive(part.id)).toMatchObject({ password: "918274", end: end - 3600 });
    const beyond = await add({ end: end + 30 * DAY });
    expect((await findLive(beyond.id))?.end).toBe((await findLive(code.id))?.end);
    const pastRefusal = await refusalOf(client, "room/addPassword", {
      manage_id: stayGuestId,
      type: "air",
      end: now() - 60,
    });
    expect([pastRefusal.errno, Object.keys(pastRefusal.data.fields ?? {})]).toEqual([100_001, ["end"]]);
    expect((await refusalOf(client, "room/addPassword", { manage_id: stayGuestId })).data.fields).toHaveProperty(
      "type",
    );
    expect((await refusalOf(client, "room/addPassword", { manage_id: 999_999, type: "air" })).errno).toBe(100_007);
    await desk.stays.checkOut.mutate({ stayId, confirmUnpaid: true });
    server.clock.advance(3000);
    const refusal = await refusalOf(client, "room/addPassword", { manage_id: stayGuestId, type: "air" });
    expect([refusal.errno, refusal.data.reason]).toEqual([100_008, "state_conflict"]);
  });
});
