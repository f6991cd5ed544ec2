import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, entered, failure, type TestServer } from "../../../../test/harness/server.ts";

const HOUR_MS = 3_600_000;

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let roomIds: number[];

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
  roomIds = [];
  for (const name of ["101", "102", "103"]) {
    const data = { hotelId: hotel.id, name, createdAt: server.clock.now() };
    roomIds.push((await server.database.prisma.room.create({ data })).id);
  }
});
afterAll(() => server.close());

const at = (hours: number): string => new Date(server.clock.now().getTime() + hours * HOUR_MS).toISOString();
const codeOf = async (call: Promise<unknown>) => (await failure(call)).code;
const [first, second, third] = [0, 1, 2] as const;
const room = (index: number): number => roomIds[index] ?? 0;
const rowOf = async (operatorId: number) =>
  (await desk.api.staff.list.query()).find((operator) => operator.operatorId === operatorId);
const hire = (capabilities: "rooms.view"[] = ["rooms.view"], rooms: number[] = []) =>
  server.createOperator(hotel, { role: "staff", capabilities, roomIds: rooms });

describe("a temporary room grant", () => {
  it("begins and ends by the clock, in an open session", async () => {
    const clerk = await hire();
    const grants = [
      { roomId: room(first), startsAt: null, endsAt: at(2) },
      { roomId: room(second), startsAt: at(1), endsAt: null },
      { roomId: room(third), startsAt: at(3), endsAt: at(4) },
    ];
    await desk.api.staff.permit.mutate({ people: [{ operatorId: clerk.id, capabilities: ["rooms.view"], grants }] });
    expect((await rowOf(clerk.id))?.grants).toEqual(grants);
    const visibleRooms = async () => (await server.scopeOf(clerk)).roomIds?.toSorted((a, b) => a - b);
    const browser = await server.loginAs(clerk);
    expect(await visibleRooms()).toEqual([room(first)]);
    server.clock.advance(HOUR_MS);
    expect(await visibleRooms()).toEqual([room(first), room(second)]);
    server.clock.advance(HOUR_MS);
    expect(await visibleRooms()).toEqual([room(second)]);
    const { rooms } = await browser.api.staff.own.query();
    expect(rooms?.map(({ roomName, endsAt }) => [roomName, endsAt !== null])).toEqual([
      ["102", false],
      ["103", true],
    ]);
    expect(await codeOf(browser.api.rooms.detail.query({ roomId: room(first) }))).toBe("not_found");
    expect((await browser.api.rooms.detail.query({ roomId: room(second) })).name).toBe("102");
    expect(await desk.api.staff.own.query()).toEqual({ rooms: null });
  });

  it("keeps its period when only rooms are sent, is refused when it is already over, and may stay when it has expired", async () => {
    const clerk = await hire();
    const grants = [{ roomId: room(first), startsAt: null, endsAt: at(1) }];
    const form = { operatorId: clerk.id, name: "Clara", account: clerk.account, role: "staff" as const };
    await desk.api.staff.save.mutate({ ...form, capabilities: ["rooms.view"], grants });
    await desk.api.staff.save.mutate({ ...form, capabilities: ["rooms.view"], roomIds: [room(first), room(second)] });
    expect((await rowOf(clerk.id))?.grants).toEqual([
      ...grants,
      { roomId: room(second), startsAt: null, endsAt: null },
    ]);
    server.clock.advance(2 * HOUR_MS);
    const expiredGrants = [{ roomId: room(third), startsAt: null, endsAt: at(-1) }];
    expect(await failure(desk.api.staff.save.mutate({ ...form, grants: expiredGrants }))).toMatchObject({
      code: "invalid_input",
      fields: { grants: { key: "validation.endPast" } },
    });
    await desk.api.staff.save.mutate({ ...form, capabilities: [], grants });
    expect((await rowOf(clerk.id))?.grants).toEqual(grants);
    const backwards = [{ roomId: room(first), startsAt: at(2), endsAt: at(1) }];
    expect(await codeOf(desk.api.staff.save.mutate({ ...form, grants: backwards }))).toBe("invalid_input");
  });

  it("is recorded with its period", async () => {
    const clerk = await hire();
    const grants = [{ roomId: room(first), startsAt: at(1), endsAt: at(2) }];
    await desk.api.staff.permit.mutate({ people: [{ operatorId: clerk.id, capabilities: ["rooms.view"], grants }] });
    const { rows } = await desk.api.audit.list.query({ limit: 1 });
    expect(rows[0]).toMatchObject({
      action: "operator.permit",
      entityId: String(clerk.id),
      before: { roomIds: [], periods: [] },
      after: { roomIds: [room(first)], periods: grants },
    });
  });
});

