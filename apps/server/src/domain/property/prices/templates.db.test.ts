import { DomainError } from "@innkey/shared/errors";
import { templateInput } from "@innkey/shared/schemas/property/price-templates";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { detail } from "../rooms/rooms.queries.ts";
import { setPrices } from "./prices.service.ts";
import * as queries from "./templates.service.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

const SEASON = {
  depositMinor: 5_000,
  usualMinor: 9_000,
  weekendMinor: 12_000,
  monthMinor: 200_000,
  dates: [
    { date: "2026-11-01", priceMinor: 8_000 },
    { date: "2026-12-24", priceMinor: 20_000 },
  ],
};
const season = (changes: object = {}, name = "Season") =>
  templateInput.parse({ name, prices: { ...SEASON, ...changes } });
const code = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => new Error("it went through"),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error.code;
  throw error;
};
const auditEntry = (hotelId: number, action: string) =>
  world.database.prisma.auditEntry.findMany({ where: { hotelId, action }, orderBy: { seq: "asc" } });

async function createTemplateHotel(): Promise<{
  hotelId: number;
  owner: Scope;
  roomIds: [number, number];
  templateId: number;
}> {
  const hotel = await world.createHotel();
  const owner = await hotel.scope();
  const { templateId } = await queries.save(owner, season());
  const roomIds: [number, number] = [
    await hotel.createRoom("1", { dates: [{ date: "2026-12-24", priceMinor: 30_000 }] }),
    await hotel.createRoom("2", null),
  ];
  return { hotelId: hotel.id, owner, roomIds, templateId };
}

