import { checkInInput, guestListInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as desk from "../../desk/public.ts";
import { countByState, list as listGuests } from "./guest-list.queries.ts";
import { search } from "./guests.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";

const PROFILE = {
  cipher: "aes" as const,
  sectors: [1],
  block: 0,
  keyType: "A" as const,
  siteCode: 1,
  keysBox: Buffer.alloc(1),
};

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let rooms: Record<string, number>;

interface Person {
  name: string;
  mobile?: string;
  documentNumber?: string;
}

function booking(room: string, person: Person, startsAt: string, endsAt: string, more: object = {}) {
  return { roomId: rooms[room], unit: "day", startsAt, endsAt, guests: [person], ...more };
}

const checkIn = (room: string, person: Person, endsAt: string, more: object = {}) =>
  desk.checkIn(owner, checkInInput.parse(booking(room, person, NOW, endsAt, more)));
const reserve = (room: string, person: Person, startsAt: string, endsAt: string, more: object = {}) =>
  desk.reserve(owner, reserveInput.parse(booking(room, person, startsAt, endsAt, more)));

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  rooms = {};
  for (const name of ["608", "12", "9", "10"]) rooms[name] = await hotel.createRoom(name);
  await checkIn(
    "608",
    { name: "Chiara Ferrari", mobile: "+393331234567", documentNumber: "YA1234567" },
    "2026-11-20T11:00:00.000Z",
    {
      otherInformation: "Allergic to pistachios",
    },
  );
  await checkIn("12", { name: "Jürgen Møller", mobile: "+4915116081234" }, "2026-11-19T11:00:00.000Z", {
    channel: "cash",
  });
  await reserve("9", { name: "Chiara Bianchi" }, "2026-11-19T14:00:00.000Z", "2026-11-25T11:00:00.000Z");
  await reserve(
    "10",
    { name: "Zoë Ångström", mobile: "01511234567" },
    "2026-11-26T14:00:00.000Z",
    "2026-11-27T11:00:00.000Z",
  );
});
afterAll(() => world.close());

async function names(input: z.input<typeof guestListInput>, scope = owner): Promise<string[]> {
  const { rows, total } = await listGuests(scope, guestListInput.parse(input));
  expect(total).toBe(rows.length);
  return rows.map(({ name }) => name);
}

describe("the search", () => {
  it.each([
    ["ferrari chiara", ["Chiara Ferrari"]],
    ["chiara", ["Chiara Bianchi", "Chiara Ferrari"]],
    ["moller", ["Jürgen Møller"]],
    ["ANGSTROM zoe", ["Zoë Ångström"]],
    ["+39 333 1234567", ["Chiara Ferrari"]],
    ["0039 333 123-4567", ["Chiara Ferrari"]],
    ["0151 16081234", ["Jürgen Møller"]],
    ["+49 (151) 1608", ["Jürgen Møller"]],
    ["0151 1234567", ["Zoë Ångström"]],
    ["1608", ["Jürgen Møller"]],
    ["608", ["Chiara Ferrari"]],
    ["ferrari 608", ["Chiara Ferrari"]],
    ["608 ferr", ["Chiara Ferrari"]],
    ["608 bianchi", []],
    ["ya 1234567", ["Chiara Ferrari"]],
    ["YA12345", []],
    ["pistachios allergic", ["Chiara Ferrari"]],
    ["nobody", []],
    ["%", []],
    ["--", []],
  ])("%s", async (keyword, expected) => {
    expect(await names({ keyword })).toEqual(expected);
  });

  it("finds a room by digits that are also in phone numbers, and phone numbers by digits that are no room", async () => {
    expect(await names({ keyword: "12" })).toEqual(["Jürgen Møller"]);
    expect(await names({ keyword: "3331" })).toEqual(["Chiara Ferrari"]);
  });

  it("finds a card's guests for callers who may see cards", async () => {
    const { stayId } = (await listGuests(owner, guestListInput.parse({ keyword: "ferrari" }))).rows[0] ?? { stayId: 0 };
    const { cardProfile, card } = world.database.prisma;
    const profile = await cardProfile.create({ data: { hotelId: hotel.id, ...PROFILE } });
    const key = { hotelId: hotel.id, kind: "guest", uid: "5D02E7A6", state: "active" } as const;
    await card.create({ data: { ...key, stayId, profileId: profile.id, sequence: 0, validFrom: NOW } });
    expect(await names({ keyword: "5d:02:e7:a6" })).toEqual(["Chiara Ferrari"]);
    const roomIds = Object.values(rooms);
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds });
    expect(await names({ keyword: "5D02E7A6" }, clerk)).toEqual([]);
    expect(await names({ keyword: "ya1234567" }, clerk)).toEqual([]);
    const holder = await hotel.scope("staff", { capabilities: ["stays.view", "guests.documents"], roomIds });
    expect(await names({ keyword: "ya1234567" }, holder)).toEqual(["Chiara Ferrari"]);
  });

  it("finds nothing outside the caller's rooms or hotel", async () => {
    const roomIds = [rooms["9"] ?? 0];
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds });
    expect(await names({ keyword: "chiara" }, clerk)).toEqual(["Chiara Bianchi"]);
    expect(await names({ keyword: "608" }, clerk)).toEqual([]);
    expect(await names({ keyword: "pistachios" }, clerk)).toEqual([]);
    expect(await names({ keyword: "chiara" }, await (await world.createHotel()).scope())).toEqual([]);
    expect(await countByState(clerk, { keyword: "chiara", by: "stay" })).toEqual({
      reserved: 1,
      in: 0,
      expired: 0,
      out: 0,
      cancelled: 0,
      no_show: 0,
    });
  });

  it("fills the form of a returning guest by words in any order", async () => {
    expect((await search(owner, "ferrari chia")).map(({ name }) => name)).toEqual(["Chiara Ferrari"]);
    expect((await search(owner, "0151 1234567")).map(({ name }) => name)).toEqual(["Zoë Ångström"]);
    expect(await search(owner, "…")).toEqual([]);
  });
});

