import type { DomainError } from "@innkey/shared/errors";
import { lockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { listPendingRevocations } from "../credentials/pending-revocations.ts";
import { openArgs } from "../lock-commands/commands.ts";
import * as registration from "../locks/registration.service.ts";
import * as queries from "./passcodes.queries.ts";
import * as passcodes from "./passcodes.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MORNINGS = [{ days: [1, 2, 3, 4, 5], from: "07:00", to: "12:00" }];
const DAYS = [{ days: [1, 2, 3, 4, 5], from: "06:00", to: "18:00" }];

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let rooms: DeskRoom[];

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  rooms = [await desk.room("101"), await desk.room("102")];
});

const roomIds = () => rooms.map(({ roomId }) => roomId);
const create = (fields: object = {}) =>
  passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: roomIds(), person: "Plumber", hours: MORNINGS, ...fields }),
  );
const change = (passcodeId: number, hours: typeof DAYS, scope: Scope = desk.owner) =>
  passcodes.setHours(scope, { passcodeId, hours });
const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: DomainError) => error.code,
  );
const deliver = async () => {
  for (const { lock } of rooms) await desk.deliver(lock.id);
};
const row = async () => (await queries.list(desk.owner, passcodesInput.parse({}))).rows[0];
const formerAt = async () =>
  (await row())?.credentials.filter(({ hoursChangedAt }) => hoursChangedAt !== null).map(({ roomName }) => roomName);

describe("a code for staff with days and hours", () => {
  it("is sent with them to each lock, and listed with them", async () => {
    const { passcodeId, code } = await create();
    const commands = await world.database.prisma.lockCommand.findMany({
      where: { state: "queued", hotelId: hotel.id },
    });
    const args = commands
      .filter(({ type }) => type === "set_credential")
      .map((command) => openArgs(desk.owner, command));
    expect(args).toMatchObject([
      { code, hours: MORNINGS },
      { code, hours: MORNINGS },
    ]);
    expect(await row()).toMatchObject({ id: passcodeId, hours: MORNINGS });
  });

  it("has the former ones at each lock until it confirms others, which is a risk if they were cut", async () => {
    const { passcodeId } = await create({ hours: DAYS });
    await deliver();
    await change(passcodeId, MORNINGS);
    expect(await formerAt()).toEqual(["101", "102"]);
    expect(await listPendingRevocations(desk.owner)).toMatchObject([
      { kind: "passcode", roomName: "101", reason: "hours_changed" },
      { roomName: "102", reason: "hours_changed" },
    ]);
    await deliver();
    expect([await formerAt(), await listPendingRevocations(desk.owner)]).toEqual([[], []]);
    await change(passcodeId, []);
    expect([await formerAt(), await listPendingRevocations(desk.owner)]).toEqual([["101", "102"], []]);
  });

  it("is refused for a stay, for a single use and for a lock that can't receive them", async () => {
    const [first] = roomIds();
    const stayId = await desk.checkIn(first ?? 0);
    for (const fields of [
      { stayId, roomIds: [first] },
      { type: "one_time", roomIds: [first] },
    ])
      expect(createPasscodeInput.safeParse({ type: "air", person: "Ann", hours: DAYS, ...fields }).success).toBe(false);
    const { passcodeId } = await create({ stayId, roomIds: [first], hours: [] });
    expect(await codeOf(change(passcodeId, DAYS))).toBe("state_conflict");
    const roomId = await hotel.createRoom("103");
    await desk.bench.addLock(desk.owner, { roomId }, false);
    await expect(create({ roomIds: [roomId] })).rejects.toMatchObject({
      code: "lock_without_hours",
      params: { roomName: "103" },
    });
  });

  it("doesn't go to a lock of another make that gets a door of it, and waits for one that can have it", async () => {
    const { passcodeId } = await create();
    await deliver();
    const [first] = rooms;
    if (!first) throw new Error("no room");
    const live = () =>
      world.database.prisma.credential.count({
        where: { passcodeId, roomId: first.roomId, state: { notIn: ["revoking", "revoked"] } },
      });
    const { roomId, lock } = first;
    const described = { id: lock.id, mac: lock.mac };
    const zigbee = { driver: "zigbee2mqtt", address: "door 101" };
    await expect(
      registration.save(desk.owner, lockInput.parse({ ...described, roomId, ...zigbee })),
    ).rejects.toMatchObject({ code: "lock_without_hours", params: { roomName: "101" } });
    await registration.save(desk.owner, lockInput.parse({ ...described, roomId: null }));
    const other = await registration.save(desk.owner, lockInput.parse({ mac: "A4:C1:38:00:9F:01", roomId, ...zigbee }));
    expect(await live()).toBe(0);
    await registration.save(desk.owner, lockInput.parse({ id: other.lockId, mac: "A4:C1:38:00:9F:01", ...zigbee }));
    await registration.save(desk.owner, lockInput.parse({ ...described, roomId }));
    expect(await live()).toBe(1);
  });

  it("is changed by those who issue codes at its doors", async () => {
    const { passcodeId } = await create();
    const rights = ["passcodes.issue", "passcodes.view"] as const;
    const [first = 0] = roomIds();
    const viewer = await hotel.scope("staff", { capabilities: ["passcodes.view"], roomIds: roomIds() });
    expect(await codeOf(change(passcodeId, DAYS, viewer))).toBe("no_permission");
    const elsewhere = await hotel.scope("staff", { capabilities: [...rights], roomIds: [first] });
    expect(await codeOf(change(passcodeId, DAYS, elsewhere)), "it opens another door too").toBe("not_found");
    const stranger = await (await world.createHotel()).scope("owner");
    expect(await codeOf(change(passcodeId, DAYS, stranger))).toBe("not_found");
    await passcodes.remove(desk.owner, { passcodeId });
    expect(await codeOf(change(passcodeId, DAYS))).toBe("state_conflict");
  });
});
