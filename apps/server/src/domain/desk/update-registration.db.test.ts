import { checkInInput, reserveInput, updateRegistrationInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import { detail } from "../overview/stays.queries.ts";
import * as stays from "./public.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-21T11:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await hotel.createRoom("305");
});

const ADA = { name: "Ada", documentNumber: "P1", nationality: "GB", mobile: "+441234", email: "" };
const booking = () => ({ roomId, unit: "day", startsAt: NOW, endsAt: END, guests: [ADA] });
const reserve = () => stays.reserve(owner, reserveInput.parse(booking()));
const checkIn = () => stays.checkIn(owner, checkInInput.parse(booking()));
const updateRegistration = (
  input: Omit<z.input<typeof updateRegistrationInput>, "arrival"> & { arrival?: object | null },
  scope = owner,
) => stays.updateRegistration(scope, updateRegistrationInput.parse({ arrival: null, ...input }));
const actions = async () => {
  const rows = await world.database.prisma.auditEntry.findMany({
    where: { hotelId: hotel.id },
    orderBy: { seq: "asc" },
  });
  return rows.map(({ action }) => action);
};

it("changes the given fields, keeps the others, and records each change", async () => {
  const { stayId, stayGuestId, entryId } = await checkIn();
  const before = (await actions()).length;
  const done = await updateRegistration({ stayGuestId, guest: { name: "Ada King" }, breakfast: true });
  expect(done).toEqual({ stayId, stayGuestId, entryId, totalMinor: 35_000, depositMinor: 20_000 });
  const stay = await detail(owner, stayId);
  expect(stay).toMatchObject({ breakfast: true, otherInformation: "", disableOldCards: true });
  expect(stay.guests).toMatchObject([{ ...ADA, name: "Ada King" }]);
  expect((await actions()).slice(before)).toEqual(["guest.update", "stay.update"]);
});

it("checks in a reserved party, or leaves it reserved", async () => {
  const { stayId, stayGuestId } = await reserve();
  await updateRegistration({ stayGuestId, guest: { name: "Ada" }, otherInformation: "Late" });
  expect(await detail(owner, stayId)).toMatchObject({ state: "reserved", otherInformation: "Late" });
  const arrived = await updateRegistration({ stayGuestId, guest: { name: "Ada" }, arrival: { depositMinor: 500 } });
  expect(arrived).toMatchObject({ stayId, stayGuestId, depositMinor: 500 });
  expect((await detail(owner, stayId)).state).toBe("checked_in");
  // A party that is already checked in doesn't check in again.
  expect(await updateRegistration({ stayGuestId, guest: { name: "Ada" }, arrival: {} })).toMatchObject({
    depositMinor: 500,
  });
});

it("makes all changes or none", async () => {
  const { stayId, stayGuestId } = await reserve();
  await world.database.prisma.room.update({ where: { id: roomId }, data: { condition: "dirty" } });
  const form = { stayGuestId, guest: { name: "Other" }, breakfast: true };
  await expect(updateRegistration({ ...form, arrival: {} })).rejects.toMatchObject({ code: "room_not_ready" });
  expect(await detail(owner, stayId)).toMatchObject({ state: "reserved", breakfast: false, guests: [{ name: "Ada" }] });
});

it("refuses a form with another room or time than the stay's, to the second", async () => {
  const { stayGuestId } = await checkIn();
  const guest = { name: "Ada" };
  const refusal = (input: object) =>
    updateRegistration({ stayGuestId, guest, ...input }).catch((error: unknown) => error);
  expect(await refusal({ roomId: roomId + 1 })).toMatchObject({ code: "state_conflict", fields: { roomId: {} } });
  expect(await refusal({ endsAt: "2026-11-21T11:00:01.000Z" })).toMatchObject({ fields: { endsAt: {} } });
  expect(await refusal({ startsAt: END })).toMatchObject({ fields: { startsAt: {} } });
  await updateRegistration({ stayGuestId, guest, roomId, startsAt: NOW, endsAt: "2026-11-21T11:00:00.900Z" });
});

it("requires the permission, one of the caller's rooms, and a stay that is not over", async () => {
  const { stayId, stayGuestId } = await checkIn();
  const form = { stayGuestId, guest: { name: "Ada" } };
  const clerk = await hotel.scope("staff", { capabilities: ["stays.manage"] });
  await expect(updateRegistration(form, clerk)).rejects.toMatchObject({ code: "not_found" });
  await expect(updateRegistration(form, await hotel.scope("staff"))).rejects.toMatchObject({ code: "no_permission" });
  const input = { stayId, refundDeposit: true, refundUnusedMinor: 0, channel: null, refundChannel: "cash" as const };
  const departure = await stays.checkOut(owner, { ...input, confirmUnpaid: true });
  expect(departure).toMatchObject({ roomStatus: "dirty", depositUsedMinor: 20_000, refundMinor: 0 });
  expect(departure.entryId).toBe((await detail(owner, stayId)).entries.at(-1)?.id);
  await expect(updateRegistration(form)).rejects.toMatchObject({ code: "state_conflict" });
});
