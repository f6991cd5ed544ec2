import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "../test/harness/browser.ts";
import { createTestServer, type TestServer } from "../test/harness/server.ts";

/** All values of the forms are stored and returned (source: the product specification, section 3). */
let server: TestServer;
let desk: Browser;
beforeAll(async () => {
  server = await createTestServer();
  const hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
});
afterAll(() => server.close());

const inHours = (hours: number): string => new Date(server.clock.now().getTime() + hours * 3_600_000).toISOString();

it("stores a room's names, texts and lock", async () => {
  const { id: groupId } = await desk.api.groups.save.mutate({ name: "North", sort: 2 });
  const texts = {
    name: "301",
    remarkName: "Sea view",
    description: "Two beds",
    bulletin: "Welcome",
    notice: "Pool at 8",
  };
  const lock = { mac: "A4:C1:38:00:1F:2B", bluetoothName: "IK-301" };
  const { roomId } = await desk.api.rooms.save.mutate({ ...texts, groupId, lock });
  expect(await desk.api.rooms.detail.query({ roomId })).toMatchObject({
    ...texts,
    groupName: "North",
    status: "vacant",
    lock: { ...lock, id: expect.any(Number), power: null },
  });
});

it("stores a party's identity, contact, times and wishes", async () => {
  const { roomId } = await desk.api.rooms.save.mutate({ name: "302", groupId: null });
  const identity = { name: "Ann", gender: "female", nationality: "DE", birthDate: "1990-01-01" } as const;
  const document = { documentType: "id_card", documentNumber: "C01X" } as const;
  const contact = { mobile: "+49301234567", email: "ann@example.test" };
  const wishes = { breakfast: true, otherInformation: "two pillows", disableOldCards: false, idCardMatch: true };
  const period = { unit: "day", startsAt: inHours(0), endsAt: inHours(48) } as const;
  const guests = [{ ...identity, ...document, ...contact }];
  const input = { roomId, ...period, ...wishes, guests, agreedTotalMinor: 5_000, depositMinor: 0 };
  const { stayId } = await desk.api.stays.checkIn.mutate(input);
  expect(await desk.api.stays.detail.query({ stayId })).toMatchObject({ ...period, ...wishes, guests });
  const changed = { breakfast: false, otherInformation: "three", idCardMatch: false };
  await desk.api.stays.update.mutate({ stayId, ...changed });
  expect(await desk.api.stays.detail.query({ stayId })).toMatchObject(changed);
});

it("stores an administrator's identity and account", async () => {
  const identity = { name: "Bo", gender: "male", nationality: "SE", birthDate: "1985-06-07" } as const;
  const account = "bo@example.test";
  await desk.api.staff.save.mutate({ ...identity, account, password: "key-at-night", role: "administrator" });
  const row = (await desk.api.staff.list.query()).find(({ email }) => email === account);
  expect(row).toMatchObject({ ...identity, role: "administrator", mobile: null, frozen: false });
  expect(row?.registeredAt).toBe(server.clock.now().toISOString());
});

it("stores a hotel's name, address, phone and place", async () => {
  const { id: _id, roomCount: _rooms, lockCount: _locks, ...before } = await desk.api.hotel.get.query();
  const location = { name: "Messing", address: "Ring 1", tel: "+49301234567", latitude: 52.5, longitude: 13.4 };
  await desk.api.hotel.update.mutate({ ...before, ...location });
  expect(await desk.api.hotel.get.query()).toMatchObject(location);
});
