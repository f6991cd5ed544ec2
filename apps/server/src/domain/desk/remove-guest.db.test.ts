import { prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { confirm, prepare } from "../access/cards/cards.service.ts";
import * as faces from "../access/faces/faces.service.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
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
