import type { DomainError } from "@innkey/shared/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { resendCardRevocation } from "../credentials/pending-revocations.ts";
import { remove as removeLock } from "../locks/registration.service.ts";
import { revoke } from "./cards.service.ts";
import { setRooms } from "./master.service.ts";
import { removalPlan } from "./removal-plan.ts";

const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let rooms: DeskRoom[];
let entrance: Awaited<ReturnType<CardDesk["commonDoor"]>>;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  rooms = [];
  for (const name of ["102", "201", "1002"]) rooms.push(await desk.room(name));
  for (const [index, floor] of [1, 2, 10].entries())
    await world.database.prisma.room.update({ where: { id: rooms[index]?.roomId ?? 0 }, data: { floor } });
  entrance = await desk.commonDoor("Entrance");
});

const locks = () => [...rooms, entrance].map(({ lock }) => lock.id);
const deliver = async (...lockIds: number[]) => {
  for (const lockId of lockIds) await desk.deliver(lockId);
};
const issue = async (fields: { validTo?: string } = {}) => {
  const { cardId } = await desk.issueMaster("universal", desk.newUid(), fields);
  await deliver(...locks());
  return cardId;
};
const plan = (cardId: number, scope: Scope = desk.owner) => removalPlan(scope, { cardId });
const stepsOf = async (cardId: number) => (await plan(cardId)).left.map(({ name, step }) => `${name} ${step}`);
const setLock = (lockId: number, data: object) => world.database.prisma.lock.update({ where: { id: lockId }, data });
const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: DomainError) => error.code,
  );

describe("the plan for a lost master key card", () => {
  it("counts the locks, lists what is left by floor, and goes empty as they confirm", async () => {
    const cardId = await issue();
    await revoke(desk.owner, { cardId, reason: "lost" });
    expect(await plan(cardId)).toMatchObject({
      ...{
        cardId,
        kind: "universal",
        reason: "lost",
        state: "revoking",
        revokedAt: NOW,
        locks: 4,
        ended: 0,
        endsAt: null,
      },
      left: [
        { name: "Entrance", floor: null, step: "wait" },
        { name: "102", floor: 1, step: "wait" },
        { name: "201", floor: 2 },
        { name: "1002", floor: 10 },
      ],
      confirmed: [],
    });
    const [first = 0, second = 0, ...others] = locks();
    await deliver(second, first);
    expect(await plan(cardId)).toMatchObject({
      left: [{ name: "Entrance" }, { name: "1002" }],
      confirmed: [{ name: "102", floor: 1 }, { name: "201" }],
    });
    await deliver(...others);
    expect(await plan(cardId)).toMatchObject({ state: "revoked", locks: 4, left: [], confirmed: { length: 4 } });
  });

  it("says in order what to do: wait, try again, bring batteries, reconnect, look for a removed lock", async () => {
    const cardId = await issue();
    const [room102 = 0, room201 = 0, room1002 = 0, door = 0] = locks();
    await setLock(room201, { online: false, power: 80 });
    await setLock(room1002, { online: false, power: 4 });
    await revoke(desk.owner, { cardId, reason: "lost" });
    await world.database.prisma.lockCommand.updateMany({
      where: { lockId: door, state: "queued" },
      data: { state: "failed", error: "busy", argsBox: null, endedAt: world.clock.now() },
    });
    expect(await stepsOf(cardId)).toEqual(["102 wait", "Entrance retry", "1002 battery", "201 reach"]);
    await setLock(room102, { online: false });
    await removeLock(desk.owner, { lockId: room102 });
    expect(await stepsOf(cardId)).toEqual(["Entrance retry", "1002 battery", "201 reach", "102 check"]);
    expect(await resendCardRevocation(desk.owner, { cardId })).toEqual({ retried: 3 });
    expect(await stepsOf(cardId)).toEqual(["Entrance wait", "1002 battery", "201 reach", "102 check"]);
    await deliver(door);
    expect((await plan(cardId)).confirmed).toMatchObject([{ name: "Entrance" }]);
  });

  it("is over by itself when the card's period ends", async () => {
    const validTo = "2026-11-19T14:00:00.000Z";
    const cardId = await issue({ validTo });
    const [first = 0] = locks();
    await revoke(desk.owner, { cardId, reason: "lost" });
    await deliver(first);
    expect(await plan(cardId)).toMatchObject({ endsAt: validTo, left: { length: 3 }, ended: 0 });
    world.clock.set("2026-11-21T14:00:00.000Z");
    expect(await plan(cardId)).toMatchObject({ endsAt: null, left: [], ended: 3, confirmed: { length: 1 } });
  });

  it("leaves out doors that the card lost long before", async () => {
    const { cardId } = await desk.issueMaster("management", desk.newUid(), {
      roomIds: rooms.map(({ roomId }) => roomId),
    });
    await deliver(...locks());
    const [first, ...others] = rooms;
    await setRooms(desk.owner, { cardId, roomIds: others.map(({ roomId }) => roomId) });
    await deliver(first?.lock.id ?? 0);
    world.clock.advance(60_000);
    await revoke(desk.owner, { cardId, reason: "lost" });
    expect(await plan(cardId)).toMatchObject({ locks: 2, left: [{ name: "201" }, { name: "1002" }] });
  });

  it("exists for revoked cards of the house only, and for those who see all of them", async () => {
    const cardId = await issue();
    expect(await codeOf(plan(cardId)), "in use").toBe("not_found");
    await revoke(desk.owner, { cardId, reason: "lost" });
    const stranger = await (await world.createHotel()).scope("owner");
    expect(await codeOf(plan(cardId, stranger))).toBe("not_found");
    expect(await resendCardRevocation(desk.owner, { cardId })).toEqual({ retried: 4 });
    expect(await codeOf(resendCardRevocation(stranger, { cardId }))).toBe("not_found");
    const rights = {
      capabilities: ["cards.view", "locks.view", "locks.retry"] as const,
      roomIds: [rooms[0]?.roomId ?? 0],
    };
    const clerk = await hotel.scope("staff", { ...rights, capabilities: [...rights.capabilities] });
    expect(await codeOf(plan(cardId, clerk))).toBe("not_found");
    expect(await codeOf(resendCardRevocation(clerk, { cardId }))).toBe("not_found");
    const guest = await desk.issue(await desk.checkIn(rooms[0]?.roomId ?? 0), desk.newUid());
    await revoke(desk.owner, { cardId: guest.cardId, reason: "lost" });
    expect(await codeOf(plan(guest.cardId))).toBe("not_found");
  });
});
