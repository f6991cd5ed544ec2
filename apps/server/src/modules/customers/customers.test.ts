import { customerInput, customerListInput } from "@innkey/shared/schemas/people";
import { checkInInput } from "@innkey/shared/schemas/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../testing/hotel.ts";
import * as stays from "../stays/stays.service.ts";
import { list } from "./customers.queries.ts";
import { freeze, save } from "./customers.service.ts";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

const keep = (input: Partial<z.input<typeof customerInput>>, scope = owner) =>
  save(scope, customerInput.parse({ kind: "person", name: "Ada", ...input }));
const find = async (keyword = "", page = {}, scope = owner) =>
  list(scope, customerListInput.parse({ keyword, ...page }));

describe("customers", () => {
  it("are found by name, company, phone and mail, by literal text, page by page", async () => {
    await keep({ name: "Zoë Brandt", mobile: "+49 171 5550100" });
    await keep({ kind: "company", name: "Änne", company: "100% Reisen_GmbH", email: "Desk@Reisen.example" });
    await keep({ name: "Bo" });
    const names = async (keyword: string) => (await find(keyword)).rows.map(({ name }) => name);
    expect(await names("brandt")).toEqual(["Zoë Brandt"]);
    expect(await names("0171")).toEqual([]);
    expect(await names("1715550")).toEqual(["Zoë Brandt"]);
    expect(await names("100%")).toEqual(["Änne"]);
    expect(await names("%")).toEqual(["Änne"]);
    expect(await names("n_g")).toEqual(["Änne"]);
    expect(await names("desk@reisen")).toEqual(["Änne"]);
    expect(await find("", { page: 2, pageSize: 2 })).toMatchObject({ total: 3, rows: [expect.anything()] });
    expect(await find("", { page: 9 })).toEqual({ total: 3, rows: [] });
  });

  it("show their stays and whether they are in the house", async () => {
    const { id } = await keep({});
    expect((await find()).rows).toMatchObject([{ id, stayCount: 0, inHouse: false, frozen: false }]);
    const period = { unit: "day", startsAt: owner.now().toISOString(), endsAt: "2026-11-19T10:00:00.000Z" };
    const roomId = await hotel.createRoom("1");
    await stays.checkIn(owner, checkInInput.parse({ ...period, roomId, guests: [{ name: "Ada" }], customerId: id }));
    expect((await find()).rows).toMatchObject([{ id, stayCount: 1, inHouse: true }]);
  });

  it("are changed, frozen once and unfrozen once, each journalled", async () => {
    const { id } = await keep({});
    await keep({ id, name: "Ada King" });
    await freeze(owner, { id, frozen: true });
    await expect(freeze(owner, { id, frozen: true })).rejects.toMatchObject({ code: "state_conflict" });
    expect((await find()).rows).toMatchObject([{ name: "Ada King", frozen: true }]);
    await freeze(owner, { id, frozen: false });
    const rows = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id },
      orderBy: { seq: "asc" },
    });
    expect(rows.map(({ action }) => action)).toEqual([
      "customer.create",
      "customer.update",
      "customer.freeze",
      "customer.unfreeze",
    ]);
  });

  it("once frozen, keep the stays they have and get no new ones", async () => {
    const [{ id }, { id: other }] = [await keep({}), await keep({ name: "Bo" })];
    const period = { unit: "day", startsAt: owner.now().toISOString(), endsAt: "2026-11-19T10:00:00.000Z" };
    const booking = checkInInput.parse({
      ...period,
      roomId: await hotel.createRoom("1"),
      guests: [{ name: "Ada" }],
      customerId: id,
    });
    const { stayId } = await stays.checkIn(owner, booking);
    for (const frozen of [id, other]) await freeze(owner, { id: frozen, frozen: true });
    const change = { stayId, breakfast: true, otherInformation: "", idCardMatch: false };
    await stays.update(owner, { ...change, customerId: id });
    await expect(stays.update(owner, { ...change, customerId: other })).rejects.toMatchObject({
      code: "customer_frozen",
    });
    const again = { ...booking, roomId: await hotel.createRoom("2"), confirmAlreadyIn: true };
    await expect(stays.checkIn(owner, again)).rejects.toMatchObject({ code: "customer_frozen" });
  });

  it("of another hotel don't exist, and need a permission", async () => {
    const { id } = await keep({});
    const other = await (await world.createHotel()).scope();
    expect(await find("", {}, other)).toEqual({ rows: [], total: 0 });
    await expect(keep({ id }, other)).rejects.toMatchObject({ code: "not_found" });
    await expect(freeze(other, { id, frozen: true })).rejects.toMatchObject({ code: "not_found" });
    const viewer = await hotel.scope("staff", { capabilities: ["customers.view"] });
    expect((await find("", {}, viewer)).total).toBe(1);
    await expect(keep({ id }, viewer)).rejects.toMatchObject({ code: "no_permission" });
    await expect(freeze(viewer, { id, frozen: true })).rejects.toMatchObject({ code: "no_permission" });
    await expect(find("", {}, await hotel.scope("staff"))).rejects.toMatchObject({ code: "no_permission" });
  });
});
