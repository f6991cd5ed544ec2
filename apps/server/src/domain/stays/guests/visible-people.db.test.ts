import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportColumn } from "@innkey/shared/imports/columns";
import { importRunInput } from "@innkey/shared/schemas/data";
import { moveReservationInput } from "@innkey/shared/schemas/overview/timeline";
import {
  checkInInput,
  checkOutInput,
  type GuestInput,
  guestInput,
  guestListInput,
  reserveInput,
} from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { preview, run } from "../../data/imports/imports.service.ts";
import { addGuest } from "../../desk/add-guest.ts";
import * as stays from "../../desk/public.ts";
import { correctGuest } from "../../desk/public.ts";
import { find } from "../../overview/search.queries.ts";
import { detail } from "../../overview/stays.queries.ts";
import { list as listGuests } from "./guest-list.queries.ts";
import { search } from "./guests.queries.ts";

const list = (scope: Scope, input: z.input<typeof guestListInput>) => listGuests(scope, guestListInput.parse(input));

const NOW = "2026-11-18T14:00:00.000Z";
const DESK = ["stays.view", "stays.manage", "rooms.view", "exports.make"];
const GRACE = {
  name: "Grace Hopper",
  documentNumber: "TR5557296",
  mobile: "+491701234567",
  email: "grace@navy.example",
};

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;
let otherRoomId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await hotel.createRoom("201");
  otherRoomId = await hotel.createRoom("101");
  await stays.checkIn(owner, booking(roomId, GRACE));
});

