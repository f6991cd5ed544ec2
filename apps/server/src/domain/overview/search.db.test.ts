import { checkInInput, guestInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as stays from "../desk/public.ts";
import { find } from "./search.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";
let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
const rooms = new Map<string, number>();

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  const people = [
    "Zoë Ångström-Ørsted",
    "Jörg Weiß",
    "Ёлкина Юлия",
    "أحمد مُحَمَّد",
    "王秀英",
    "佐藤 ユキ",
    "김민수",
    "Robert Ann Smith",
    "Annegret Berg",
  ];
  for (const [index, name] of people.entries()) await checkIn(`R${index}`, { name, mobile: `+4917155501${index}9` });
});
afterAll(() => world.close());

async function checkIn(roomName: string, guest: { name: string; mobile?: string; documentNumber?: string }) {
  const roomId = await hotel.createRoom(roomName);
  rooms.set(guest.name, roomId);
  const period = { unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z" };
  return stays.checkIn(owner, checkInInput.parse({ roomId, ...period, guests: [guestInput.parse(guest)] }));
}
const names = async (query: string, scope = owner) => (await find(scope, query)).guests.map(({ name }) => name);

describe("guests", () => {
  it.each([
    ["zoe", "Zoë Ångström-Ørsted"],
    ["ORSTED", "Zoë Ångström-Ørsted"],
    ["ＡＮＧ", "Zoë Ångström-Ørsted"],
    ["orsted zoe", "Zoë Ångström-Ørsted"],
    ["weiss", "Jörg Weiß"],
    ["елки", "Ёлкина Юлия"],
    ["ю", "Ёлкина Юлия"],
    ["محمد", "أحمد مُحَمَّد"],
    ["اح", "أحمد مُحَمَّد"],
    ["王", "王秀英"],
    ["英", "王秀英"],
    ["秀英", "王秀英"],
    ["王秀英", "王秀英"],
    ["ゆき".normalize(), null],
    ["ユキ", "佐藤 ユキ"],
    ["ﾕｷ", "佐藤 ユキ"],
    ["佐", "佐藤 ユキ"],
    ["민수", "김민수"],
    ["수", "김민수"],
    ["+49 171 5550159", "佐藤 ユキ"],
    ["5550169", "김민수"],
    ["%", null],
    ["__", null],
  ])("are found by %s", async (query, expected) => {
    expect(await names(query)).toEqual(expected === null ? [] : [expected]);
  });

  it("are listed with names that begin with the text first, and exact ones before all", async () => {
    expect(await names("ann")).toEqual(["Annegret Berg", "Robert Ann Smith"]);
    await checkIn("R20", { name: "Ann" });
    expect(await names("ann")).toEqual(["Ann", "Annegret Berg", "Robert Ann Smith"]);
  });

  it("are found by a complete document number only, and by the number of their stay", async () => {
    const { stayGuestId } = await checkIn("R30", { name: "Docu Ment", documentNumber: "C01X-00 47" });
    expect(await names("c01x0047")).toEqual(["Docu Ment"]);
    expect(await names("c01x004")).toEqual([]);
    expect((await find(owner, String(stayGuestId))).guests[0]).toMatchObject({ stayGuestId, name: "Docu Ment" });
  });

  it("are not found once erased", async () => {
    await checkIn("R40", { name: "Vanishing Person" });
    await world.database.prisma.guest.updateMany({
      where: { name: "Vanishing Person" },
      data: { erasedAt: new Date() },
    });
    expect(await names("vanishing")).toEqual([]);
  });
});

describe("other results", () => {
  it("include rooms, customers, cards, entries and codes by name and number", async () => {
    const { prisma } = world.database;
    const { id: hotelId } = hotel;
    const roomId = await hotel.createRoom("Quince 7");
    const customer = { hotelId, name: "Grün & Söhne", company: "Quincey GmbH" };
    await prisma.customer.create({ data: customer });
    await prisma.customer.create({ data: { ...customer, name: "Gone", deletedAt: new Date(NOW) } });
    const keys = {
      cipher: "aes" as const,
      sectors: [1],
      block: 0,
      keyType: "A" as const,
      siteCode: 1,
      keysBox: Buffer.alloc(1),
    };
    const profile = await prisma.cardProfile.create({ data: { hotelId, ...keys } });
    const card = { hotelId, uid: "DA3CBC66", kind: "universal", note: "Quince spare", state: "active" } as const;
    await prisma.card.create({ data: { ...card, profileId: profile.id, sequence: 0, validFrom: NOW } });
    const code = { hotelId, type: "air", codeBox: Buffer.alloc(1), person: "Quince painter", roomId } as const;
    await prisma.passcode.create({ data: { ...code, validFrom: NOW } });
    const { entryId } = await checkIn("R50", { name: "Payer" });

    expect(await find(owner, "quince")).toMatchObject({
      rooms: [{ roomId, name: "Quince 7" }],
      guests: [],
      customers: [{ name: "Grün & Söhne" }],
      cards: [{ uid: "DA3CBC66", kind: "universal", live: true, stayGuestId: null }],
      passcodes: [{ person: "Quince painter", roomName: "Quince 7", ended: false }],
    });
    expect((await find(owner, "grun sohne")).customers).toHaveLength(1);
    for (const uid of ["da:3c:bc:66", "3661413478", "66BC3CDA", "da3c"])
      expect((await find(owner, uid)).cards, uid).toMatchObject([{ uid: "DA3CBC66" }]);
    expect((await find(owner, String(entryId))).entries).toMatchObject([{ entryId, guestName: "Payer" }]);
  });

  it("are at most six of a kind", async () => {
    for (let serial = 0; serial < 8; serial += 1) await hotel.createRoom(`Many ${serial}`);
    expect((await find(owner, "many")).rooms.map(({ name }) => name)).toEqual(
      Array.from({ length: 6 }, (_, serial) => `Many ${serial}`),
    );
  });
});

describe("access to results", () => {
  it("is limited to one's own hotel", async () => {
    const stranger = await (await world.createHotel()).scope();
    for (const query of ["zoe", "王", "c01x0047", "DA3CBC66", "quince", "1"])
      expect(Object.values(await find(stranger, query)).flat(), query).toEqual([]);
  });

  it("is limited by the permissions and rooms of staff", async () => {
    const roomIds = [rooms.get("王秀英") ?? 0, rooms.get("Ann") ?? 0];
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "rooms.view"], roomIds });
    expect(await names("王", clerk)).toEqual(["王秀英"]);
    expect(await names("ann", clerk)).toEqual(["Ann"]);
    expect(await names("c01x0047", clerk)).toEqual([]);
    expect(await find(clerk, "quince")).toMatchObject({ rooms: [], customers: [], cards: [], passcodes: [] });
    expect((await find(clerk, "r20")).rooms).toMatchObject([{ name: "R20" }]);
    expect((await find(clerk, "r30")).rooms).toEqual([]);
    const keys = await hotel.scope("staff", { capabilities: ["cards.view", "passcodes.view", "folio.view"], roomIds });
    expect(Object.values(await find(keys, "quince")).flat()).toEqual([]);
    await expect(find(await hotel.scope("staff"), "zoe")).rejects.toMatchObject({ code: "no_permission" });
  });
});
