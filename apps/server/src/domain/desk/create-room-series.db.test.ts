import { DomainError } from "@innkey/shared/errors";
import { roomSeriesInput } from "@innkey/shared/schemas/property/room-series";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as groups from "../property/rooms/groups.service.ts";
import { detail } from "../property/rooms/rooms.queries.ts";
import { createSeries } from "./create-room-series.ts";

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

const create = (input: z.input<typeof roomSeriesInput>, scope = owner) =>
  createSeries(scope, roomSeriesInput.parse(input));

const rooms = () =>
  world.database.prisma.room.findMany({
    where: { hotelId: hotel.id },
    include: { group: true },
    orderBy: { id: "asc" },
  });

const refusal = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return { code: error.code, fields: error.fields };
    },
  );

describe("a series of rooms", () => {
  it("gets numbers, floors, a new group and prices in one transaction, and each room is recorded", async () => {
    const prices = { usualMinor: 9500, weekendMinor: null };
    expect(await create({ numbers: "101–103, 201", group: "Double", prices })).toEqual({ created: 4 });
    const created = await rooms();
    expect(created.map(({ name, floor, group }) => [name, floor, group?.name])).toEqual([
      ["101", 1, "Double"],
      ["102", 1, "Double"],
      ["103", 1, "Double"],
      ["201", 2, "Double"],
    ]);
    expect(await detail(owner, created[3]?.id ?? 0)).toMatchObject({
      prices: { usualMinor: 9500, weekendMinor: 9500, depositMinor: 0 },
      lock: null,
    });
    const entries = await world.database.prisma.auditEntry.groupBy({
      by: ["action"],
      where: { hotelId: hotel.id },
      _count: true,
      orderBy: { action: "asc" },
    });
    expect(entries.map(({ action, _count }) => [action, _count])).toEqual([
      ["group.create", 1],
      ["room.create", 4],
      ["room.prices", 4],
    ]);
  });

  it("joins a group that exists, and needs neither group nor price", async () => {
    const { id } = await groups.save(owner, { name: "Single", sort: 1 });
    await create({ numbers: "1-2", group: "Single" });
    await create({ numbers: "Attic" });
    expect((await rooms()).map(({ name, groupId }) => [name, groupId])).toEqual([
      ["1", id],
      ["2", id],
      ["Attic", null],
    ]);
  });

  it("is refused as a whole if a number is taken, and the numbers are named; another hotel may have them", async () => {
    await create({ numbers: "102, 104" });
    expect(await refusal(create({ numbers: "101–105", group: "New" }))).toEqual({
      code: "name_taken",
      fields: { numbers: { key: "validation.roomsTaken", params: { names: "102, 104" } } },
    });
    expect(await rooms()).toHaveLength(2);
    expect(await groups.list(owner)).toEqual([]);
    const other = await (await world.createHotel()).scope();
    expect(await create({ numbers: "101–105" }, other)).toEqual({ created: 5 });
  });

  it("is refused with a price under one, with unreadable numbers, and to staff", async () => {
    const low = { usualMinor: 50, weekendMinor: null };
    expect(await refusal(create({ numbers: "1", prices: low }))).toMatchObject({
      code: "invalid_input",
      fields: { "prices.usualMinor": { key: "validation.price" } },
    });
    expect(() => roomSeriesInput.parse({ numbers: "120–101" })).toThrow("validation.roomRange");
    expect(() => roomSeriesInput.parse({ numbers: " , " })).toThrow("validation.required");
    expect(() => roomSeriesInput.parse({ numbers: "1", prices: { usualMinor: null, weekendMinor: 900 } })).toThrow();
    const clerk = await hotel.scope("staff");
    expect(await refusal(create({ numbers: "1" }, clerk))).toMatchObject({ code: "no_permission" });
    expect(await rooms()).toEqual([]);
  });
});
