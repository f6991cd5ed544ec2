import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createDeskWithGuest } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestWorld } from "../../../test/harness/hotel.ts";
import { create as createPasscode, remove as removePasscode } from "../access/passcodes/passcodes.service.ts";
import * as stays from "../desk/public.ts";
import { boardMarks } from "./board-marks.queries.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const HOUR_MS = 3_600_000;

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());

const hours = (count: number): string => new Date(Date.parse(NOW) + count * HOUR_MS).toISOString();
const booking = (roomId: number | undefined, from: number, to: number) => ({
  ...{ roomId, unit: "day", startsAt: hours(from), endsAt: hours(to), guests: [{ name: "Ann" }] },
});

it("marks who in the house or arriving today owes something, and asks the database once", async () => {
  const hotel = await world.createHotel();
  const owner = await hotel.scope();
  const rooms: number[] = [];
  for (const name of ["101", "102", "103", "104"]) rooms.push(await hotel.createRoom(name));
  const arrive = (room: number, channel: "cash" | null) =>
    stays.checkIn(owner, checkInInput.parse({ ...booking(rooms[room], 0, 44), channel }));
  const reserve = (room: number, from: number) =>
    stays.reserve(owner, reserveInput.parse(booking(rooms[room], from, from + 20)));
  const owing = await arrive(0, null);
  await arrive(1, "cash");
  const expected = await reserve(2, 3);
  await reserve(3, 40);
  const queries = vi.spyOn(owner.sql, "prepared");
  const marks = await boardMarks(owner);
  const owed = (stayId: number) => marks.find((mark) => mark.stayId === stayId)?.owedMinor ?? null;
  expect(marks.every(({ key }) => key === null)).toBe(true);
  expect(marks.map(({ stayId }) => stayId)).toContain(owing.stayId);
  expect(owed(owing.stayId)).toBeGreaterThan(0);
  const accounts = await owner.sql.rows<{ owed: number }>(
    "SELECT owed_minor::float8 AS owed FROM stay_account WHERE hotel_id = $1 AND stay_id = ANY ($2::int[]) ORDER BY stay_id",
    [owing.stayId, expected.stayId],
  );
  expect([owed(owing.stayId), owed(expected.stayId) ?? 0]).toEqual(accounts.map((account) => account.owed));
  expect(marks.length).toBeLessThanOrEqual(2);
  expect(queries).toHaveBeenCalledTimes(1);
  queries.mockRestore();
});

it("says that guests have no key, that it waits for the lock, and nothing once they have one", async () => {
  const { desk, stayId, room } = await createDeskWithGuest(world);
  const key = async () => (await boardMarks(desk.owner)).find((mark) => mark.stayId === stayId)?.key ?? null;
  expect(await key()).toBe("none");
  const code = createPasscodeInput.parse({
    type: "custom",
    code: "482915",
    stayId,
    roomIds: [room.roomId],
    person: "Ann",
  });
  const { passcodeId } = await createPasscode(desk.owner, code);
  expect(await key()).toBe("waiting");
  await desk.deliver(room.lock.id);
  expect(await key()).toBeNull();
  await removePasscode(desk.owner, { passcodeId });
  expect(await key()).toBe("none");
  await desk.issue(stayId, desk.newUid(), { confirm: true });
  expect(await key()).toBeNull();
});

it("shows staff only their rooms, and money and keys only to those who may see them", async () => {
  const { hotel, desk, room, stayId } = await createDeskWithGuest(world);
  const other = await hotel.createRoom("202");
  await stays.checkIn(desk.owner, checkInInput.parse({ ...booking(other, 0, 44), channel: null }));
  const staff = (capabilities: string[], roomIds: number[]) =>
    hotel.scope("staff", { capabilities: ["stays.view", ...capabilities], roomIds } as never);
  expect(await boardMarks(await staff([], [room.roomId, other]))).toEqual([]);
  expect(await boardMarks(await staff(["cards.view"], [room.roomId]))).toEqual([
    { stayId, roomId: room.roomId, owedMinor: null, key: "none" },
  ]);
  expect(await boardMarks(await staff(["folio.view"], [other]))).toMatchObject([{ roomId: other, key: null }]);
  expect(await boardMarks(await staff(["folio.view", "cards.view"], []))).toEqual([]);
  const stranger = await (await world.createHotel()).scope();
  expect(await boardMarks(stranger)).toEqual([]);
  const keeper = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [room.roomId] });
  await expect(boardMarks(keeper)).rejects.toMatchObject({ code: "no_permission" });
});
