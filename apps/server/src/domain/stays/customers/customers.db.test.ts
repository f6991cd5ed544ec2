import type { Capability } from "@innkey/shared/capabilities";
import { customerInput, customerListInput } from "@innkey/shared/schemas/stays/customers";
import { checkInInput, checkOutInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createCardDesk } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { listStayCards as cardsOfStay } from "../../access/cards/cards.queries.ts";
import * as stays from "../../desk/public.ts";
import { removeCustomer } from "../../desk/public.ts";
import { detail, list, stays as staysOf } from "../../overview/customers.queries.ts";
import { detail as stayDetail } from "../../overview/stays.queries.ts";
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

const period = () => ({ unit: "day", startsAt: owner.now().toISOString(), endsAt: "2026-11-19T10:00:00.000Z" });
let rooms = 0;
/** A stay of that customer from now on, in a room of its own, unpaid. */
async function checkIn(customerId: number, how: "checkIn" | "reserve" = "checkIn") {
  const roomId = await hotel.createRoom(`R${++rooms}`);
  const input = { ...period(), roomId, guests: [{ name: "Ada" }], customerId, confirmAlreadyIn: true };
  const book = how === "checkIn" ? stays.checkIn : stays.reserve;
  const { stayId } = await book(owner, checkInInput.parse(input));
  return { roomId, stayId };
}
const checkOut = (stayId: number) =>
  stays.checkOut(owner, checkOutInput.parse({ stayId, confirmUnpaid: true, refundDeposit: true }));