const booking = (room: number, ...people: Partial<GuestInput>[]) =>
  checkInInput.parse({ roomId: room, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z", guests: people });
const table = (rows: Partial<Record<ImportColumn, string>>[]) => {
  const mapping = Object.keys(rows[0] ?? {}) as ImportColumn[];
  return importRunInput.parse({ kind: "guests", mapping, rows: rows.map((row) => mapping.map((at) => row[at] ?? "")) });
};
const person = (name = GRACE.name) =>
  world.database.prisma.guest.findMany({ where: { hotelId: hotel.id, name }, orderBy: { id: "asc" } });
const inEveryRoom = (capabilities: string[] = []) =>
  hotel.scope("staff", { capabilities: [...DESK, ...capabilities], roomIds: [roomId, otherRoomId] });
const elsewhere = (capabilities: string[] = []) =>
  hotel.scope("staff", { capabilities: [...DESK, ...capabilities], roomIds: [otherRoomId] });

describe("an operator who cannot see documents", () => {
  it("does not learn from an import which number is a guest's", async () => {
    const clerk = await inEveryRoom();
    const guesses = ["TR5557295", "TR5557296", "TR5557297"].map((documentNumber, at) => ({
      ...{ name: GRACE.name, documentNumber, mobile: `+49171000000${at}` },
    }));
    expect((await preview(clerk, table(guesses))).acts).toEqual(["create", "create", "create"]);
    expect((await run(clerk, table(guesses))).acts).toEqual(["create", "create", "create"]);
    expect(await person()).toHaveLength(4);
  });

  it("finds nobody by a document, in lists, the form's search and the palette", async () => {
    const clerk = await inEveryRoom();
    const page = { page: 1, pageSize: 20 };
    const visibleTo = async (scope: Scope) => [
      (await list(scope, { keyword: "TR5557296", ...page })).total,
      (await search(scope, "TR5557296")).length,
      (await find(scope, "TR5557296")).guests.length,
    ];
    expect(await visibleTo(clerk)).toEqual([0, 0, 0]);
    expect(await visibleTo(await inEveryRoom(["guests.documents"]))).toEqual([1, 1, 1]);
  });

  it("sees two characters of a document at most", async () => {
    const [names] = await search(await inEveryRoom(), "Grace");
    expect(names?.documentNumber).toBe("•••••••96");
  });

  it("does not learn at the desk whose document it is, only of a namesake who is checked in", async () => {
    const clerk = await inEveryRoom();
    await stays.checkIn(clerk, booking(otherRoomId, { name: "Somebody", documentNumber: GRACE.documentNumber }));
    expect((await person()).length).toBe(1);
    const room = await hotel.createRoom("202");
    const wide = await hotel.scope("staff", { capabilities: DESK, roomIds: [roomId, room] });
    await expect(
      stays.checkIn(wide, booking(room, { name: "grace hopper", documentNumber: "WRONG1" })),
    ).rejects.toMatchObject({ code: "guest_already_in" });
  });
});

describe("an operator who cannot see a guest's room", () => {
  it("learns nothing of the guest from an import, and changes nothing", async () => {
    const clerk = await elsewhere(["guests.documents"]);
    const rows = [
      {
        name: GRACE.name,
        documentNumber: GRACE.documentNumber,
        mobile: "+4917699999999",
        email: "mallory@evil.example",
      },
      { name: GRACE.name, documentNumber: "", mobile: GRACE.mobile, email: "" },
      { name: GRACE.name, documentNumber: "", mobile: "+4917600000000", email: "" },
    ];
    const before = await person();
    expect((await preview(clerk, table(rows))).acts).toEqual(["create", "create", "create"]);
    expect((await run(clerk, table(rows))).acts).toEqual(["create", "create", "create"]);
    expect((await person()).slice(0, 1)).toEqual(before);
  });

  it("books somebody with the same name and document as a new person, without a question", async () => {
    const clerk = await elsewhere(["guests.documents"]);
    const before = await person();
    const mallory = { ...GRACE, mobile: "+4917699999999", email: "mallory@evil.example" };
    const { stayId } = await stays.checkIn(clerk, booking(otherRoomId, mallory));
    await addGuest(clerk, {
      stayId,
      guest: guestInput.parse({ ...mallory, name: "Bo" }),
      confirmAlreadyIn: true,
    });
    expect((await person())[0]).toEqual(before[0]);
    expect(await person()).toHaveLength(2);
  });

  it("leaves both people to a colleague who sees them, whose next booking uses the first one", async () => {
    await stays.checkIn(await elsewhere(["guests.documents"]), booking(otherRoomId, GRACE));
    const both = await inEveryRoom(["guests.documents"]);
    const again = booking(await hotel.createRoom("301"), { ...GRACE, mobile: "+4930111111" });
    await stays.reserve(await hotel.scope("administrator"), again);
    expect((await person()).map(({ mobile }) => mobile)).toEqual(["+4930111111", GRACE.mobile]);
    expect((await preview(both, table([{ name: GRACE.name, documentNumber: GRACE.documentNumber }]))).acts).toEqual([
      "update",
    ]);
  });
});

describe("an operator who sees one stay of a guest, but not the current one", () => {
  const LATER = { startsAt: "2026-11-25T14:00:00.000Z", endsAt: "2026-11-27T11:00:00.000Z" };
  const mallory = guestInput.parse({
    ...GRACE,
    mobile: "+4917699999999",
    email: "mallory@evil.example",
    nationality: "FR",
  });
  const correction = { ...mallory, name: "Mallory", documentNumber: null };
  const reserveOther = () => stays.reserve(owner, reserveInput.parse({ ...booking(otherRoomId, GRACE), ...LATER }));
  const auditEntry = () =>
    world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id, action: "guest.update" } });

  it("neither finds nor corrects the guest through a cancelled reservation", async () => {
    const { stayId, stayGuestId } = await reserveOther();
    await stays.cancelReservation(owner, { stayId });
    const before = await person();
    const clerk = await elsewhere();
    expect(await search(clerk, "Grace")).toEqual([]);
    await expect(correctGuest(clerk, { stayGuestId, guest: correction })).rejects.toMatchObject({
      code: "state_conflict",
    });
    expect(await person()).toEqual(before);
  });

  it("does not list the guest of a cancelled reservation; only those who see every room do", async () => {
    const stay = await stays.reserve(owner, reserveInput.parse({ ...booking(otherRoomId, { name: "Ada" }), ...LATER }));
    const page = guestListInput.parse({});
    const visibleTo = async (scope: Scope) => [
      (await list(scope, page)).rows.map(({ name }) => name),
      (await list(scope, page)).total,
      (await find(scope, "Ada")).guests.map(({ name }) => name),
      (await find(scope, String(stay.stayGuestId))).guests.map(({ name }) => name),
    ];
    const clerk = await elsewhere();
    expect(await visibleTo(clerk)).toEqual([["Ada"], 1, ["Ada"], ["Ada"]]);
    await stays.cancelReservation(owner, { stayId: stay.stayId });
    expect(await visibleTo(clerk)).toEqual([[], 0, [], []]);
    expect(await visibleTo(owner)).toEqual([["Ada", GRACE.name], 2, ["Ada"], ["Ada"]]);
  });

  it("does not find the guest through a reservation that was moved out of their room", async () => {
    const { stayId } = await reserveOther();
    await stays.moveReservation(
      owner,
      moveReservationInput.parse({ stayId, roomId: await hotel.createRoom("302"), ...LATER, channel: null }),
    );
    expect(await search(await elsewhere(["guests.documents"]), GRACE.documentNumber)).toEqual([]);
  });

  it("does not correct the guest through a past stay, even their own", async () => {
    const { stayId, stayGuestId } = await stays.checkIn(owner, booking(otherRoomId, { name: "Ada" }));
    await stays.checkOut(owner, checkOutInput.parse({ stayId, confirmUnpaid: true }));
    await expect(correctGuest(await elsewhere(), { stayGuestId, guest: correction })).rejects.toMatchObject({
      code: "state_conflict",
    });
  });

  it("corrects the guest of a visible stay as a separate person", async () => {
    const { stayId, stayGuestId } = await reserveOther();
    const before = await person();
    expect(before).toHaveLength(1);
    await correctGuest(await elsewhere(), { stayGuestId, guest: correction });
    expect(await person()).toEqual(before);
    expect((await detail(owner, stayId)).guests).toMatchObject([
      { stayGuestId, name: "Mallory", mobile: "+4917699999999", documentNumber: GRACE.documentNumber },
    ]);
    expect(await auditEntry()).toMatchObject([
      {
        before: {
          guestId: before[0]?.id,
          name: "G***",
          mobile: "***67",
          email: "g***@navy.example",
          nationality: null,
        },
        after: { name: "M***", mobile: "***99", nationality: "FR" },
      },
    ]);
  });

  it("moves a face along only if it opens only doors of the visible stay", async () => {
    const { stayId, stayGuestId } = await reserveOther();
    const [grace] = await person();
    const { prisma } = world.database;
    const { id: lockId } = await prisma.lock.create({
      data: { hotelId: hotel.id, mac: "AA:BB:CC:DD:EE:01" },
    });
    const face = async (of: number | null) => {
      const { id } = await prisma.face.create({
        data: { hotelId: hotel.id, note: "", guestId: grace?.id ?? 0, consentAt: NOW },
      });
      await prisma.credential.create({
        data: { hotelId: hotel.id, lockId, kind: "face", faceId: id, stayId: of, validFrom: NOW },
      });
      return id;
    };
    const [stayFace, generalFace] = [await face(stayId), await face(null)];
    await correctGuest(await elsewhere(), { stayGuestId, guest: correction });
    const holder = async (id: number) => (await prisma.face.findUniqueOrThrow({ where: { id } })).guestId;
    expect(await holder(generalFace)).toBe(grace?.id);
    expect(await holder(stayFace)).toBe((await person("Mallory"))[0]?.id);
  });

  it("books and imports the same document as a new person", async () => {
    await reserveOther();
    const before = await person();
    const clerk = await elsewhere(["guests.documents"]);
    const next = { startsAt: "2026-12-01T14:00:00.000Z", endsAt: "2026-12-02T11:00:00.000Z" };
    const { name, documentNumber, mobile } = mallory;
    expect((await preview(clerk, table([{ name, documentNumber, mobile: `${mobile}1` }]))).acts).toEqual(["create"]);
    await stays.reserve(clerk, reserveInput.parse({ ...booking(otherRoomId, mallory), ...next }));
    expect((await person()).slice(0, 1)).toEqual(before);
    expect(await person()).toHaveLength(2);
  });

  it("records a person's earlier data without showing it", async () => {
    await stays.reserve(owner, reserveInput.parse({ ...booking(otherRoomId, mallory), ...LATER }));
    expect(await person()).toHaveLength(1);
    expect(await auditEntry()).toMatchObject([
      { before: { mobile: "***67", email: "g***@navy.example" }, after: { mobile: "***99" } },
    ]);
  });
});

it("records that a table was previewed, without its contents", async () => {
  await preview(owner, table([{ name: "Ada", documentNumber: "X1" }]));
  const [entry] = await world.database.prisma.auditEntry.findMany({
    where: { action: "import.preview", hotelId: hotel.id },
  });
  expect(entry?.after).toEqual({ kind: "guests", create: 1 });
});

it("is the only place that looks documents up", () => {
  const root = join(import.meta.dirname, "../../..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("generated"),
  );
  const lookups = files.filter((name) =>
    /document\.fingerprints\(|\{ document \}.*fingerprints\(/.test(readFileSync(join(root, name), "utf8")),
  );
  expect(lookups).toEqual(["domain/stays/guests/identity.ts"]);
});
