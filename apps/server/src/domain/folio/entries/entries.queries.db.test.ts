import { entryListInput } from "@innkey/shared/schemas/folio";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";
import * as stays from "../../desk/public.ts";
import { list } from "./entries.service.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());

describe("the sums of listed entries", () => {
  it("cover the whole list on every page, and nothing of another hotel", async () => {
    const hotel = await world.createHotel();
    const owner = await hotel.scope();
    const roomId = await hotel.createRoom("101");
    const stay = checkInInput.parse({
      roomId,
      unit: "day",
      startsAt: NOW,
      endsAt: "2026-11-21T11:00:00.000Z",
      guests: [{ name: "Ada Lovelace" }],
      channel: "card",
    });
    const { stayId } = await stays.checkIn(owner, stay);
    await stays.checkOut(owner, {
      stayId,
      refundDeposit: true,
      refundUnusedMinor: 0,
      channel: null,
      refundChannel: "cash",
      confirmUnpaid: false,
    });

    const totals = {
      chargedMinor: 35_000,
      channels: [
        { channel: "card", takenMinor: 35_000, returnedMinor: 0 },
        { channel: "cash", takenMinor: 20_000, returnedMinor: 20_000 },
      ],
    };
    expect(await list(owner, entryListInput.parse({}))).toMatchObject({ total: 3, totals });
    expect(await list(owner, entryListInput.parse({ pageSize: 1, page: 2 }))).toMatchObject({ total: 3, totals });
    expect((await list(owner, entryListInput.parse({ type: "deposit" }))).totals).toEqual({
      chargedMinor: 0,
      channels: [{ channel: "cash", takenMinor: 20_000, returnedMinor: 0 }],
    });

    for (const keyword of ["lovelace ada", "ADA", "101"]) {
      expect(await list(owner, entryListInput.parse({ keyword })), keyword).toMatchObject({ total: 3, totals });
    }
    expect(await list(owner, entryListInput.parse({ keyword: "Babbage" }))).toMatchObject({ rows: [], total: 0 });

    const stranger = await (await world.createHotel()).scope();
    const nothing = { rows: [], total: 0, totals: { chargedMinor: 0, channels: [] } };
    expect(await list(stranger, entryListInput.parse({}))).toEqual(nothing);
  });
});
