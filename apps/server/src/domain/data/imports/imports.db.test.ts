import type { ImportColumn, ImportKind } from "@innkey/shared/imports/columns";
import { importRunInput } from "@innkey/shared/schemas/data";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { preview, run } from "./imports.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

type Line = Partial<Record<ImportColumn, string>>;
type Options = { skipErrors?: boolean; existing?: "skip" | "update"; dateOrder?: "auto" | "dmy" | "mdy" };

function tableOf(kind: ImportKind, lines: Line[], options: Options = {}) {
  const mapping = [...new Set(lines.flatMap((line) => Object.keys(line) as ImportColumn[]))];
  const rows = lines.map((line) => mapping.map((column) => line[column] ?? ""));
  return importRunInput.parse({ kind, mapping, rows, ...options });
}
const look = (kind: ImportKind, lines: Line[], options?: Options, scope = owner) =>
  preview(scope, tableOf(kind, lines, options));
const take = (kind: ImportKind, lines: Line[], options?: Options, scope = owner) =>
  run(scope, tableOf(kind, lines, options));
const problemsOf = async (kind: ImportKind, lines: Line[], options?: Options) =>
  (await look(kind, lines, options)).problems.map(({ row, column, key }) => `${row} ${column} ${key}`);
const roomRows = () =>
  world.database.prisma.room.findMany({
    where: { hotelId: hotel.id },
    orderBy: { name: "asc" },
    include: { lock: true, price: true, group: true },
  });
const count = (table: "room" | "customer" | "guest" | "stay"): Promise<number> => {
  const counts = {
    room: () => world.database.prisma.room.count({ where: { hotelId: hotel.id } }),
    customer: () => world.database.prisma.customer.count({ where: { hotelId: hotel.id } }),
    guest: () => world.database.prisma.guest.count({ where: { hotelId: hotel.id } }),
    stay: () => world.database.prisma.stay.count({ where: { hotelId: hotel.id } }),
  };
  return counts[table]();
};

