import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  answerOf,
  type ManageClient,
  manageClient,
  manageLogin,
  refusalOf,
} from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Page<T> {
  list: T[];
  total: number;
}
interface Person {
  id: number;
  name: string;
  role: string;
  freeze: number;
  room_count: number;
}
interface Room {
  room_id: number;
  room_name: string;
  category_name: string;
  start: number | null;
  end: number | null;
}

const HOUR_MS = 3_600_000;

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser["api"];
let client: ManageClient;
let rooms: { first: number; second: number; third: number };

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = (await server.loginAs(owner)).api;
  client = await manageLogin(server, owner);
  const { id: groupId } = await desk.groups.save.mutate({ name: "Sea side", sort: 1 });
  const room = async (name: string, group: number | null) =>
    (await desk.rooms.save.mutate({ name, groupId: group, lock: null })).roomId;
  rooms = { first: await room("101", groupId), second: await room("102", null), third: await room("103", null) };
});
afterAll(() => server.close());
// An identical call counts as a repeat for two seconds.
beforeEach(() => server.clock.advance(3000));

const seconds = (ms: number): number => Math.floor((server.clock.now().getTime() + ms) / 1000);
const iso = (ms: number): string => new Date(server.clock.now().getTime() + ms).toISOString();
const rowOf = async (id: number) => (await desk.staff.list.query()).find(({ operatorId }) => operatorId === id);
const hire = (roomIds: number[] = []) =>
  server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"], roomIds });
const roomsOf = (id: number, granted = true, payload = {}) =>
  answerOf<Page<Room>>(client, granted ? "room/staffManageRoomList" : "room/staffManageRoomList1", {
    staff_id: id,
    ...payload,
  });
let serial = 0;
const freshMobile = (): string => `1380000${String(++serial).padStart(4, "0")}`;

describe("addStaff", () => {
  it("creates an operator who can log in", async () => {
    const form = { name: "Ann Lee", gender: "female", nationality: "DE", birth: "1990-05-17", mobile: freshMobile() };
    const { id } = await answerOf<{ id: number }>(client, "room/addStaff", { ...form, password: "her secret" });
    expect(await rowOf(id)).toMatchObject({
      name: "Ann Lee",
      gender: "female",
      nationality: "DE",
      birthDate: "1990-05-17",
      mobile: form.mobile,
      role: "staff",
      capabilities: [],
      roomIds: [],
    });
    const clerkClient = manageClient(server.app, { address: "10.3.3.3" });
    const login = await clerkClient.ok("login", { mobile: form.mobile, password: "her secret" });
    expect(login).toMatchObject({ id, role: "staff" });
  });

  it("accepts an e-mail address instead, and creates administrators", async () => {
    const form = { name: "Ben", email: "Ben@Hotel.example", role: "administrator", password: "his secret" };
    const { id } = await answerOf<{ id: number }>(client, "room/addStaff", form);
    expect(await rowOf(id)).toMatchObject({ email: "ben@hotel.example", mobile: null, role: "administrator" });
  });

  it("changes only the fields that are sent, and keeps capabilities and rooms", async () => {
    const clerk = await hire();
    const grants = [{ roomId: rooms.first, startsAt: null, endsAt: iso(HOUR_MS) }];
    await desk.staff.permit.mutate({ people: [{ operatorId: clerk.id, capabilities: ["stays.view"], grants }] });
    await client.ok("room/addStaff", { id: clerk.id, name: "Clara", birth: "1991-01-01" });
    await client.ok("room/addStaff", { id: clerk.id, name: "Clara Oak", gender: "other" });
    expect(await rowOf(clerk.id)).toMatchObject({
      name: "Clara Oak",
      gender: "other",
      birthDate: "1991-01-01",
      mobile: clerk.account,
      role: "staff",
      capabilities: ["stays.view"],
      grants,
    });
  });

  it("ends sessions with a new password, and drops the old role's capabilities with a new role", async () => {
    const clerk = await hire([rooms.first]);
    const clerkClient = await manageLogin(server, clerk, { address: "10.4.4.4" });
    await client.ok("room/addStaff", { id: clerk.id, name: "Dora", password: "another one" });
    expect((await clerkClient.call("logout")).errno).toBe(9_000_005);
    await client.ok("room/addStaff", { id: clerk.id, name: "Dora", role: "administrator" });
    await client.ok("room/addStaff", { id: clerk.id, name: "Dora", role: "staff" });
    expect(await rowOf(clerk.id)).toMatchObject({ role: "staff", capabilities: [], grants: [] });
  });

  it("names the invalid or missing field", async () => {
    const mobile = freshMobile();
    const noName = await refusalOf(client, "room/addStaff", { mobile, password: "her secret" });
    expect([noName.errno, Object.keys(noName.data.fields ?? {})]).toEqual([100_001, ["name"]]);
    const noPassword = await refusalOf(client, "room/addStaff", { name: "Eve", mobile });
    expect([noPassword.errno, Object.keys(noPassword.data.fields ?? {})]).toEqual([100_001, ["password"]]);
    const noAccount = await refusalOf(client, "room/addStaff", { name: "Eve", password: "her secret" });
    expect([noAccount.errno, Object.keys(noAccount.data.fields ?? {})]).toEqual([100_001, ["mobile"]]);
    const form = { name: "Eve", mobile: owner.account, password: "her secret" };
    const refusal = await refusalOf(client, "room/addStaff", form);
    expect([refusal.errno, refusal.data.reason]).toEqual([100_008, "account_taken"]);
    expect(Object.keys(refusal.data.fields ?? {})).toEqual(["mobile"]);
  });

  it("refuses one's own password, an owner, and staff as the caller", async () => {
    expect((await refusalOf(client, "room/addStaff", { id: owner.id, name: "X" })).errno).toBe(100_006);
    const clerk = await manageLogin(server, await hire(), { address: "10.5.5.5" });
    const form = { name: "Eve", mobile: freshMobile(), password: "her secret" };
    expect((await refusalOf(clerk, "room/addStaff", form)).errno).toBe(100_006);
    expect((await refusalOf(client, "room/addStaff", { id: 2_000_000_000, name: "X" })).errno).toBe(100_007);
  });
});