describe("price templates", () => {
  it("have a name, are listed with their rooms, changed and removed, and each change is recorded", async () => {
    const { hotelId, owner, roomIds, templateId } = await createTemplateHotel();
    await queries.apply(owner, { templateId, roomIds });
    expect(await queries.list(owner)).toEqual([
      {
        id: templateId,
        name: "Season",
        depositMinor: 5_000,
        usualMinor: 9_000,
        weekendMinor: 12_000,
        dateCount: 1,
        rooms: [
          { id: roomIds[0], name: "1" },
          { id: roomIds[1], name: "2" },
        ],
      },
    ]);
    expect(await queries.info(owner, templateId)).toMatchObject({ name: "Season", prices: season().prices });

    await queries.save(owner, { ...season({ usualMinor: 9_500 }, "High season"), id: templateId });
    await queries.save(owner, { ...season({ usualMinor: 9_500 }, "High season"), id: templateId });
    expect(await auditEntry(hotelId, "priceTemplate.update")).toMatchObject([
      { before: { name: "Season", usualMinor: 9_000 }, after: { name: "High season", usualMinor: 9_500 } },
    ]);
    expect(await code(queries.save(owner, season({}, "High season")))).toBe("name_taken");
    expect(await code(queries.save(owner, season({ weekendMinor: 99 }, "Cheap")))).toBe("invalid_input");

    await queries.remove(owner, templateId);
    expect(await queries.list(owner)).toEqual([]);
    expect((await detail(owner, roomIds[0])).prices).toMatchObject({ usualMinor: 9_000 });
    expect(await queries.findRoomTemplate(owner, roomIds[0])).toBeNull();
    expect(await auditEntry(hotelId, "priceTemplate.remove")).toMatchObject([
      { before: { name: "High season", rooms: 2 } },
    ]);
  });

  it("show in advance which rooms would change, and which would not", async () => {
    const { owner, roomIds, templateId } = await createTemplateHotel();
    const [first, second] = roomIds;
    const before = await queries.preview(owner, { templateId, roomIds });
    expect(before.after).toMatchObject({ usualMinor: 9_000, monthMinor: 200_000, dateCount: 2 });
    expect(before.rooms).toMatchObject([
      { roomId: first, before: { usualMinor: 10_000, dateCount: 1 }, datesChanged: 2, changes: true },
      { roomId: second, before: null, datesChanged: 2, changes: true },
    ]);
    await queries.apply(owner, { templateId, roomIds: [first] });
    const after = await queries.preview(owner, { templateId, roomIds });
    expect(after.rooms.map(({ changes, datesChanged }) => [changes, datesChanged])).toEqual([
      [false, 0],
      [true, 2],
    ]);
  });

  it("set exactly their prices, dates included, and nothing the second time", async () => {
    const { hotelId, owner, roomIds, templateId } = await createTemplateHotel();
    expect(await queries.apply(owner, { templateId, roomIds })).toEqual({ updated: 2, unchanged: 0 });
    for (const roomId of roomIds) expect((await detail(owner, roomId)).prices).toEqual(season().prices);
    expect(await queries.apply(owner, { templateId, roomIds })).toEqual({ updated: 0, unchanged: 2 });
    expect(await auditEntry(hotelId, "priceTemplate.apply")).toMatchObject([{ after: { name: "Season", rooms: 2 } }]);
    const [of] = await auditEntry(hotelId, "room.prices");
    expect(of).toMatchObject({
      before: { usualMinor: 10_000, "2026-12-24": 30_000, templateId: null },
      after: { usualMinor: 9_000, "2026-12-24": 20_000, templateId },
    });
  });

  it("are detached from a room whose prices are changed by hand, but not from one saved unchanged", async () => {
    const { owner, roomIds, templateId } = await createTemplateHotel();
    await queries.apply(owner, { templateId, roomIds });
    const [first, second] = roomIds;
    await setPrices(owner, { roomIds: [first], prices: season().prices });
    await setPrices(owner, { roomIds: [second], prices: season({ usualMinor: 9_100 }).prices });
    expect(await queries.findRoomTemplate(owner, first)).toEqual({ id: templateId, name: "Season", same: true });
    expect(await queries.findRoomTemplate(owner, second)).toBeNull();
    await queries.save(owner, { ...season({ usualMinor: 7_000 }), id: templateId });
    expect(await queries.findRoomTemplate(owner, first)).toEqual({ id: templateId, name: "Season", same: false });
  });

  it("do not affect earlier charges", async () => {
    const { owner, roomIds, templateId } = await createTemplateHotel();
    const period = { unit: "day", startsAt: "2026-11-18T14:00:00.000Z", endsAt: "2026-11-20T10:00:00.000Z" };
    const guests = [{ name: "Ada" }];
    const { entryId } = await stays.checkIn(
      owner,
      checkInInput.parse({ ...period, roomId: roomIds[0], guests, depositMinor: 0 }),
    );
    const lines = () =>
      world.database.prisma.folioEntryLine.findMany({ where: { entryId }, select: { id: true, amountMinor: true } });
    const before = await lines();
    expect(before.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(20_000);
    await queries.apply(owner, { templateId, roomIds });
    expect(await lines()).toEqual(before);
  });

  it("are limited to operators who manage prices, in their own hotel, for all its named rooms or none", async () => {
    const { hotelId, owner, roomIds, templateId } = await createTemplateHotel();
    const stranger = await (await world.createHotel()).scope();
    const foreignRoom = await (await world.createHotel()).createRoom("9");
    const acts = (scope: Scope) => [
      () => queries.info(scope, templateId),
      () => queries.preview(scope, { templateId, roomIds }),
      () => queries.save(scope, { ...season(), id: templateId }),
      () => queries.apply(scope, { templateId, roomIds }),
      () => queries.remove(scope, templateId),
      () => queries.findRoomTemplate(scope, roomIds[0]),
    ];
    for (const act of acts(stranger)) expect(await code(act())).toBe("not_found");
    expect(await code(queries.apply(owner, { templateId, roomIds: [...roomIds, foreignRoom] }))).toBe("not_found");
    expect(await code(queries.preview(owner, { templateId, roomIds: [foreignRoom] }))).toBe("not_found");
    const clerk = await (await world.createHotel()).scope("staff", { capabilities: ["rooms.view"] });
    for (const act of acts(clerk).slice(0, 5)) expect(await code(act())).toBe("no_permission");
    expect(await code(queries.list(clerk))).toBe("no_permission");
    expect(await auditEntry(hotelId, "room.prices")).toEqual([]);
  });
});