describe("customers", () => {
  it("are found by name, company, phone and mail, by the words of what is typed, page by page", async () => {
    await keep({ name: "Zoë Brandt", mobile: "+49 171 5550100" });
    await keep({ kind: "company", name: "Änne", company: "100% Reisen_GmbH", email: "Desk@Reisen.example" });
    await keep({ name: "Bo" });
    const names = async (keyword: string) => (await find(keyword)).rows.map(({ name }) => name);
    expect(await names("brandt")).toEqual(["Zoë Brandt"]);
    expect(await names("0171")).toEqual([]);
    expect(await names("1715550")).toEqual(["Zoë Brandt"]);
    expect(await names("gmbh 100%")).toEqual(["Änne"]);
    expect(await names("%")).toEqual([]);
    expect(await names("an reisen")).toEqual(["Änne"]);
    expect(await names("desk@reisen")).toEqual(["Änne"]);
    expect(await find("", { page: 2, pageSize: 2 })).toMatchObject({ total: 3, rows: [expect.anything()] });
    expect(await find("", { page: 9 })).toEqual({ total: 3, rows: [] });
  });

  it("show their cards as on the stay's page, with the lock's last contact", async () => {
    const { id } = await save(owner, customerInput.parse({ kind: "person", name: "Ada" }));
    const desk = await createCardDesk(world, hotel);
    const room = await desk.room("Suite");
    const input = { ...period(), roomId: room.roomId, guests: [{ name: "Ada" }], customerId: id };
    const { stayId } = await stays.checkIn(desk.owner, checkInInput.parse(input));
    await desk.deliver(room.lock.id);
    await desk.issue(stayId, desk.newUid(), { confirm: true });
    const heardAt = "2026-11-16T09:00:00.000Z";
    const lock = (data: object) => world.database.prisma.lock.update({ where: { id: room.lock.id }, data });
    await lock({ online: false, lastSeenAt: heardAt });
    const [ofStay] = await cardsOfStay(desk.owner, stayId);
    const { id: cardId, standing, lockOnline, lockHeardAt } = ofStay ?? {};
    expect({ standing, lockOnline, lockHeardAt }).toEqual({
      standing: "active",
      lockOnline: false,
      lockHeardAt: heardAt,
    });
    const cards = async () => (await detail(owner, id)).cards;
    expect(await cards()).toMatchObject([{ id: cardId, standing, lockOnline, lockHeardAt }]);
    await lock({ resetAt: world.clock.now() });
    expect(await cards()).toMatchObject([{ id: cardId, standing: "pending" }]);
  });

  it("are filtered by person or company and by frozen, and sorted by name, age and stays", async () => {
    const { id } = await keep({ name: "Ada" });
    await keep({ name: "Bo", kind: "company" });
    const { id: third } = await keep({ name: "Cy" });
    await freeze(owner, { id: third, frozen: true });
    await checkIn(id);
    const names = async (page: object) => (await find("", page)).rows.map(({ name }) => name);
    expect(await names({ kind: "company" })).toEqual(["Bo"]);
    expect(await names({ frozen: true })).toEqual(["Cy"]);
    expect(await names({ frozen: false, sort: "-name" })).toEqual(["Bo", "Ada"]);
    expect(await names({ sort: "-stays" })).toEqual(["Ada", "Bo", "Cy"]);
    expect(await names({ sort: "stays", page: 2, pageSize: 2 })).toEqual(["Ada"]);
    expect(await names({ sort: "-since" })).toEqual(["Cy", "Bo", "Ada"]);
  });

  it("show their stays and whether they are checked in", async () => {
    const { id } = await keep({});
    expect((await find()).rows).toMatchObject([{ id, stayCount: 0, inHouse: false, frozen: false }]);
    const period = { unit: "day", startsAt: owner.now().toISOString(), endsAt: "2026-11-19T10:00:00.000Z" };
    const roomId = await hotel.createRoom("1");
    await stays.checkIn(owner, checkInInput.parse({ ...period, roomId, guests: [{ name: "Ada" }], customerId: id }));
    expect((await find()).rows).toMatchObject([{ id, stayCount: 1, inHouse: true, cardCount: 0 }]);
    const seenBy = async (...capabilities: Capability[]) =>
      (await find("", {}, await hotel.scope("staff", { capabilities, roomIds: [roomId] }))).rows;
    expect(await seenBy("customers.view", "cards.view")).toMatchObject([{ id, cardCount: 0 }]);
    expect(await seenBy("customers.view")).toMatchObject([{ id, cardCount: null }]);
  });

  it("are changed, frozen once and unfrozen once, and each change is recorded", async () => {
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

  it("keep their stays once frozen, and get no new ones", async () => {
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

  it("of another hotel do not exist, and require a permission", async () => {
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

  it("are shown with what belongs to them, as far as the reader can see it", async () => {
    const { id } = await keep({ name: "Ada", mobile: "+49 171 5550100" });
    const [first, second] = [await checkIn(id), await checkIn(id)];
    const cardReader = {
      hotelId: hotel.id,
      deviceNo: "A1",
      name: "Desk",
      type: 1,
      holders: { create: { customerId: id } },
      lastSeenAt: owner.now(),
    };
    await world.database.prisma.cardReader.create({ data: cardReader });
    const whole = await detail(owner, id);
    expect(whole).toMatchObject({ name: "Ada", stayCount: 2, openStays: 2, inHouse: true, cards: [] });
    expect(whole).toMatchObject({ balanceMinor: 20_000, readers: [{ deviceNo: "A1", online: true }] });
    const page = { customerId: id, page: 1, pageSize: 20 };
    expect(await staysOf(owner, page)).toMatchObject({
      total: 2,
      rows: [
        { stayId: second.stayId, state: "in", owedMinor: 10_000, guestName: "Ada" },
        { stayId: first.stayId, roomId: first.roomId },
      ],
    });
    expect(await staysOf(owner, { ...page, page: 3 })).toEqual({ total: 2, rows: [] });

    const capabilities = ["customers.view", "stays.view", "cards.view"];
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [first.roomId] });
    expect(await detail(clerk, id)).toMatchObject({ balanceMinor: 10_000, cards: [], readers: null });
    expect((await staysOf(clerk, page)).rows.map(({ stayId }) => stayId)).toEqual([first.stayId]);
    const viewer = await hotel.scope("staff", { capabilities: ["customers.view"] });
    expect(await detail(viewer, id)).toMatchObject({ balanceMinor: null, cards: null, readers: null });
    await expect(staysOf(viewer, page)).rejects.toMatchObject({ code: "no_permission" });
    const other = await (await world.createHotel()).scope();
    await expect(detail(other, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(staysOf(other, page)).rejects.toMatchObject({ code: "not_found" });
  });

  it("cannot be removed while a stay is reserved or checked in; afterwards only their name stays in the books", async () => {
    const { id } = await keep({
      name: "Ada",
      mobile: "+491715550100",
      email: "ada@example.com",
      company: "Ada & Sons",
      note: "calls at night",
    });
    const { stayId } = await checkIn(id);
    await expect(removeCustomer(owner, id)).rejects.toMatchObject({ code: "in_house" });
    await checkOut(stayId);
    const { id: booker } = await keep({ name: "Bo" });
    await checkIn(booker, "reserve");
    await expect(removeCustomer(owner, booker)).rejects.toMatchObject({ code: "in_house" });
    const cardReader = { hotelId: hotel.id, deviceNo: "B2", name: "Desk", type: 1 };
    await world.database.prisma.cardReader.create({
      data: { ...cardReader, holders: { create: { customerId: id } } },
    });

    const file = { hotelId: hotel.id, operatorId: owner.actor.id ?? 0, format: "csv", fileName: "x.csv", request: {} };
    const expiresAt = new Date("2026-11-19T00:00:00.000Z");
    await world.database.prisma.export.createMany({
      data: ["customers", "rooms"].map((list) => ({ ...file, list, state: "done" as const, expiresAt })),
    });

    await removeCustomer(owner, id);
    const files = await world.database.prisma.export.findMany({
      where: { hotelId: hotel.id },
      orderBy: { list: "asc" },
    });
    expect(files.map((made) => made.expiresAt)).toEqual([owner.now(), expiresAt]);
    await expect(removeCustomer(owner, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await find()).rows.map(({ name }) => name)).toEqual(["Bo"]);
    await expect(detail(owner, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(keep({ id, name: "Back" })).rejects.toMatchObject({ code: "not_found" });
    await expect(freeze(owner, { id, frozen: true })).rejects.toMatchObject({ code: "not_found" });
    await expect(checkIn(id)).rejects.toMatchObject({ code: "invalid_input" });
    expect((await stayDetail(owner, stayId)).customer).toEqual({ id, name: "Ada" });
    const row = await world.database.prisma.customer.findUnique({ where: { id } });
    expect(row).toMatchObject({ name: "Ada", mobile: "", email: "", company: "", note: "" });
    expect(
      await world.database.prisma.cardReader.findFirst({
        where: { deviceNo: "B2", hotelId: hotel.id },
        include: { holders: true },
      }),
    ).toMatchObject({ holders: [] });
  });

  it("without a stay are deleted, which requires the permission in one's own hotel", async () => {
    const { id } = await keep({});
    const other = await (await world.createHotel()).scope();
    await expect(removeCustomer(other, id)).rejects.toMatchObject({ code: "not_found" });
    const viewer = await hotel.scope("staff", { capabilities: ["customers.view"] });
    await expect(removeCustomer(viewer, id)).rejects.toMatchObject({ code: "no_permission" });
    await removeCustomer(owner, id);
    expect(await world.database.prisma.customer.count({ where: { id } })).toBe(0);
  });

  it("cannot be booked for while they are being removed", async () => {
    const { id } = await keep({});
    const [booked, removed] = await Promise.allSettled([checkIn(id), removeCustomer(owner, id)]);
    const customerRow = await world.database.prisma.customer.findUnique({ where: { id } });
    if (booked.status === "fulfilled") {
      expect(removed).toMatchObject({ reason: { code: "in_house" } });
      expect(customerRow).toMatchObject({ deletedAt: null });
    } else expect([booked.reason.code, customerRow]).toEqual(["invalid_input", null]);
  });

  it("leave no number or address in the audit log, and no name of a person", async () => {
    const { id } = await keep({ mobile: "+49 171 5550167", email: "ada@example.com", company: "Ada & Sons" });
    await keep({ id, mobile: "110", email: "", company: "Ada & Sons" });
    await keep({ id, mobile: "110", name: "Ada King", company: "King" });
    await removeCustomer(owner, id);
    await keep({ kind: "company", name: "Lovelace Ltd" });
    const rows = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id },
      orderBy: { seq: "asc" },
    });
    expect(rows).toMatchObject([
      { after: { name: "***", company: "***", mobile: "***67", email: "a***@example.com" } },
      { before: { mobile: "***67", email: "a***@example.com" }, after: { mobile: "***", email: "" } },
      { before: { name: "***", company: "***" }, after: { name: "***", company: "***" } },
      { action: "customer.remove", before: { name: "***", stays: 0, readers: 0 } },
      { after: { kind: "company", name: "Lovelace Ltd" } },
    ]);
    expect(JSON.stringify(rows.map(({ before, after }) => [before, after]))).not.toMatch(/Ada|King/);
  });
});

describe("staff who see few of a customer's stays", () => {
  const desk = ["rooms.view", "stays.view", "stays.manage"];

  it("can neither name a customer when booking nor read a stay's customer without the permission", async () => {
    const { id } = await keep({ name: "Secret Tours" });
    const { stayId, roomId } = await checkIn(id);
    const clerk = await hotel.scope("staff", { capabilities: desk, roomIds: [roomId] });
    const later = { ...period(), startsAt: "2026-11-20T14:00:00.000Z", endsAt: "2026-11-21T10:00:00.000Z" };
    const refused = { code: "invalid_input", fields: { customerId: { key: "validation.unknown" } } };
    for (const customerId of [id, 1_900_000_000]) {
      const input = checkInInput.parse({ ...later, roomId, guests: [{ name: "Bo" }], customerId });
      await expect(stays.reserve(clerk, input)).rejects.toMatchObject(refused);
    }
    const other = await keep({ name: "Another" });
    const flags = { breakfast: true, otherInformation: "", idCardMatch: false };
    await expect(stays.update(clerk, { ...flags, stayId, customerId: other.id })).rejects.toMatchObject(refused);
    await stays.update(clerk, { ...flags, stayId, customerId: id });
    expect((await stayDetail(clerk, stayId)).customer).toEqual({ id, name: "" });
    const wide = await hotel.scope("staff", { capabilities: [...desk, "customers.view"], roomIds: [roomId] });
    expect((await stayDetail(wide, stayId)).customer).toEqual({ id, name: "Secret Tours" });
  });

  it("see how many of the stays are in their rooms", async () => {
    const { id } = await keep({});
    const { roomId } = await checkIn(id, "reserve");
    await checkIn(id);
    const clerk = await hotel.scope("staff", { capabilities: [...desk, "customers.view"], roomIds: [roomId] });
    for (const sort of ["name", "-stays"]) {
      expect((await find("", { sort }, clerk)).rows).toMatchObject([{ id, stayCount: 1, inHouse: false }]);
    }
    expect(await detail(clerk, id)).toMatchObject({ stayCount: 1, inHouse: false, openStays: 1 });
    expect(await detail(owner, id)).toMatchObject({ stayCount: 2, inHouse: true, openStays: 2 });
  });
});