describe("staffList", () => {
  it("lists everyone, owners first, found by name and account, page by page", async () => {
    const own = await server.createHotel({ name: "Small" });
    const boss = await server.createOperator(own, { role: "owner" });
    const small = await manageLogin(server, boss, { address: "10.6.6.6" });
    const api = (await server.loginAs(boss)).api;
    const one = (await api.rooms.save.mutate({ name: "1", groupId: null, lock: null })).roomId;
    await api.rooms.save.mutate({ name: "2", groupId: null, lock: null });
    const clerk = await server.createOperator(own, { role: "staff", roomIds: [one], account: "zoe_%@hotel.example" });
    const list = (payload = {}) => answerOf<Page<Person>>(small, "room/staffList", payload);
    const { list: all, total } = await list();
    expect(all.map(({ id, role, room_count }) => [id, role, room_count])).toEqual([
      [boss.id, "owner", 2],
      [clerk.id, "staff", 1],
    ]);
    expect(total).toBe(2);
    expect((await list({ page: 2, page_size: "1" })).list.map(({ id }) => id)).toEqual([clerk.id]);
    expect(await list({ page: 3, page_size: 1 })).toMatchObject({ list: [], total: 2 });
    expect((await list({ keyword: "ZOE_%" })).list.map(({ id }) => id)).toEqual([clerk.id]);
    expect((await list({ keyword: boss.account })).list.map(({ id }) => id)).toEqual([boss.id]);
    expect((await list({ keyword: "nobody" })).total).toBe(0);
  });
});

describe("rooms of a member of staff", () => {
  it("are listed as granted or not granted, each with its period and group", async () => {
    const clerk = await hire();
    const grants = [
      { roomId: rooms.first, startsAt: iso(HOUR_MS), endsAt: iso(2 * HOUR_MS) },
      { roomId: rooms.second, startsAt: null, endsAt: null },
    ];
    await desk.staff.permit.mutate({ people: [{ operatorId: clerk.id, capabilities: [], grants }] });
    const { list } = await roomsOf(clerk.id);
    expect(list.map(({ room_name, category_name, start, end }) => [room_name, category_name, start, end])).toEqual([
      ["101", "Sea side", seconds(HOUR_MS), seconds(2 * HOUR_MS)],
      ["102", "", null, null],
    ]);
    expect((await roomsOf(clerk.id, false)).list.map(({ room_id }) => room_id)).toEqual([rooms.third]);
    expect((await roomsOf(clerk.id, true, { page: 2, page_size: 1 })).list.map(({ room_name }) => room_name)).toEqual([
      "102",
    ]);
    server.clock.advance(3 * HOUR_MS);
    expect((await roomsOf(clerk.id)).list.map(({ room_name }) => room_name)).toEqual(["102"]);
    expect((await roomsOf(clerk.id, false)).total).toBe(2);
  });

  it("are all rooms for an administrator, and not found for an unknown operator", async () => {
    const administrator = await server.createOperator(hotel, { role: "administrator" });
    expect((await roomsOf(administrator.id)).total).toBe(3);
    expect((await roomsOf(administrator.id, false)).list).toEqual([]);
    expect((await refusalOf(client, "room/staffManageRoomList", { staff_id: 2_000_000_000 })).errno).toBe(100_007);
    expect((await refusalOf(client, "room/staffManageRoomList1")).data.fields).toHaveProperty("staff_id");
  });
});