describe("permissions of several operators at once", () => {
  it("are all set or none, and unchanged ones are not recorded", async () => {
    const [one, two] = [await hire(["rooms.view"], [room(first)]), await hire()];
    const same = { operatorId: one.id, capabilities: ["rooms.view"], grants: [{ roomId: room(first) }] };
    const more = {
      operatorId: two.id,
      capabilities: ["stays.view", "staff.manage"],
      grants: [{ roomId: room(third) }],
    };
    expect(await desk.api.staff.permit.mutate({ people: [more, same] })).toEqual({ changed: 1 });
    expect(await rowOf(two.id)).toMatchObject({ capabilities: ["stays.view"], roomIds: [room(third)] });
    const foreign = await server.database.prisma.room.create({
      data: { hotelId: (await server.createHotel()).id, name: "1", createdAt: server.clock.now() },
    });
    const people = [
      { ...more, capabilities: [], grants: [] },
      { ...same, grants: [{ roomId: foreign.id }] },
    ];
    expect(await codeOf(desk.api.staff.permit.mutate({ people }))).toBe("not_found");
    expect((await rowOf(two.id))?.roomIds).toEqual([room(third)]);
    const administrator = await server.createOperator(hotel, { role: "administrator" });
    expect(await codeOf(desk.api.staff.permit.mutate({ people: [{ ...same, operatorId: administrator.id }] }))).toBe(
      "state_conflict",
    );
  });
});

describe("roles", () => {
  it("make staff an administrator and back, who then has no permissions", async () => {
    const clerk = await hire(["rooms.view"], [room(first)]);
    await desk.api.staff.setRole.mutate({ operatorId: clerk.id, role: "administrator" });
    expect((await server.scopeOf(clerk)).roomIds).toBeNull();
    expect(await codeOf(desk.api.staff.setRole.mutate({ operatorId: clerk.id, role: "administrator" }))).toBe(
      "state_conflict",
    );
    await desk.api.staff.setRole.mutate({ operatorId: clerk.id, role: "staff" });
    expect(await rowOf(clerk.id)).toMatchObject({ role: "staff", capabilities: [], grants: [] });
  });

  it("cannot be changed for oneself, nor for an owner", async () => {
    const administrator = await server.createOperator(hotel, { role: "administrator" });
    const browser = await server.loginAs(administrator);
    for (const operatorId of [administrator.id, owner.id]) {
      expect(await codeOf(browser.api.staff.setRole.mutate({ operatorId, role: "staff" }))).toBe("no_permission");
    }
  });
});

