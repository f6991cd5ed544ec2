import { prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { addGuestInput, checkInInput, reserveInput, updateGuestInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { confirm, prepare } from "../access/cards/cards.service.ts";
import * as faces from "../access/faces/faces.service.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
import { addGuest } from "./add-guest.ts";
import * as stays from "./public.ts";

const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;
let ada: { id: number; guestId: number };
let ben: { id: number; guestId: number };

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  const guests = [
    { name: "Ada Lovelace", mobile: "+49301234567" },
    { name: "Ben Medlar", mobile: "+49307654321" },
  ];
  const party = { roomId: room.roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z", guests };
  ({ stayId } = await stays.checkIn(desk.owner, checkInInput.parse(party)));
  const inOrder = { orderBy: { id: "asc" as const }, select: { id: true, guestId: true } };
  const rows = await world.database.prisma.stayGuest.findMany({ where: { stayId }, ...inOrder });
  [ada, ben] = rows as [typeof ada, typeof ben];
});

const newCode = (person: string) =>
  passcodes.create(desk.owner, createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], stayId, person }));
async function newCard(holderId: number | null): Promise<number> {
  const card = await prepare(desk.owner, prepareCardInput.parse({ stayId, uid: desk.newUid(), holderId }));
  await confirm(desk.owner, { cardId: card.cardId, readBack: card.data });
  return card.cardId;
}
async function newFace(guestId: number): Promise<number> {
  const data = { hotelId: hotel.id, note: "", guestId, consentAt: world.clock.now() };
  const { id } = await world.database.prisma.face.create({ data });
  await faces.grant(desk.owner, { faceId: id, stayId, roomIds: [], validFrom: null, validTo: null });
  return id;
}
const LIVE = { notIn: ["revoking" as const, "revoked" as const] };
async function liveKeys() {
  const where = { hotelId: hotel.id, stayId, state: LIVE };
  const keys = await world.database.prisma.credential.findMany({ where, orderBy: { id: "asc" } });
  return keys.map(({ passcodeId, faceId }) => passcodeId ?? faceId);
}

it("ends the cards, codes and face of the guest who leaves a party, and leaves the others theirs", async () => {
  const [adas, bens] = [await newCode("Ada Lovelace"), await newCode(" ben medlar")];
  const byNumber = await newCode("+49307654321");
  const [adasFace, bensFace] = [await newFace(ada.guestId), await newFace(ben.guestId)];
  const [adasCard, bensCard, nobodys] = [await newCard(ada.id), await newCard(ben.id), await newCard(null)];
  expect(await liveKeys()).toEqual([adas.passcodeId, bens.passcodeId, byNumber.passcodeId, adasFace, bensFace]);
  await stays.removeGuest(desk.owner, ben.id);
  expect(await liveKeys()).toEqual([adas.passcodeId, adasFace]);
  expect(await Promise.all([adasCard, bensCard, nobodys].map(desk.state))).toEqual(["active", "revoking", "active"]);
  const entry = await world.database.prisma.auditEntry.findFirst({
    where: { hotelId: hotel.id, action: "guest.remove" },
  });
  expect(entry).toMatchObject({ entityId: String(stayId), before: { stayGuestId: ben.id }, after: { endedKeys: 4 } });
});

it("leaves a code to the guest of the party who has the same name or phone number", async () => {
  const { prisma } = world.database;
  await prisma.guest.update({ where: { id: ada.guestId }, data: { mobile: "+49307654321" } });
  const shared = await newCode("+49307654321");
  const bens = await newCode("Ben Medlar");
  await stays.removeGuest(desk.owner, ben.id);
  expect(await liveKeys()).toEqual([shared.passcodeId]);
  const removed = await prisma.passcode.findUniqueOrThrow({ where: { id: bens.passcodeId } });
  expect(removed.deletedAt).toEqual(world.clock.now());
});

it("ends no keys if it fails: the last guest stays", async () => {
  await stays.removeGuest(desk.owner, ben.id);
  const { passcodeId } = await newCode("Ada Lovelace");
  await expect(stays.removeGuest(desk.owner, ada.id)).rejects.toMatchObject({ code: "last_guest" });
  expect(await liveKeys()).toEqual([passcodeId]);
});

it("ends a code that was made out to the guest's phone number in another spelling", async () => {
  const spellings = ["+49 (0)30 1234567", "0049 30 1234567", "030 1234567", "030/123 45-67", "49301234567"];
  for (const person of spellings) await newCode(person);
  const others = [await newCode("030 1234568"), await newCode("+43 30 1234567"), await newCode("1234567 Ltd")];
  await stays.removeGuest(desk.owner, ada.id);
  expect(await liveKeys()).toEqual(others.map(({ passcodeId }) => passcodeId));
});

it("ends the codes of a guest who was corrected on another stay", async () => {
  const { prisma } = world.database;
  const other = await desk.room("102");
  const period = { unit: "day", startsAt: "2026-11-25T14:00:00.000Z", endsAt: "2026-11-26T11:00:00.000Z" };
  const guests = [{ name: "Ada Lovelace" }];
  const next = await stays.reserve(desk.owner, reserveInput.parse({ roomId: other.roomId, ...period, guests }));
  await prisma.stayGuest.update({ where: { id: next.stayGuestId }, data: { guestId: ada.guestId } });
  const [byName, byNumber] = [await newCode("ada lovelace"), await newCode("030 1234567")];
  const bens = [await newCode("Ben Medlar"), await newCode("+49307654321")];
  const correct = (guest: { name: string; mobile: string }) =>
    stays.correctGuest(
      desk.owner,
      updateGuestInput.parse({ stayGuestId: next.stayGuestId, guest: { ...guest, documentNumber: null } }),
    );
  const personOf = async ({ passcodeId }: { passcodeId: number }) =>
    (await prisma.passcode.findUniqueOrThrow({ where: { id: passcodeId } })).person;
  await correct({ name: "Ada King", mobile: "+49301234999" });
  expect([await personOf(byName), await personOf(byNumber)]).toEqual(["Ada King", "+49301234999"]);
  await correct({ name: "Ada King", mobile: "" });
  expect(await personOf(byNumber)).toBe("Ada King");
  await stays.removeGuest(desk.owner, ada.id);
  expect(await liveKeys()).toEqual(bens.map(({ passcodeId }) => passcodeId));
});

it("go to nobody whom a clerk without the permission to give out codes names like another guest, on whichever stay", async () => {
  const { prisma } = world.database;
  const other = await desk.room("102");
  const period = { unit: "day", startsAt: "2026-11-25T14:00:00.000Z", endsAt: "2026-11-26T11:00:00.000Z" };
  const booking = { roomId: other.roomId, ...period, guests: [{ name: "Ben Medlar" }] };
  const next = await stays.reserve(desk.owner, reserveInput.parse(booking));
  await prisma.stayGuest.update({ where: { id: next.stayGuestId }, data: { guestId: ben.guestId } });
  const roomIds = [room.roomId, other.roomId];
  const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds });
  const guest = { name: " ada lovelace", mobile: "+49307654321", documentNumber: null };
  const rename = stays.correctGuest(clerk, updateGuestInput.parse({ stayGuestId: next.stayGuestId, guest }));
  await expect(rename).rejects.toMatchObject({ code: "guest_name_taken" });
  const added = addGuestInput.parse({ stayId, guest: { name: "Ada Lovelace" }, confirmAlreadyIn: true });
  await expect(addGuest(clerk, added)).rejects.toMatchObject({ code: "guest_name_taken" });
  await addGuest(desk.owner, added);
});
