import { cardReaderInput, cardReaderListInput } from "@innkey/shared/schemas/access/card-readers";
import { customerInput } from "@innkey/shared/schemas/stays/customers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { save as saveCustomer } from "../../stays/customers/customers.service.ts";
import {
  bind,
  checkStatus,
  detail,
  list,
  remove,
  reportPresence,
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
const holderOf = async (id: number) => (await detail(owner, id)).holder;
const actions = async () => {
  const where = { hotelId: hotel.id, entity: "cardReader" };
  const rows = await world.database.prisma.auditEntry.findMany({ where, orderBy: { seq: "asc" } });
  return rows.map(({ action }) => action);
};

describe("readers", () => {
  it("are registered by their device number, once in a hotel", async () => {
    const { id } = await register();
    expect(await detail(owner, id)).toMatchObject({ deviceNo: "A1-07", type: 1, holder: null, online: false });
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
    await bind(owner, { id, holder, replaces: null });
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

  it("are bound to one operator or customer, and rebound only when the current holder was shown", async () => {
    const { id } = await register();
    const operator = { kind: "operator" as const, id: await colleague() };
    const client = { kind: "customer" as const, id: await customer() };
    await bind(owner, { id, holder: operator, replaces: null });
    expect(await holderOf(id)).toMatchObject({ ...operator, name: expect.stringContaining("administrator") });
    await expect(bind(owner, { id, holder: client, replaces: null })).rejects.toMatchObject({ code: "state_conflict" });
    await expect(bind(owner, { id, holder: client, replaces: client })).rejects.toMatchObject({
      code: "state_conflict",
    });
    await bind(owner, { id, holder: client, replaces: operator });
    await bind(owner, { id, holder: client, replaces: null });
    expect(await holderOf(id)).toMatchObject({ ...client, name: "Änne Reisen" });
    await unbind(owner, id);
    await expect(unbind(owner, id)).rejects.toMatchObject({ code: "state_conflict" });
    expect(await holderOf(id)).toBeNull();
    expect((await actions()).slice(1)).toEqual(["cardReader.bind", "cardReader.bind", "cardReader.unbind"]);
    await remove(owner, id);
    await expect(remove(owner, id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("are registered and bound in one transaction, in place of an earlier holder", async () => {
    const form = { deviceNo: "F1", name: "Bar", type: 1 as const };
    const operator = { kind: "operator" as const, id: await colleague() };
    const nobody = { kind: "operator" as const, id: await colleague(true) };
    await expect(saveFor(owner, form, nobody)).rejects.toMatchObject({ code: "not_found" });
    expect(await find()).toEqual({ rows: [], total: 0 });
    const { id } = await saveFor(owner, { ...form, note: "left drawer" }, operator);
    expect(await holderOf(id)).toMatchObject(operator);
    await saveFor(owner, { ...form, id, name: "Counter" }, null);
    expect(await detail(owner, id)).toMatchObject({ name: "Counter", note: "left drawer", holder: operator });
    const client = { kind: "customer" as const, id: await customer() };
    await saveFor(owner, { ...form, id, name: "Counter" }, client);
    expect(await holderOf(id)).toMatchObject(client);
    expect(await actions()).toEqual(["cardReader.create", "cardReader.bind", "cardReader.update", "cardReader.bind"]);
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
      await expect(bind(owner, { id, holder, replaces: null })).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await holderOf(id)).toBeNull();
  });

  it("are online for two minutes after a desk reports them; an unknown number is not stored", async () => {
    const clerk = await hotel.scope("staff");
    expect(await reportPresence(clerk, { deviceNo: "A1-07", type: 2 })).toEqual({ known: false });
    expect(await world.database.prisma.cardReader.count({ where: { hotelId: hotel.id } })).toBe(0);
    await register();
    expect(await checkStatus(owner, "A1-07")).toEqual({ online: false, lastSeenAt: null, bound: false });
    expect(await reportPresence(clerk, { deviceNo: "A1-07", type: 2 })).toEqual({ known: true });
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
    expect(await reportPresence(other, { deviceNo: "A1-07", type: 1 })).toEqual({ known: false });
    const attempts = (scope: Scope) => [
      () => detail(scope, id),
      () => checkStatus(scope, "A1-07"),
      () => register({ id }, scope),
      () => bind(scope, { id, holder, replaces: null }),
      () => unbind(scope, id),
      () => remove(scope, id),
    ];
    for (const attempt of attempts(other)) await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
    for (const attempt of attempts(await hotel.scope("staff"))) {
      await expect(attempt()).rejects.toMatchObject({ code: "no_permission" });
    }
    const viewer = await hotel.scope("staff", { capabilities: ["cardReaders.view", "cardReaders.manage"] });
    expect((await find({}, viewer)).total).toBe(1);
    await expect(bind(viewer, { id, holder, replaces: null })).rejects.toMatchObject({ code: "no_permission" });
  });

  it("hide the customer's name from operators who cannot see customers", async () => {
    const { id } = await register();
    await bind(owner, { id, holder: { kind: "customer", id: await customer() }, replaces: null });
    const viewer = await hotel.scope("staff", { capabilities: ["cardReaders.view"] });
    expect((await detail(viewer, id)).holder).toMatchObject({ kind: "customer", name: "" });
    expect((await find({ keyword: "Änne" }, viewer)).total).toBe(0);
    expect((await find({ keyword: "Änne" })).total).toBe(1);
  });
});
