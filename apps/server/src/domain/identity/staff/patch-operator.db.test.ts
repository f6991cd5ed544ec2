import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { addPermissions } from "./permissions.service.ts";
import { list, listRoomsOfMember, page } from "./staff.queries.ts";
import { patchOperator } from "./staff.service.ts";

let server: TestServer;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
});
afterAll(() => server.close());

const room = async (name: string) =>
  (await server.database.prisma.room.create({ data: { hotelId: hotel.id, name, createdAt: server.clock.now() } })).id;
const rowOf = async (operatorId: number) => (await list(owner)).find((row) => row.operatorId === operatorId);
const say = (changes: Parameters<typeof patchOperator>[2], scope = owner) =>
  patchOperator(scope, server.services, changes);
const auditEntry = async (operatorId: number) => {
  const where = { hotelId: hotel.id, entity: "operator", entityId: String(operatorId) };
  const rows = await server.database.prisma.auditEntry.findMany({ where, orderBy: { seq: "asc" } });
  return rows.map(({ action }) => action);
};
let serial = 0;
const clerk = async (): Promise<TestOperator> =>
  server.createOperator(hotel, {
    role: "staff",
    capabilities: ["rooms.view"],
    roomIds: [await room(`clerk ${++serial}`)],
  });

it("fields that are not sent keep their value, including permissions, and unchanged ones are not recorded", async () => {
  const { id, account } = await clerk();
  const before = await rowOf(id);
  await say({ operatorId: id, gender: "female" });
  await say({ operatorId: id, gender: "female" });
  expect(await rowOf(id)).toEqual({ ...before, gender: "female" });
  await say({ operatorId: id, account: "ann@hotel.example", name: "Ann" });
  expect(await rowOf(id)).toEqual({
    ...before,
    gender: "female",
    name: "Ann",
    mobile: null,
    email: "ann@hotel.example",
  });
  expect(await auditEntry(id)).toEqual(["operator.update", "operator.update"]);
  const { id: second } = await clerk();
  await expect(say({ operatorId: second, account: "ann@hotel.example" })).rejects.toMatchObject({
    code: "account_taken",
  });
  await say({ operatorId: second, account });
  expect((await rowOf(second))?.mobile).toBe(account);
});

it("a new account is announced to the old address, whatever else is sent", async () => {
  const { id, account } = await clerk();
  await say({ operatorId: id, name: "Bea" });
  await say({ operatorId: id, account });
  expect(await server.lastMessage(account)).toBeNull();
  await say({ operatorId: id, account: "bea@hotel.example" });
  expect(await server.lastMessage(account)).toMatch(
    /changed the phone number or email address you use to sign in to Innkey/,
  );
  expect(await server.lastMessage("bea@hotel.example")).toBeNull();
});

it("another role begins without the permissions of the previous one", async () => {
  const { id } = await clerk();
  await say({ operatorId: id, role: "administrator" });
  await say({ operatorId: id, role: "staff" });
  expect(await rowOf(id)).toMatchObject({ role: "staff", capabilities: [], grants: [] });
});

it("owners, oneself, other hotels' people, and staff as the caller are refused", async () => {
  const { id } = await clerk();
  const other = await server.createOperator(await server.createHotel(), { role: "staff" });
  const refused = (act: Promise<unknown>, code: string) => expect(act).rejects.toMatchObject({ code });
  await refused(say({ operatorId: owner.actor.id ?? 0, name: "X" }), "no_permission");
  await refused(say({ operatorId: other.id, name: "X" }), "not_found");
  const staff = await server.scopeOf(await clerk());
  await refused(say({ operatorId: id, name: "X" }, staff), "no_permission");
  await refused(addPermissions(staff, { operatorId: id, roomIds: [1], capabilities: [] }), "no_permission");
  await refused(addPermissions(owner, { operatorId: other.id, roomIds: [1], capabilities: [] }), "not_found");
  await refused(page(staff, { keyword: "", page: 1, pageSize: 20 }), "no_permission");
  await refused(listRoomsOfMember(staff, id, true, { page: 1, pageSize: 20 }), "no_permission");
  await refused(listRoomsOfMember(owner, other.id, true, { page: 1, pageSize: 20 }), "not_found");
  const administrator = await server.scopeOf(await server.createOperator(hotel, { role: "administrator" }));
  const self = { operatorId: administrator.actor.id ?? 0 };
  await refused(say({ ...self, password: "another one" }, administrator), "no_permission");
  await refused(say({ ...self, role: "staff" }, administrator), "no_permission");
});

it("rooms that are added at the same moment are all kept", async () => {
  const { id } = await server.createOperator(hotel, { role: "staff" });
  const added = await Promise.all(["A", "B", "C", "D"].map(room));
  await Promise.all(
    added.map((roomId) => addPermissions(owner, { operatorId: id, roomIds: [roomId], capabilities: [] })),
  );
  const { rows, total } = await listRoomsOfMember(owner, id, true, { page: 1, pageSize: 2 });
  expect([rows.map(({ roomName }) => roomName), total]).toEqual([["A", "B"], 4]);
  expect((await listRoomsOfMember(owner, id, true, { page: 9, pageSize: 2 })).total).toBe(4);
});