describe("removing somebody from a hotel", () => {
  it("ends their sessions and membership, keeps their records, and they may return", async () => {
    const clerk = await hire(["rooms.view"], [room(first)]);
    const browser = await server.loginAs(clerk);
    const cardReader = await server.database.prisma.cardReader.create({
      data: {
        ...{ hotelId: hotel.id, deviceNo: `D${clerk.id}`, name: "Desk", type: 1 },
        holders: { create: { operatorId: clerk.id } },
      },
    });
    await desk.api.staff.remove.mutate({ operatorId: clerk.id });
    expect(await codeOf(browser.api.auth.me.query())).toBe("session_revoked");
    expect(await rowOf(clerk.id)).toBeUndefined();
    expect(await server.database.prisma.operator.count({ where: { id: clerk.id } })).toBe(1);
    expect(await server.database.prisma.roomGrant.count({ where: { membershipId: clerk.membershipId } })).toBe(0);
    expect(await server.database.prisma.cardReaderHolder.count({ where: { cardReaderId: cardReader.id } })).toBe(0);
    expect(await server.database.prisma.cardReader.count({ where: { id: cardReader.id } })).toBe(1);
    const { rows } = await desk.api.audit.list.query({ limit: 1 });
    expect(rows[0]).toMatchObject({
      action: "operator.remove",
      before: { role: "staff" },
      after: { sessionsEnded: 1 },
    });
    const { account } = clerk;
    expect(await codeOf(server.visitor().api.auth.login.mutate({ account, password: "correct horse" }))).toBe("frozen");
    expect(await codeOf(desk.api.staff.remove.mutate({ operatorId: clerk.id }))).toBe("not_found");

    const back = { name: "Clara again", account, password: "a new password", role: "staff" as const };
    expect((await desk.api.staff.save.mutate({ ...back, capabilities: ["rooms.view"] })).operatorId).toBe(clerk.id);
    await server.keepPasswords();
    const again = entered(await server.visitor().api.auth.login.mutate({ account, password: "a new password" }));
    expect(again).toMatchObject({ operatorId: clerk.id, name: "Clara again", capabilities: ["rooms.view"] });
  });

  it("is refused for oneself, for an owner by an administrator, and for the last owner", async () => {
    const administrator = await server.createOperator(hotel, { role: "administrator" });
    const browser = await server.loginAs(administrator);
    expect(await codeOf(browser.api.staff.remove.mutate({ operatorId: owner.id }))).toBe("no_permission");
    expect(await codeOf(browser.api.staff.remove.mutate({ operatorId: administrator.id }))).toBe("no_permission");
    expect(await codeOf(desk.api.staff.remove.mutate({ operatorId: owner.id }))).toBe("last_owner");
    const partner = await server.createOperator(hotel, { role: "owner" });
    const partners = await server.loginAs(partner);
    const outcomes = await Promise.allSettled([
      desk.api.staff.remove.mutate({ operatorId: partner.id }),
      partners.api.staff.remove.mutate({ operatorId: owner.id }),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const owners = await server.database.prisma.membership.count({ where: { hotelId: hotel.id, role: "owner" } });
    expect(owners).toBe(1);
  });
});

describe("all rooms", () => {
  it("include rooms created later, one by one or many at once, and end when a room is taken away", async () => {
    const other = await server.createHotel();
    const boss = await server.loginAs(await server.createOperator(other, { role: "owner" }));
    const { roomId } = await boss.api.rooms.save.mutate({ name: "1", groupId: null });
    const account = `all-rooms-${other.id}@example.test`;
    const form = { name: "Ada", account, role: "staff" as const, capabilities: ["rooms.view"] };
    const { operatorId } = await boss.api.staff.save.mutate({
      ...form,
      password: "a-long-enough-word",
      allRooms: true,
    });
    const limited = await boss.api.staff.save.mutate({
      ...form,
      account: `b-${account}`,
      password: "a-long-enough-word",
      roomIds: [roomId],
    });
    const row = async (id = operatorId) => (await boss.api.staff.list.query()).find((one) => one.operatorId === id);
    expect(await row()).toMatchObject({ allRooms: true, roomIds: [roomId] });
    await boss.api.rooms.createSeries.mutate({ numbers: "2-4" });
    await boss.api.rooms.save.mutate({ name: "5", groupId: null });
    expect((await row())?.roomIds).toHaveLength(5);
    expect(await row(limited.operatorId)).toMatchObject({ allRooms: false, roomIds: [roomId] });

    const grants = (await row())?.grants ?? [];
    await boss.api.staff.permit.mutate({ people: [{ operatorId, capabilities: ["rooms.view"], grants }] });
    expect((await row())?.allRooms).toBe(true);
    const fewer = grants.filter((grant) => grant.roomId !== roomId);
    await boss.api.staff.permit.mutate({ people: [{ operatorId, capabilities: ["rooms.view"], grants: fewer }] });
    expect(await row()).toMatchObject({ allRooms: false, grants: fewer });
    await boss.api.rooms.save.mutate({ name: "6", groupId: null });
    expect((await row())?.grants).toEqual(fewer);

    await boss.api.staff.save.mutate({ ...form, operatorId, allRooms: true });
    expect((await row())?.roomIds).toHaveLength(6);
    const entries = await server.database.prisma.auditEntry.findMany({
      where: { hotelId: other.id, action: "operator.permit", entityId: String(operatorId) },
      orderBy: { seq: "asc" },
    });
    expect(entries.map(({ after }) => (after as { allRooms?: boolean }).allRooms)).toEqual([false, true]);
  });

  it("never include rooms of another hotel", async () => {
    const other = await server.createHotel();
    const boss = await server.loginAs(await server.createOperator(other, { role: "owner" }));
    await boss.api.rooms.createSeries.mutate({ numbers: "1-3" });
    const home = await server.createHotel();
    const keeper = await server.loginAs(await server.createOperator(home, { role: "owner" }));
    await keeper.api.rooms.createSeries.mutate({ numbers: "1-2" });
    const clerk = await server.createOperator(home, { role: "staff", capabilities: ["rooms.view"] });
    const form = { operatorId: clerk.id, name: "Clara", account: clerk.account, role: "staff" as const };
    await keeper.api.staff.save.mutate({ ...form, capabilities: ["rooms.view"], allRooms: true });
    const countRooms = async () =>
      (await keeper.api.staff.list.query()).find(({ operatorId }) => operatorId === clerk.id)?.roomIds.length;
    expect(await countRooms()).toBe(2);
    await boss.api.rooms.createSeries.mutate({ numbers: "4-6" });
    expect(await countRooms()).toBe(2);
  });
});
