import { cardReaderInput, cardReaderListInput } from "@innkey/shared/schemas/access/card-readers";
import { customerInput } from "@innkey/shared/schemas/stays/customers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { save as saveCustomer } from "../../stays/customers/customers.service.ts";
import { lookUp } from "../cards/cards.queries.ts";
import { confirm, prepare } from "../cards/cards.service.ts";
import {
  bind,
  checkStatus,
  detail,
  list,
  remove,
  reportPresence,
  requireOwnReader,
  save,
  saveFor,
  unbind,
} from "./card-readers.service.ts";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-18T14:00:00.000Z");
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

const register = (input: Partial<z.input<typeof cardReaderInput>> = {}, scope = owner) =>
  save(scope, cardReaderInput.parse({ deviceNo: "a1-07", name: "Front desk", type: 1, ...input }));
const find = (filter: Partial<z.input<typeof cardReaderListInput>> = {}, scope = owner) =>
  list(scope, cardReaderListInput.parse(filter));
const customer = async () =>
  (await saveCustomer(owner, customerInput.parse({ kind: "company", name: "Änne Reisen" }))).id;
/** Creates a staff member of the hotel and returns the operator id. */
async function colleague(frozen = false): Promise<number> {
  const scope = await hotel.scope("administrator");
  const operatorId = scope.actor.id ?? 0;
  const frozenAt = frozen ? world.clock.now() : null;
  await world.database.prisma.membership.create({
    data: { hotelId: hotel.id, operatorId, role: "administrator", capabilities: [], frozenAt },
  });
  return operatorId;
}
/** Makes the person of a scope a colleague of the hotel. Returns the operator id. */
async function memberOf(scope: Scope): Promise<number> {
  const operatorId = scope.actor.id ?? 0;
  const data = { hotelId: hotel.id, operatorId, role: "staff" as const, capabilities: [], frozenAt: null };
  await world.database.prisma.membership.create({ data });
  return operatorId;
}
const holdersOf = async (id: number) => (await detail(owner, id)).holders;
const actions = async () => {
  const where = { hotelId: hotel.id, entity: "cardReader" };
  const rows = await world.database.prisma.auditEntry.findMany({ where, orderBy: { seq: "asc" } });
  return rows.map(({ action }) => action);
};