describe("addStaffManageLock", () => {
  it("adds rooms and capabilities, and keeps existing ones with their periods", async () => {
    const clerk = await hire();
    const later = { roomId: rooms.first, startsAt: null, endsAt: iso(2 * HOUR_MS) };
    const soon = { roomId: rooms.third, startsAt: null, endsAt: iso(HOUR_MS) };
    const permitted = { operatorId: clerk.id, capabilities: ["rooms.view"], grants: [later, soon] };
    await desk.staff.permit.mutate({ people: [permitted] });
    const payload = { staff_id: clerk.id, room_ids: `${rooms.first},${rooms.second}`, capabilities: ["stays.view"] };
    await answerOf(client, "room/addStaffManageLock", payload);
    const second = { roomId: rooms.second, startsAt: null, endsAt: null };
    expect(await rowOf(clerk.id)).toMatchObject({
      capabilities: ["rooms.view", "stays.view"],
      grants: [later, second, soon],
    });
    server.clock.advance(1.5 * HOUR_MS);
    await answerOf(client, "room/addStaffManageLock", { staff_id: clerk.id, room_ids: [rooms.third] });
    expect((await rowOf(clerk.id))?.grants).toEqual([later, second, { ...soon, endsAt: null }]);
  });

  it("refuses other hotels' rooms, unknown capabilities, and operators who are not staff", async () => {
    const clerk = await hire();
    const foreign = await server.database.prisma.room.create({
      data: { hotelId: (await server.createHotel()).id, name: "1" },
    });
    const refuse = (payload: object) =>
      refusalOf(client, "room/addStaffManageLock", { staff_id: clerk.id, room_ids: [rooms.first], ...payload });
    expect((await refuse({ room_ids: [rooms.first, foreign.id] })).errno).toBe(100_007);
    expect((await refuse({ capabilities: ["staff.manage"] })).data.fields).toHaveProperty("capabilities");
    expect((await refuse({ room_ids: [] })).data.fields).toHaveProperty("room_ids");
    expect((await refuse({ staff_id: owner.id })).data.reason).toBe("state_conflict");
    expect((await rowOf(clerk.id))?.roomIds).toEqual([]);
  });
});

describe("changes of a membership", () => {
  it("setManager makes somebody an administrator, and staff again", async () => {
    const clerk = await hire([rooms.first]);
    await answerOf(client, "user/setManager", { user_id: clerk.id, is_manager: "1" });
    expect((await rowOf(clerk.id))?.role).toBe("administrator");
    await answerOf(client, "user/setManager", { user_id: clerk.id, is_manager: false });
    expect(await rowOf(clerk.id)).toMatchObject({ role: "staff", capabilities: [], grants: [] });
    server.clock.advance(3000);
    const again = await refusalOf(client, "user/setManager", { user_id: clerk.id, is_manager: 0 });
    expect([again.errno, again.data.reason]).toEqual([100_008, "state_conflict"]);
    expect((await refusalOf(client, "user/setManager", { user_id: clerk.id })).data.fields).toHaveProperty(
      "is_manager",
    );
  });

  it("freezeUser ends the operator's sessions, and unfreezing admits them again", async () => {
    const clerk = await hire();
    const clerkClient = await manageLogin(server, clerk, { address: "10.7.7.7" });
    await answerOf(client, "user/freezeUser", { user_id: clerk.id, freeze: 1 });
    expect((await clerkClient.call("logout")).errno).toBe(9_000_005);
    const listed = await answerOf<Page<Person>>(client, "room/staffList", { keyword: clerk.account });
    expect(listed.list[0]?.freeze).toBe(1);
    await answerOf(client, "user/freezeUser", { user_id: clerk.id, freeze: 0 });
    expect((await rowOf(clerk.id))?.frozen).toBe(false);
    expect((await refusalOf(client, "user/freezeUser", { user_id: owner.id, freeze: 1 })).data.reason).toBe(
      "last_owner",
    );
    expect((await refusalOf(client, "user/freezeUser", { user_id: clerk.id })).data.fields).toHaveProperty("freeze");
  });

  it("deleteStaff ends the membership", async () => {
    const clerk = await hire();
    await answerOf(client, "room/deleteStaff", { id: clerk.id });
    expect(await rowOf(clerk.id)).toBeUndefined();
    server.clock.advance(3000);
    expect((await refusalOf(client, "room/deleteStaff", { id: clerk.id })).errno).toBe(100_007);
    expect((await refusalOf(client, "room/deleteStaff", { id: owner.id })).data.reason).toBe("last_owner");
    expect((await refusalOf(client, "room/deleteStaff")).data.fields).toHaveProperty("id");
  });
});
