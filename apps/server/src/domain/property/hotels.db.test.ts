import { DomainError } from "@innkey/shared/errors";
import { hotelInput } from "@innkey/shared/schemas/property/hotel";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../../test/harness/hotel.ts";
import * as stays from "../desk/public.ts";
import { update } from "../desk/update-hotel.ts";
import { get } from "./hotels.service.ts";

const deps = { retention: { enqueue: async () => undefined } };
let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

describe("the hotel's data", () => {
  it("is read back as saved, and changes are recorded with the wifi password masked", async () => {
    const hotel = await world.createHotel();
    const owner = await hotel.scope();
    const { id, roomCount, lockCount, ...before } = await get(owner);
    expect({ id, roomCount, lockCount }).toEqual({ id: hotel.id, roomCount: 0, lockCount: 0 });
    const changed = {
      ...before,
      name: "Messing",
      timeZone: "Asia/Kathmandu",
      latitude: 27.7,
      wifiPassword: "hush-hush",
    };
    expect(await update(owner, deps, hotelInput.parse(changed))).toMatchObject(changed);
    const rows = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(rows).toMatchObject([{ action: "hotel.update", after: { name: "Messing", wifiPassword: "***" } }]);
    expect(Object.keys(Object(rows[0]?.after)).toSorted()).toEqual(["latitude", "name", "timeZone", "wifiPassword"]);
    expect(JSON.stringify(rows[0]?.after)).not.toContain("hush");
  });

  it("is changed in part; omitted and undefined fields keep their value", async () => {
    const hotel = await world.createHotel();
    const owner = await hotel.scope();
    const before = await get(owner);
    expect(await update(owner, deps, { notice: "Hush", name: undefined })).toEqual({ ...before, notice: "Hush" });
    const [row] = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(row?.after).toEqual({ notice: "***" });
  });

  it("writes times of day as its language or as the hotel chose", async () => {
    const hotel = await world.createHotel();
    const owner = await hotel.scope();
    const input = hotelInput.parse(await get(owner));
    expect(input.hourFormat).toBe("language");
    expect(await update(owner, deps, { ...input, hourFormat: "h24" })).toMatchObject({ hourFormat: "h24" });
    // A program that doesn't know the setting leaves it as it is.
    const { hourFormat: _, ...withoutSetting } = input;
    expect(await update(owner, deps, hotelInput.parse(withoutSetting))).toMatchObject({ hourFormat: "h24" });
    expect(hotelInput.safeParse({ ...input, hourFormat: "h11" }).success).toBe(false);
  });

  it("changes its currency only until the first folio entry", async () => {
    const hotel = await world.createHotel();
    const owner = await hotel.scope();
    const roomId = await hotel.createRoom("1");
    const inCurrency = async (currency: string) =>
      update(owner, deps, hotelInput.parse({ ...(await get(owner)), currency }));
    expect(await inCurrency("JPY")).toMatchObject({ currency: "JPY" });
    const period = { unit: "day", startsAt: owner.now().toISOString(), endsAt: "2026-11-19T10:00:00.000Z" };
    await stays.checkIn(owner, checkInInput.parse({ ...period, roomId, guests: [{ name: "Ada" }], depositMinor: 0 }));
    await expect(inCurrency("EUR")).rejects.toMatchObject({ code: "state_conflict" });
    expect(await get(owner)).toMatchObject({ currency: "JPY", roomCount: 1 });
  });

  it("is limited to operators who can see and change it", async () => {
    const hotel = await world.createHotel();
    const input = hotelInput.parse(await get(await hotel.scope()));
    await expect(get(await hotel.scope("staff"))).rejects.toEqual(new DomainError("no_permission"));
    const viewer = await hotel.scope("staff", { capabilities: ["hotel.view", "hotel.manage"] });
    expect((await get(viewer)).id).toBe(hotel.id);
    await expect(update(viewer, deps, input)).rejects.toEqual(new DomainError("no_permission"));
  });
});