describe("rooms", () => {
  const FULL: Line = {
    name: "101",
    group: "Garden",
    floor: "1",
    sort: "5",
    remarkName: "Sea view",
    description: "Two beds",
    bulletin: "Welcome",
    mac: "a4c138001f2b",
    bluetoothName: "INK-101",
    deposit: "50",
    usual: "1.120,50 €",
    weekend: "130.00",
    renewal: "100",
  };

  it("are created with group, lock and prices", async () => {
    const lines = [FULL, { ...FULL, name: "102", mac: "a4-c1-38-00-1f-2c", usual: "90", weekend: "", floor: "-1" }];
    expect(await look("rooms", lines)).toMatchObject({
      acts: ["create", "create"],
      problems: [],
      newGroups: ["Garden"],
    });
    expect(await count("room")).toBe(0);
    expect(await take("rooms", lines)).toMatchObject({ acts: ["create", "create"], problems: [] });
    expect(await roomRows()).toMatchObject([
      {
        name: "101",
        floor: 1,
        sort: 5,
        remarkName: "Sea view",
        bulletin: "Welcome",
        group: { name: "Garden" },
        lock: { mac: "A4:C1:38:00:1F:2B", bluetoothName: "INK-101" },
        price: { depositMinor: 5000, usualMinor: 112_050, weekendMinor: 13_000, renewalMinor: 10_000, hourMinor: null },
      },
      { name: "102", floor: -1, group: { name: "Garden" }, price: { usualMinor: 9000, weekendMinor: 9000 } },
    ]);
    const entries = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(entries.filter(({ action }) => action === "import.run")).toMatchObject([{ after: { create: 2 } }]);
    expect(entries.filter(({ action }) => action === "room.create")).toHaveLength(2);
  });

  it("that exist are skipped, or changed where the table differs", async () => {
    await take("rooms", [FULL]);
    const again: Line = { name: "101", floor: "7", mac: "", remarkName: "", usual: "200" };
    expect((await take("rooms", [again])).acts).toEqual(["skip"]);
    expect((await roomRows())[0]).toMatchObject({ floor: 1 });
    expect((await take("rooms", [again], { existing: "update" })).acts).toEqual(["update"]);
    expect((await roomRows())[0]).toMatchObject({
      floor: 7,
      remarkName: "Sea view",
      lock: { mac: "A4:C1:38:00:1F:2B" },
      price: { usualMinor: 20_000, weekendMinor: 13_000, depositMinor: 5000 },
    });
  });

  it("take over unused registered locks, and start sequences above all existing cards", async () => {
    const { prisma } = world.database;
    await prisma.room.create({ data: { hotelId: hotel.id, name: "9", cardSequence: 7 } });
    const { id } = await prisma.lock.create({ data: { hotelId: hotel.id, mac: "A4:C1:38:00:00:01" } });
    const lines = [FULL, { ...FULL, name: "102", mac: "a4c138000001" }, { name: "103" }];
    expect((await take("rooms", lines)).problems).toEqual([]);
    expect(await roomRows()).toMatchObject([
      { name: "101", cardSequence: 0 },
      { name: "102", lock: { id } },
      { name: "103", cardSequence: 0, lock: null },
      { name: "9", cardSequence: 7 },
    ]);
  });

  it("with errors prevent the import of all others, until the rest is requested", async () => {
    const lines: Line[] = [
      { ...FULL, name: "" },
      { ...FULL, floor: "first", usual: "cheap", mac: "12" },
      { ...FULL, name: "103", mac: "a4c138001f2d" },
      { ...FULL, name: "103", mac: "a4c138001f2d", usual: "0.5" },
      { name: "104", deposit: "10" },
      { name: "105", bluetoothName: "INK" },
    ];
    expect(await problemsOf("rooms", lines)).toEqual([
      "0 name validation.required",
      "1 floor validation.integer",
      "1 mac validation.mac",
      "1 usual validation.amount",
      "3 usual validation.price",
      "3 name imports.problem.nameTwice",
      "3 mac imports.problem.macTwice",
      "4 usual validation.required",
      "5 mac validation.mac",
    ]);
    await expect(take("rooms", lines)).rejects.toMatchObject({ code: "import_has_errors" });
    expect(await count("room")).toBe(0);
    expect((await take("rooms", lines, { skipErrors: true })).acts).toEqual([
      "error",
      "error",
      "create",
      "error",
      "error",
      "error",
    ]);
    expect((await roomRows()).map(({ name }) => name)).toEqual(["103"]);
    expect(await problemsOf("rooms", [{ name: "106", mac: "a4c138001f2d" }])).toEqual(["0 mac validation.macTaken"]);
  });
});

describe("customers", () => {
  it("are imported once, with the kind named in any language", async () => {
    const lines: Line[] = [
      { kind: "Firma", name: "Reisen GmbH", mobile: "+49 171 5550100", email: "Desk@Reisen.example" },
      { kind: "个人", name: "王伟", mobile: "" },
      { kind: "", name: "王伟", mobile: "", note: "again" },
      { kind: "ship", name: "Bo", email: "no mail" },
    ];
    expect(await problemsOf("customers", lines)).toEqual(["3 kind validation.choice", "3 email validation.email"]);
    await expect(take("customers", lines)).rejects.toMatchObject({ code: "import_has_errors" });
    expect((await take("customers", lines, { skipErrors: true })).acts).toEqual(["create", "create", "skip", "error"]);
    expect((await take("customers", lines.slice(0, 3))).acts).toEqual(["skip", "skip", "skip"]);
    const rows = await world.database.prisma.customer.findMany({
      where: { hotelId: hotel.id },
      orderBy: { id: "asc" },
    });
    expect(rows).toMatchObject([
      { kind: "company", mobile: "+491715550100", email: "desk@reisen.example" },
      { kind: "person", name: "王伟" },
    ]);
  });
});

