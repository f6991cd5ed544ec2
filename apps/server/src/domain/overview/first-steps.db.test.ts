import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestServer, failure, type TestServer } from "../../../test/harness/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

describe("the list of first steps", () => {
  it("counts what is done from the hotel's data, and is closed once for everybody", async () => {
    const hotel = await server.createHotel();
    const other = await server.createHotel();
    const { api } = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    const neighbour = await server.loginAs(await server.createOperator(other, { role: "owner" }));
    await neighbour.api.rooms.createSeries.mutate({ numbers: "1-9" });
    expect(await api.home.firstSteps.query()).toEqual({
      ...{ rooms: 0, roomsWithoutPrice: 0, cardReaders: 0, locks: 0, locksSetUp: 0, colleagues: 0 },
      hasCheckedIn: false,
    });
    await api.rooms.createSeries.mutate({ numbers: "1-2", prices: { usualMinor: 9500, weekendMinor: null } });
    await api.rooms.save.mutate({ name: "3", groupId: null, lock: { mac: "02:00:00:00:0A:01" } });
    const clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["hotel.view"] });
    expect(await api.home.firstSteps.query()).toMatchObject({
      ...{ rooms: 3, roomsWithoutPrice: 1, locks: 1, locksSetUp: 0, colleagues: 1, hasCheckedIn: false },
    });

    const staff = await server.loginAs(clerk);
    expect((await failure(staff.api.home.firstSteps.query())).code).toBe("no_permission");
    expect((await failure(staff.api.hotel.closeFirstSteps.mutate())).code).toBe("no_permission");

    const isOpen = async () => (await api.auth.status.query()).session?.gettingReady;
    await server.database.prisma.hotel.updateMany({ data: { gettingReady: true } });
    expect(await isOpen()).toBe(true);
    expect(await api.hotel.closeFirstSteps.mutate()).toEqual({ closed: true });
    expect(await api.hotel.closeFirstSteps.mutate()).toEqual({ closed: false });
    expect(await isOpen()).toBe(false);
    expect((await neighbour.api.auth.status.query()).session?.gettingReady).toBe(true);
    const entries = await server.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "hotel.update" },
    });
    expect(entries).toMatchObject([{ before: { gettingReady: true }, after: { gettingReady: false } }]);
  });
});
