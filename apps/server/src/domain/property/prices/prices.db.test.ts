import { DomainError } from "@innkey/shared/errors";
import { pricesInput } from "@innkey/shared/schemas/property/rooms";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";
import { detail } from "../rooms/rooms.queries.ts";
import { roomPrices, setPrices } from "./prices.service.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

const prices = (input: Partial<z.input<typeof pricesInput>> = {}) =>
  pricesInput.parse({ depositMinor: 0, usualMinor: 9_000, weekendMinor: 12_000, ...input });

async function failure(act: Promise<unknown>): Promise<DomainError> {
  const error = await act.then(
    () => new Error("it went through"),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  throw error;
}

describe("setting prices", () => {
  it("gives rooms the same prices and replaces their special dates", async () => {
    const hotel = await world.createHotel();
    const owner = await hotel.scope();
    const roomIds = [
      await hotel.createRoom("1", null),
      await hotel.createRoom("2", { dates: [{ date: "2026-12-01", priceMinor: 500 }] }),
    ];
    const dates = [
      { date: "2026-12-31", priceMinor: 30_000 },
      { date: "2026-12-24", priceMinor: 20_000 },
    ];
    expect(await setPrices(owner, { roomIds, prices: prices({ monthMinor: 150_000, dates }) })).toEqual({ updated: 2 });
    const read = await roomPrices(owner.sql, roomIds);
    expect(read.get(roomIds[0] ?? 0)).toEqual({
      depositMinor: 0,
      usualMinor: 9_000,
      weekendMinor: 12_000,
      renewalMinor: null,
      hourMinor: null,
      monthMinor: 150_000,
      yearMinor: null,
      dates: { "2026-12-24": 20_000, "2026-12-31": 30_000 },
    });
    expect(read.get(roomIds[1] ?? 0)).toEqual(read.get(roomIds[0] ?? 0));
    expect((await detail(owner, roomIds[0] ?? 0)).prices?.dates.map(({ date }) => date)).toEqual([
      "2026-12-24",
      "2026-12-31",
    ]);
  });

  it("records only changes, including a removed date, and nothing the second time", async () => {
    const hotel = await world.createHotel();
    const owner = await hotel.scope();
    const roomIds = [
      await hotel.createRoom("1", {
        usualMinor: 9_000,
        weekendMinor: 12_000,
        depositMinor: 0,
        dates: [{ date: "2026-12-01", priceMinor: 500 }],
      }),
    ];
    await setPrices(owner, { roomIds, prices: prices({ hourMinor: 2_000 }) });
    expect(await setPrices(owner, { roomIds, prices: prices({ hourMinor: 2_000 }) })).toEqual({ updated: 0 });
    const rows = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(rows).toMatchObject([
      {
        action: "room.prices",
        before: { hourMinor: null, "2026-12-01": 500 },
        after: { hourMinor: 2_000, "2026-12-01": null },
      },
    ]);
  });

  it.each([
    ["EUR", 99, 100],
    ["JPY", 0, 1],
    ["KWD", 999, 1_000],
  ])("in %s refuses %d and accepts %d, one major unit", async (currency, tooLittle, enough) => {
    const hotel = await world.createHotel({ currency });
    const owner = await hotel.scope();
    const roomIds = [await hotel.createRoom("1", null)];
    const cheap = {
      ...prices(),
      weekendMinor: tooLittle,
      hourMinor: tooLittle,
      dates: [{ date: "2026-12-24", priceMinor: tooLittle }],
    };
    const { code, fields } = await failure(setPrices(owner, { roomIds, prices: cheap }));
    const key = "validation.price";
    const paths = ["prices.weekendMinor", "prices.hourMinor", "prices.dates.0.priceMinor"];
    expect({ code, fields }).toEqual({
      code: "invalid_input",
      fields: Object.fromEntries(paths.map((path) => [path, { key }])),
    });
    expect(await roomPrices(owner.sql, roomIds)).toEqual(new Map());
    const dates = [{ date: "2026-12-24", priceMinor: enough }];
    await setPrices(owner, { roomIds, prices: prices({ usualMinor: enough, weekendMinor: enough, dates }) });
    expect((await detail(owner, roomIds[0] ?? 0)).usualMinor).toBe(enough);
  });

  it("changes no room when one of them belongs to another hotel", async () => {
    const [hotel, other] = [await world.createHotel(), await world.createHotel()];
    const roomIds = [await hotel.createRoom("1"), await other.createRoom("1")];
    expect((await failure(setPrices(await hotel.scope(), { roomIds, prices: prices() }))).code).toBe("not_found");
    const staff = await hotel.scope("staff", { capabilities: ["prices.manage"], roomIds });
    expect((await failure(setPrices(staff, { roomIds, prices: prices() }))).code).toBe("no_permission");
    expect((await detail(await hotel.scope(), roomIds[0] ?? 0)).usualMinor).toBe(10_000);
  });
});