describe("the list", () => {
  it("is sorted by name, room, arrival, departure or balance, both ways", async () => {
    const all = ["Chiara Bianchi", "Chiara Ferrari", "Jürgen Møller", "Zoë Ångström"];
    expect(await names({ sort: "name" })).toEqual(all);
    expect(await names({ sort: "-name" })).toEqual(all.toReversed());
    const byRoom = ["Chiara Bianchi", "Zoë Ångström", "Jürgen Møller", "Chiara Ferrari"];
    expect(await names({ sort: "room" })).toEqual(byRoom);
    expect(await names({ sort: "-room" })).toEqual(byRoom.toReversed());
    expect((await names({})).slice(0, 2)).toEqual(["Zoë Ångström", "Chiara Bianchi"]);
    expect(await names({ sort: "departure" })).toEqual([
      "Jürgen Møller",
      "Chiara Ferrari",
      "Chiara Bianchi",
      "Zoë Ångström",
    ]);
    expect(await names({ sort: "-balance", state: "in" })).toEqual(["Chiara Ferrari", "Jürgen Møller"]);
    expect(await names({ sort: "balance", state: "in" })).toEqual(["Jürgen Møller", "Chiara Ferrari"]);
  });

  it("sorts by balance only for those who see money, and not over all stays ever", async () => {
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: Object.values(rooms) });
    await expect(names({ sort: "balance", state: "in" }, clerk)).rejects.toMatchObject({ code: "no_permission" });
    await expect(names({ sort: "balance" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(names({ sort: "balance", state: "out" })).rejects.toMatchObject({ code: "invalid_input" });
    const [mine] = (await listGuests(owner, guestListInput.parse({ keyword: "moller" }))).rows;
    const [theirs] = (await listGuests(clerk, guestListInput.parse({ keyword: "moller" }))).rows;
    expect(mine).toMatchObject({ balanceMinor: 0, cardCount: 0 });
    expect(theirs).toMatchObject({ balanceMinor: null, cardCount: null });
  });

  it("finds stays, arrivals or departures in a period", async () => {
    const tomorrow = { from: "2026-11-18T23:00:00.000Z", to: "2026-11-19T23:00:00.000Z" };
    expect((await names(tomorrow)).toSorted()).toEqual(["Chiara Bianchi", "Chiara Ferrari", "Jürgen Møller"]);
    expect(await names({ ...tomorrow, by: "arrival" })).toEqual(["Chiara Bianchi"]);
    expect(await names({ ...tomorrow, by: "departure" })).toEqual(["Jürgen Møller"]);
    expect(await countByState(owner, { keyword: "", ...tomorrow, by: "arrival" })).toMatchObject({
      reserved: 1,
      in: 0,
    });
  });

  it("counts the guests of each state", async () => {
    expect(await countByState(owner, { keyword: "", by: "stay" })).toEqual({
      reserved: 2,
      in: 2,
      expired: 0,
      out: null,
      cancelled: null,
      no_show: null,
    });
    expect(await countByState(owner, { keyword: "chiara", by: "stay" })).toEqual({
      reserved: 1,
      in: 1,
      expired: 0,
      out: 0,
      cancelled: 0,
      no_show: 0,
    });
  });
});