describe("readers", () => {
  it("are registered by their device number, once in a hotel", async () => {
    const { id } = await register();
    expect(await detail(owner, id)).toMatchObject({ deviceNo: "A1-07", type: 1, holders: [], online: false });
    await expect(register({ deviceNo: " A1-07 " })).rejects.toMatchObject({
      code: "device_taken",
      fields: { deviceNo: { key: "errors.device_taken" } },
    });
    await register({ id, note: "left drawer" });
    await register({ id, note: "left drawer" });
    const { id: second } = await register({ deviceNo: "B2" });
    await expect(register({ id: second, deviceNo: "A1-07" })).rejects.toMatchObject({ code: "device_taken" });
    await register({}, await (await world.createHotel()).scope());
    const twice = await Promise.allSettled([register({ deviceNo: "C3" }), register({ deviceNo: "C3" })]);
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(twice.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "device_taken" } });
    expect(await actions()).toEqual([
      "cardReader.create",
      "cardReader.update",
      "cardReader.create",
      "cardReader.create",
    ]);
  });

  it("are found by number, name and holder, bound or free, page by page", async () => {
    const { id } = await register({ name: "Bar" });
    await register({ deviceNo: "B%2", name: "Attic" });
    const holder = { kind: "customer" as const, id: await customer() };
    await bind(owner, { id, holder });
    const names = async (filter: Partial<z.input<typeof cardReaderListInput>>) =>
      (await find(filter)).rows.map(({ name }) => name);
    expect(await names({})).toEqual(["Attic", "Bar"]);
    expect(await names({ keyword: "änne" })).toEqual(["Bar"]);
    expect(await names({ keyword: "2 attic" })).toEqual(["Attic"]);
    expect(await names({ bound: true })).toEqual(["Bar"]);
    expect(await names({ bound: false })).toEqual(["Attic"]);
    expect(await find({ page: 2, pageSize: 1 })).toMatchObject({ total: 2, rows: [{ name: "Bar" }] });
    expect(await find({ page: 9 })).toEqual({ total: 2, rows: [] });
  });

  it("are bound to any number of people, each of whom can be removed", async () => {
    const { id } = await register();
    const operator = { kind: "operator" as const, id: await colleague() };
    const client = { kind: "customer" as const, id: await customer() };
    await bind(owner, { id, holder: operator });
    await bind(owner, { id, holder: client });
    await bind(owner, { id, holder: operator });
    expect(await holdersOf(id)).toMatchObject([operator, { ...client, name: "Änne Reisen" }]);
    await unbind(owner, { id, holder: operator });
    await expect(unbind(owner, { id, holder: operator })).rejects.toMatchObject({ code: "state_conflict" });
    expect(await holdersOf(id)).toMatchObject([client]);
    await unbind(owner, { id, holder: client });
    expect(await holdersOf(id)).toEqual([]);
    const bound = ["cardReader.bind", "cardReader.bind", "cardReader.unbind", "cardReader.unbind"];
    expect((await actions()).slice(1)).toEqual(bound);
    await bind(owner, { id, holder: client });
    await remove(owner, id);
    await expect(remove(owner, id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("are refused to those whom they aren't bound to, naming who may use them; owners may use any", async () => {
    const { id } = await register();
    const clerk = await hotel.scope("staff", { capabilities: ["cards.issue", "stays.view"] });
    const use = (scope: Scope, deviceNo?: string) => requireOwnReader(scope, scope.sql, deviceNo);
    await use(clerk, "A1-07");
    await bind(owner, { id, holder: { kind: "customer", id: await customer() } });
    const otherId = await colleague();
    await bind(owner, { id, holder: { kind: "operator", id: otherId } });
    const { name } = await world.database.prisma.operator.findUniqueOrThrow({ where: { id: otherId } });
    const refusal = { code: "reader_of_others", params: { names: name } };
    await expect(use(clerk, "A1-07")).rejects.toMatchObject(refusal);
    await expect(lookUp(clerk, { number: "11223344", reader: "A1-07" })).rejects.toMatchObject(refusal);
    const card = { uid: "DA3CBC66", overwrite: false, note: "", disableOldCards: false, holderId: null };
    const stay = { stayId: 1, validFrom: null, validTo: null };
    await expect(prepare(clerk, { ...card, ...stay, reader: "A1-07" })).rejects.toMatchObject(refusal);
    const confirmation = { cardId: 1, readBack: "0".repeat(32), reader: "A1-07" };
    await expect(confirm(clerk, confirmation)).rejects.toMatchObject(refusal);
    expect(await reportPresence(clerk, { deviceNo: "A1-07", type: 1 })).toEqual({
      known: true,
      allowed: false,
      holders: [name],
    });
    await use(owner, "A1-07");
    await use(clerk);
    await use(clerk, "UNKNOWN");
    await use(await (await world.createHotel()).scope("staff"), "A1-07");
    await bind(owner, { id, holder: { kind: "operator", id: await memberOf(clerk) } });
    await use(clerk, "A1-07");
    expect(await reportPresence(clerk, { deviceNo: "A1-07", type: 1 })).toMatchObject({ allowed: true, holders: [] });
  });

  it("are registered and bound in one transaction, in place of an earlier holder", async () => {
    const form = { deviceNo: "F1", name: "Bar", type: 1 as const };
    const operator = { kind: "operator" as const, id: await colleague() };
    const nobody = { kind: "operator" as const, id: await colleague(true) };
    await expect(saveFor(owner, form, nobody)).rejects.toMatchObject({ code: "not_found" });
    expect(await find()).toEqual({ rows: [], total: 0 });
    const { id } = await saveFor(owner, { ...form, note: "left drawer" }, operator);
    expect(await holdersOf(id)).toMatchObject([operator]);
    await saveFor(owner, { ...form, id, name: "Counter" }, null);
    expect(await detail(owner, id)).toMatchObject({ name: "Counter", note: "left drawer", holders: [operator] });
    const second = { kind: "operator" as const, id: await colleague() };
    await bind(owner, { id, holder: second });
    const client = { kind: "customer" as const, id: await customer() };
    await saveFor(owner, { ...form, id, name: "Counter" }, client);
    expect(await holdersOf(id)).toMatchObject([client, second]);
    await saveFor(owner, { ...form, id, name: "Counter" }, second);
    expect(await holdersOf(id)).toMatchObject([second]);
    const bound = ["cardReader.bind", "cardReader.bind", "cardReader.bind"];
    expect(await actions()).toEqual(["cardReader.create", "cardReader.bind", "cardReader.update", ...bound]);
    const viewer = await hotel.scope("staff", { capabilities: ["cardReaders.view"] });
    await expect(saveFor(viewer, form, null)).rejects.toMatchObject({ code: "no_permission" });
  });

  it("cannot be bound to somebody frozen, removed, or of another hotel", async () => {
    const { id } = await register();
    const other = await (await world.createHotel()).scope();
    const foreign = await saveCustomer(other, customerInput.parse({ kind: "person", name: "Bo" }));
    const holders = [
      { kind: "operator" as const, id: await colleague(true) },
      { kind: "operator" as const, id: other.actor.id ?? 0 },
      { kind: "customer" as const, id: foreign.id },
    ];
    for (const holder of holders) {
      await expect(bind(owner, { id, holder })).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await holdersOf(id)).toEqual([]);
  });

  it("are online for two minutes after a desk reports them; an unknown number is not stored", async () => {
    const clerk = await hotel.scope("staff");
    expect(await reportPresence(clerk, { deviceNo: "A1-07", type: 2 })).toMatchObject({ known: false, allowed: true });
    expect(await world.database.prisma.cardReader.count({ where: { hotelId: hotel.id } })).toBe(0);
    await register();
    expect(await checkStatus(owner, "A1-07")).toEqual({ online: false, lastSeenAt: null, bound: false });
    expect(await reportPresence(clerk, { deviceNo: "A1-07", type: 2 })).toMatchObject({ known: true, allowed: true });
    const at = world.clock.now().toISOString();
    expect((await find()).rows).toMatchObject([{ online: true, lastSeenAt: at, type: 2 }]);
    world.clock.advance(30_000);
    await reportPresence(clerk, { deviceNo: "A1-07", type: 2 });
    expect(await checkStatus(owner, "A1-07")).toMatchObject({ online: true, lastSeenAt: at });
    world.clock.advance(90_000);
    expect(await checkStatus(owner, "A1-07")).toMatchObject({ online: false });
    expect(await actions()).toEqual(["cardReader.create"]);
  });

  it("are not found from another hotel, and require a permission", async () => {
    const { id } = await register();
    const other = await (await world.createHotel()).scope();
    const holder = { kind: "customer" as const, id: await customer() };
    expect(await find({}, other)).toEqual({ rows: [], total: 0 });
    expect(await reportPresence(other, { deviceNo: "A1-07", type: 1 })).toMatchObject({ known: false, allowed: true });
    const attempts = (scope: Scope) => [
      () => detail(scope, id),
      () => checkStatus(scope, "A1-07"),
      () => register({ id }, scope),
      () => bind(scope, { id, holder }),
      () => unbind(scope, { id, holder }),
      () => remove(scope, id),
    ];
    for (const attempt of attempts(other)) await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
    for (const attempt of attempts(await hotel.scope("staff"))) {
      await expect(attempt()).rejects.toMatchObject({ code: "no_permission" });
    }
    const viewer = await hotel.scope("staff", { capabilities: ["cardReaders.view", "cardReaders.manage"] });
    expect((await find({}, viewer)).total).toBe(1);
    await expect(bind(viewer, { id, holder })).rejects.toMatchObject({ code: "no_permission" });
  });

  it("hide the customer's name from operators who cannot see customers", async () => {
    const { id } = await register();
    await bind(owner, { id, holder: { kind: "customer", id: await customer() } });
    const viewer = await hotel.scope("staff", { capabilities: ["cardReaders.view"] });
    expect((await detail(viewer, id)).holders).toMatchObject([{ kind: "customer", name: "" }]);
    expect((await find({ keyword: "Änne" }, viewer)).total).toBe(0);
    expect((await find({ keyword: "Änne" })).total).toBe(1);
  });
});
