import { createPasscodeInput, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { list } from "./passcodes.queries.ts";
import * as passcodes from "./passcodes.service.ts";
import { doorCode } from "./passcodes.service.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-21T11:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;
let gymId: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await door("305");
  gymId = await door("Gym");
});

async function door(name: string): Promise<number> {
  const id = await hotel.createRoom(name);
  const mac = `02:00:00:00:04:${String(++serial).padStart(2, "0")}`;
  await world.database.prisma.lock.create({ data: { hotelId: hotel.id, roomId: id, mac, configuredAt: owner.now() } });
  return id;
}

const party = { unit: "day", startsAt: NOW, endsAt: END, guests: [{ name: "Ada" }] };
const checkIn = () => stays.checkIn(owner, checkInInput.parse({ ...party, roomId }));
const create = (input: object) =>
  passcodes.create(owner, createPasscodeInput.parse({ type: "air", person: "Ann", ...input }));
const listLive = (stayId: number) => list(owner, passcodesInput.parse({ stayId }));

it("is drawn once in the guest's name, however many ask, and returned again afterwards", async () => {
  const { stayId, stayGuestId } = await checkIn();
  const answers = await Promise.all([1, 2, 3].map(() => doorCode(owner, stayGuestId)));
  const [first] = answers;
  expect(first).toEqual({
    passcodeId: expect.any(Number),
    code: expect.stringMatching(/^\d{6}$/),
    validFrom: NOW,
    validTo: END,
  });
  expect(answers).toEqual([first, first, first]);
  expect((await listLive(stayId)).rows).toMatchObject([
    { id: first?.passcodeId, type: "air", person: "Ada", roomNames: "305" },
  ]);
  const auditEntry = await world.database.prisma.auditEntry.findMany({
    where: { hotelId: hotel.id, entity: "passcode" },
  });
  expect(auditEntry.map(({ action }) => action).sort()).toEqual([
    "passcode.create",
    "passcode.reveal",
    "passcode.reveal",
  ]);
});

it("is the party's existing code for this door, from the reservation on; codes of other doors do not count", async () => {
  const { stayId, stayGuestId } = await stays.reserve(owner, reserveInput.parse({ ...party, roomId }));
  const { passcodeId, code } = await create({ type: "custom", code: "482915", roomIds: [roomId, gymId], stayId });
  expect(await doorCode(owner, stayGuestId)).toMatchObject({ passcodeId, code });
  // A caller who can't see every door that the code opens receives another one.
  const clerk = await hotel.scope("staff", { capabilities: ["passcodes.issue"], roomIds: [roomId] });
  expect((await doorCode(clerk, stayGuestId)).passcodeId).not.toBe(passcodeId);
});

it("is not a code that opens only later", async () => {
  const { stayId, stayGuestId } = await checkIn();
  const later = new Date(Date.parse(NOW) + 6 * 3_600_000).toISOString();
  const { passcodeId } = await create({ type: "custom", code: "739164", roomIds: [roomId], stayId, validFrom: later });
  expect((await doorCode(owner, stayGuestId)).passcodeId).not.toBe(passcodeId);
});

it("is drawn again after it was taken back", async () => {
  const { stayGuestId } = await checkIn();
  const { passcodeId } = await doorCode(owner, stayGuestId);
  await passcodes.remove(owner, { passcodeId });
  expect((await doorCode(owner, stayGuestId)).passcodeId).not.toBe(passcodeId);
});

it("is refused without a lock, a current stay, or the right to issue codes", async () => {
  const { stayGuestId } = await checkIn();
  const viewer = await hotel.scope("staff", { capabilities: ["passcodes.view"], roomIds: [roomId] });
  await expect(doorCode(viewer, stayGuestId)).rejects.toMatchObject({ code: "no_permission" });
  const elsewhere = await hotel.scope("staff", { capabilities: ["passcodes.issue"], roomIds: [gymId] });
  await expect(doorCode(elsewhere, stayGuestId)).rejects.toMatchObject({ code: "not_found" });
  await expect(doorCode(owner, 2_000_000_000)).rejects.toMatchObject({ code: "not_found" });
  world.clock.set(END);
  await expect(doorCode(owner, stayGuestId)).rejects.toMatchObject({ code: "stay_expired" });
  world.clock.set(NOW);
  await world.database.prisma.lock.updateMany({ where: { roomId }, data: { roomId: null } });
  await expect(doorCode(owner, stayGuestId)).rejects.toMatchObject({ code: "lock_missing" });
});