describe("guests", () => {
  const HERE = { arrival: "2026-11-17", departure: "2026-11-20" };

  it("are imported once as people, with words of any language", async () => {
    const lines: Line[] = [
      {
        name: "Anna",
        gender: "женский",
        nationality: "Deutschland",
        birthDate: "4.5.1990",
        documentType: "护照",
        documentNumber: "C01X",
      },
      { name: "李伟", gender: "男", nationality: "中国", birthDate: "1990年5月4日", mobile: "138 0000 1111" },
      { name: "Bo", gender: "?", nationality: "Atlantis", birthDate: "03/04/1990", documentType: "stone" },
    ];
    expect(await problemsOf("guests", lines)).toEqual([
      "2 gender validation.choice",
      "2 nationality validation.country",
      "2 birthDate imports.problem.dateAmbiguous",
      "2 documentType validation.choice",
    ]);
    const good = lines.slice(0, 2);
    expect((await take("guests", good)).acts).toEqual(["create", "create"]);
    expect((await take("guests", good)).acts).toEqual(["update", "skip"]);
    expect(await count("guest")).toBe(2);
    const rows = await world.database.prisma.guest.findMany({ where: { hotelId: hotel.id }, orderBy: { id: "asc" } });
    expect(rows).toMatchObject([
      { gender: "female", nationality: "DE", birthDate: new Date("1990-05-04"), documentType: "passport" },
      { gender: "male", nationality: "CN", birthDate: new Date("1990-05-04"), mobile: "13800001111" },
    ]);
    const result = await take("guests", [{ name: "Cy", birthDate: "03/04/1990" }], { dateOrder: "mdy" });
    expect(result.acts).toEqual(["create"]);
  });

  it("with a room are checked in or reserved, one party per room, for the agreed or the room's price", async () => {
    const [currentRoomId, later] = [await hotel.createRoom("201"), await hotel.createRoom("202")];
    const lines: Line[] = [
      { name: "Ann", room: "201", ...HERE, price: "250,00" },
      { name: "Bob", room: "201", ...HERE },
      { name: "Cleo", room: "202", arrival: "01.12.2026", departure: "03.12.2026 10:30" },
    ];
    const preview = await look("guests", lines);
    expect(preview).toMatchObject({ acts: ["checkIn", "checkIn", "reserve"], parties: [0, 0, 2], problems: [] });
    expect(await count("stay")).toBe(0);
    expect((await take("guests", lines)).acts).toEqual(["checkIn", "checkIn", "reserve"]);
    const stays = await world.database.prisma.stay.findMany({
      where: { hotelId: hotel.id },
      orderBy: { id: "asc" },
      include: { occupancies: true, guests: true, entries: true },
    });
    expect(stays).toMatchObject([
      {
        state: "checked_in",
        startsAt: new Date("2026-11-17T13:00:00.000Z"),
        endsAt: new Date("2026-11-20T11:00:00.000Z"),
        depositMinor: 0,
        occupancies: [{ roomId: currentRoomId }],
        guests: [{ primary: true }, { primary: false }],
        entries: [{ amountMinor: 25_000 }],
      },
      {
        state: "reserved",
        endsAt: new Date("2026-12-03T09:30:00.000Z"),
        occupancies: [{ roomId: later }],
        entries: [{ amountMinor: 20_000 }],
      },
    ]);
  });

  it("whose stay is impossible are listed with the reason, together with their party", async () => {
    const roomId = await hotel.createRoom("301");
    await hotel.createRoom("302", null);
    for (const name of ["303", "304", "305"]) await hotel.createRoom(name);
    const period = { unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z" };
    await stays.checkIn(owner, checkInInput.parse({ roomId, ...period, guests: [{ name: "Ann" }] }));
    const lines: Line[] = [
      { name: "A", room: "301", ...HERE },
      { name: "B", room: "302", ...HERE },
      { name: "C", room: "999", ...HERE },
      { name: "D", room: "303", arrival: "2026-11-10", departure: "2026-11-12" },
      { name: "E", room: "303", arrival: "2026-01-01", departure: "2026-12-12" },
      { name: "F", room: "304", ...HERE },
      { name: "", room: "304", ...HERE },
      { name: "G", room: "", ...HERE },
      { name: "H", room: "305", ...HERE },
      { name: "I", room: "305", arrival: "2026-11-18", departure: "2026-11-19" },
      { name: "J", room: "305", arrival: "2026-12-01", departure: "2026-12-01 13:00" },
      { name: "K", room: "303", arrival: "2026-12-01", departure: "2026-12-03", price: "0,10" },
      { name: "L", room: "304", arrival: "2026-12-01", departure: "2026-12-02" },
      { name: "M", room: "304", arrival: "2026-12-01", departure: "2026-12-03" },
    ];
    const problems = await problemsOf("guests", lines);
    expect(problems).toEqual([
      "0 room errors.room_taken",
      "1 null errors.price_missing",
      "2 room imports.problem.roomUnknown",
      "3 departure validation.departurePast",
      "4 arrival validation.pastArrival",
      "5 null imports.problem.partyWrong",
      "6 name validation.required",
      "7 room validation.required",
      "9 room errors.room_taken",
      "10 departure validation.endBeforeStart",
      "11 price validation.price",
      "12 null imports.problem.partyWrong",
      "13 departure imports.problem.partyDiffers",
    ]);
    await expect(take("guests", lines)).rejects.toMatchObject({ code: "import_has_errors" });
    expect(await count("stay")).toBe(1);
    const rest = await take("guests", lines, { skipErrors: true });
    expect(rest.acts.filter((act) => act !== "error")).toEqual(["checkIn"]);
    expect(await count("stay")).toBe(2);
  });

  it("who were checked in elsewhere meanwhile stop only their own party", async () => {
    const [first, second] = [await hotel.createRoom("401"), await hotel.createRoom("402")];
    await hotel.createRoom("403");
    const period = { unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z" };
    const twin = { name: "Twin", documentNumber: "T-1" };
    await stays.checkIn(owner, checkInInput.parse({ roomId: first, ...period, guests: [twin] }));
    const result = await take("guests", [
      { ...twin, room: "402", ...HERE },
      { name: "Other", documentNumber: "O-1", room: "403", ...HERE },
    ]);
    expect(result).toMatchObject({
      acts: ["error", "checkIn"],
      problems: [{ row: 0, column: null, key: "errors.guest_already_in" }],
    });
    expect(await world.database.prisma.occupancy.count({ where: { roomId: second } })).toBe(0);
  });
});

describe("access to imports", () => {
  it("requires the permission for what the table changes, and is limited to one's rooms", async () => {
    const [ownRoomId, other] = [await hotel.createRoom("501"), await hotel.createRoom("502")];
    const clerk = await hotel.scope("staff", { capabilities: ["stays.manage"], roomIds: [ownRoomId] });
    const stay = { arrival: "2026-11-17", departure: "2026-11-20" };
    for (const kind of ["rooms", "customers"] as const) {
      await expect(look(kind, [{ name: "X" }], {}, clerk)).rejects.toMatchObject({ code: "no_permission" });
      await expect(take(kind, [{ name: "X" }], {}, clerk)).rejects.toMatchObject({ code: "no_permission" });
    }
    const agreed = [{ name: "X", room: "501", ...stay, price: "80" }];
    await expect(look("guests", agreed, {}, clerk)).rejects.toMatchObject({ code: "no_permission" });
    expect(await look("guests", [{ name: "X", room: "502", ...stay }], {}, clerk)).toMatchObject({
      problems: [{ column: "room", key: "imports.problem.roomUnknown" }],
    });
    expect((await take("guests", [{ name: "X", room: "501", ...stay }], {}, clerk)).acts).toEqual(["checkIn"]);
    expect(await world.database.prisma.occupancy.count({ where: { roomId: other } })).toBe(0);
    const stranger = await (await world.createHotel()).scope();
    expect(await look("guests", [{ name: "X", room: "501", ...stay }], {}, stranger)).toMatchObject({
      problems: [{ column: "room", key: "imports.problem.roomUnknown" }],
    });
    expect((await look("rooms", [{ name: "501" }], {}, stranger)).acts).toEqual(["create"]);
  });
});
