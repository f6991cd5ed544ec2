import { prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { addGuestInput, checkInInput, reserveInput, updateGuestInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { confirm, prepare } from "../access/cards/cards.service.ts";
import * as faces from "../access/faces/faces.service.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
import { readGuestCodes } from "../access/public.ts";
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

const newCode = (person: string, holderId: number | null = null) =>
  passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], stayId, holderId, person }),
  );
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
/** The codes that a guest's page shows. */
const shownTo = async ({ id }: { id: number }) =>
  (await readGuestCodes(desk.owner, id, room.roomId)).map(({ passcodeId }) => passcodeId).toReversed();
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

it("leaves a code whose holder nothing says to the guest of the party who has the same name or phone number", async () => {
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

const correct = (stayGuestId: number, guest: { name: string; mobile?: string }, by = desk.owner) =>
  stays.correctGuest(by, updateGuestInput.parse({ stayGuestId, guest: { ...guest, documentNumber: null } }));

describe("the codes of two guests", () => {
  it("who have the same name are each one's own", async () => {
    await correct(ben.id, { name: "Ada Lovelace" });
    const [adas, bens] = [await newCode("Ada Lovelace", ada.id), await newCode("Ada Lovelace", ben.id)];
    // Nothing says which of the two is meant, so the desk hands this one over.
    const either = await newCode("ada lovelace");
    const [adasRow, bensRow] = [adas.passcodeId, bens.passcodeId];
    expect([await shownTo(ada), await shownTo(ben)]).toEqual([[adasRow], [bensRow]]);
    await stays.removeGuest(desk.owner, ben.id);
    expect(await liveKeys()).toEqual([adasRow, either.passcodeId]);
    expect(await shownTo(ada)).toEqual([adasRow, either.passcodeId]);
  });

  it("whose phone numbers became the same stay each one's own", async () => {
    const [adas, bens] = [await newCode("+49301234567"), await newCode("0307654321")];
    await correct(ben.id, { name: "Ben Medlar", mobile: "030 1234567" });
    expect([await shownTo(ada), await shownTo(ben)]).toEqual([[adas.passcodeId], [bens.passcodeId]]);
    await correct(ada.id, { name: "Ada Lovelace", mobile: "" });
    expect([await shownTo(ada), await shownTo(ben)]).toEqual([[adas.passcodeId], [bens.passcodeId]]);
    await stays.removeGuest(desk.owner, ada.id);
    expect(await liveKeys()).toEqual([bens.passcodeId]);
  });

  it("whose phone numbers differ only in the country's code are each one's own", async () => {
    await correct(ben.id, { name: "Ben Medlar", mobile: "+43301234567" });
    const [adas, bens] = [await newCode("+49 30 1234567"), await newCode("0043 30 1234567")];
    // Either number is spelled like this within its country.
    const either = await newCode("030 1234567");
    expect([await shownTo(ada), await shownTo(ben)]).toEqual([[adas.passcodeId], [bens.passcodeId]]);
    await stays.removeGuest(desk.owner, ben.id);
    expect(await liveKeys()).toEqual([adas.passcodeId, either.passcodeId]);
  });

  it("of whom a booking changes the phone number stay theirs", async () => {
    const documentNumber = "C01X00T4K";
    const guest = { name: "Ada Lovelace", mobile: "+49301234567", documentNumber };
    await stays.correctGuest(desk.owner, updateGuestInput.parse({ stayGuestId: ada.id, guest }));
    const [adas, party] = [await newCode("+49301234567"), await newCode("Nanny")];
    const period = { unit: "day", startsAt: "2026-11-25T14:00:00.000Z", endsAt: "2026-11-26T11:00:00.000Z" };
    const guests = [{ ...guest, mobile: "+436991112223" }];
    await stays.reserve(desk.owner, reserveInput.parse({ roomId: room.roomId, ...period, guests }));
    const renamed = await world.database.prisma.guest.findUniqueOrThrow({ where: { id: ada.guestId } });
    expect(renamed.mobile).toBe("+436991112223");
    expect([await shownTo(ada), await shownTo(ben)]).toEqual([[adas.passcodeId, party.passcodeId], [party.passcodeId]]);
    await stays.removeGuest(desk.owner, ada.id);
    expect(await liveKeys()).toEqual([party.passcodeId]);
  });

  it("don't change hands when a clerk names one like the other, or adds another of that name", async () => {
    const roomIds = [room.roomId];
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds });
    const adas = await newCode("Ada Lovelace");
    await correct(ben.id, { name: " ada lovelace", mobile: "+49301234567" }, clerk);
    const added = addGuestInput.parse({ stayId, guest: { name: "Ada Lovelace" }, confirmAlreadyIn: true });
    const third = { id: (await addGuest(clerk, added)).stayGuestId };
    await correct(ada.id, { name: "Somebody Else" }, clerk);
    expect(await Promise.all([ada, ben, third].map(shownTo))).toEqual([[adas.passcodeId], [], []]);
  });

  it("are given to nobody of another stay", async () => {
    const other = await desk.room("102");
    const party = { roomId: other.roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z" };
    const guests = [{ name: "Cleo Sorb" }];
    const { stayGuestId } = await stays.checkIn(desk.owner, checkInInput.parse({ ...party, guests }));
    await expect(newCode("Cleo Sorb", stayGuestId)).rejects.toMatchObject({ code: "not_found" });
    expect(await liveKeys()).toEqual([]);
  });
});
