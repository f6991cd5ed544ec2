import { DomainError } from "@innkey/shared/errors";
import { type Board, type BoardDifference, board, boardDifference } from "@innkey/shared/schemas/property/rooms";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as stays from "../desk/public.ts";
import { setStatus } from "../desk/set-room-status.ts";
import * as groups from "../property/rooms/groups.service.ts";
import { BoardReader } from "./board.queries.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const MIDNIGHT = "2026-11-18T23:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let reader: BoardReader;
let rooms: number[];

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  rooms = [await hotel.createRoom("101"), await hotel.createRoom("102")];
  reader = new BoardReader();
});

const roomAt = (index: number): number => rooms[index] ?? 0;

async function version(): Promise<string> {
  const state = await world.database.prisma.hotelState.findUniqueOrThrow({ where: { hotelId: hotel.id } });
  return String(state.boardVersion);
}

async function read(scope = owner): Promise<Board & { etag: string }> {
  const body = await reader.read(scope, await version());
  return { ...board.parse(JSON.parse(body.json.toString())), etag: body.etag };
}

const dirty = (...roomIds: number[]) => setStatus(owner, { roomIds, status: "dirty", until: null, note: "" });
const isCurrent = async (etag: string, scope = owner): Promise<boolean> =>
  reader.isCurrent(scope, etag, await version());

describe("the board's JSON", () => {
  it("matches the board's contract, with guests, prices and groups", async () => {
    const { id: groupId } = await groups.save(owner, { name: 'North "wing"', sort: 3 });
    const input = {
      roomId: roomAt(0),
      unit: "day",
      startsAt: NOW,
      endsAt: "2026-11-20T10:00:00.000Z",
      depositMinor: 0,
    };
    const names = [{ name: 'Ærø "Æ" 山田\\' }, { name: "Second" }];
    const stay = await stays.checkIn(owner, checkInInput.parse({ ...input, guests: names, breakfast: true }));
    const board = await read();
    expect(board).toMatchObject({ version: await version(), changesAt: MIDNIGHT });
    expect(board.groups).toEqual([{ id: groupId, name: 'North "wing"', sort: 3 }]);
    expect(board.rooms).toMatchObject([
      {
        id: roomAt(0),
        name: "101",
        status: "checked_in",
        usualMinor: 10_000,
        lock: null,
        current: {
          stayId: stay.stayId,
          stayGuestId: stay.stayGuestId,
          guestName: 'Ærø "Æ" 山田\\',
          guestCount: 2,
          endsAt: "2026-11-20T10:00:00.000Z",
          breakfast: true,
        },
      },
      { id: roomAt(1), status: "vacant", current: null, next: null, maintenance: null },
    ]);
  });

  it("is empty, not broken, for a hotel without rooms", async () => {
    const scope = await (await world.createHotel()).scope();
    const body = await reader.read(scope, "1");
    expect(board.parse(JSON.parse(body.json.toString()))).toMatchObject({ rooms: [], groups: [] });
  });

  it("shows the next of several reservations", async () => {
    for (const day of ["25", "21", "23"]) {
      const period = { startsAt: `2026-11-${day}T14:00:00.000Z`, endsAt: `2026-11-${Number(day) + 1}T10:00:00.000Z` };
      const guests = [{ name: `Guest of ${day}` }];
      await stays.reserve(owner, reserveInput.parse({ roomId: roomAt(0), unit: "day", ...period, guests }));
    }
    expect((await read()).rooms[0]).toMatchObject({ status: "vacant", next: { guestName: "Guest of 21" } });
  });
});

describe("a client's version", () => {
  it("is current until something is written", async () => {
    const { etag } = await read();
    expect(await isCurrent(etag)).toBe(true);
    expect(await isCurrent(`W/${etag}`)).toBe(true);
    await dirty(roomAt(0));
    expect(await isCurrent(etag)).toBe(false);
    expect((await read()).rooms[0]?.status).toBe("dirty");
  });

  it("is outdated once the hotel's midnight or an end of maintenance has passed", async () => {
    expect((await read()).changesAt).toBe(MIDNIGHT);
    const until = "2026-11-18T16:00:00.000Z";
    await setStatus(owner, { roomIds: [roomAt(0)], status: "maintenance", until, note: "" });
    const first = await read();
    expect(first).toMatchObject({ changesAt: until, rooms: [{ status: "maintenance" }, { status: "vacant" }] });
    world.clock.set("2026-11-18T15:59:59.999Z");
    expect(await isCurrent(first.etag)).toBe(true);
    world.clock.set(until);
    expect(await isCurrent(first.etag)).toBe(false);
    const second = await read();
    expect(second).toMatchObject({ changesAt: MIDNIGHT, rooms: [{ status: "vacant" }, { status: "vacant" }] });
    world.clock.set(MIDNIGHT);
    expect(await isCurrent(second.etag)).toBe(false);
  });

  it("is outdated with the tag of other rooms, another format or none", async () => {
    const staff = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [roomAt(0)] });
    const { etag } = await read();
    expect(await isCurrent(etag, staff)).toBe(false);
    const twin = await (await world.createHotel()).scope();
    expect(await version()).toBe("1");
    expect(reader.isCurrent(twin, etag, "1")).toBe(false);
    for (const tag of ["*", '""', "1", `${etag}x`, etag.replace("-all", "")]) expect(await isCurrent(tag)).toBe(false);
  });
});

describe("computing the board", () => {
  it("happens once for concurrent and later readers, until the version changes", async () => {
    const now = await version();
    await Promise.all(Array.from({ length: 20 }, () => reader.read(owner, now)));
    await reader.read(await hotel.scope("administrator"), now);
    expect(reader.counts).toEqual({ reads: 21, builds: 1, differences: 0 });
    await dirty(roomAt(0));
    await read();
    expect(reader.counts).toEqual({ reads: 22, builds: 1, differences: 1 });
  });

  it("never returns a board older than the requested version", async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { prepared } = owner.sql;
    const slow = vi.spyOn(owner.sql, "prepared").mockImplementationOnce(async (name, text, ...params) => {
      const result = await prepared(name, text, ...params);
      await gate;
      return result as never[];
    });
    const old = reader.read(owner, await version());
    await dirty(roomAt(1));
    const fresh = read();
    const alsoOld = reader.read(owner, "1");
    await version();
    release();
    slow.mockRestore();
    expect((await fresh).rooms[1]?.status).toBe("dirty");
    expect(await alsoOld).toBe(await old);
    expect(reader.counts).toMatchObject({ builds: 1, differences: 1 });
  });

  it("fails for all who wait, and the next reader computes again", async () => {
    const broken = vi.spyOn(owner.sql, "prepared").mockRejectedValueOnce(new Error("gone"));
    await expect(Promise.all([reader.read(owner, "1"), reader.read(owner, "1")])).rejects.toThrow("gone");
    broken.mockRestore();
    expect((await read()).rooms).toHaveLength(2);
  });
});

describe("a difference", () => {
  const readSince = async (etag: string, scope = owner): Promise<BoardDifference | null> => {
    const body = await reader.readSince(scope, etag, await version());
    return body && boardDifference.parse(JSON.parse(body.json.toString()));
  };

  it("has only the rooms that changed since, and the tag of the board that results", async () => {
    const first = await read();
    await dirty(roomAt(1));
    const second = await read();
    const difference = await readSince(first.etag);
    expect(difference).toEqual({
      version: second.version,
      since: first.version,
      etag: second.etag,
      changesAt: second.changesAt,
      rooms: [second.rooms[1]],
    });
    expect(await readSince(second.etag)).toMatchObject({ since: second.version, version: second.version, rooms: [] });
    await dirty(roomAt(0));
    expect((await readSince(first.etag))?.rooms.map(({ id }) => id).sort()).toEqual(rooms.toSorted());
  });

  it("is refused for other rooms, an earlier day, a newer board than ours, and changes of groups or order", async () => {
    const { etag } = await read();
    const staff = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [roomAt(0)] });
    expect(await readSince(etag, staff)).toBeNull();
    expect(await readSince("no tag")).toBeNull();
    expect(await readSince(etag.replace(/\d+/, "900"))).toBeNull();
    await groups.save(owner, { name: "North", sort: 1 });
    expect(await readSince(etag)).toBeNull();
    const { etag: newer } = await read();
    expect(await readSince(newer)).toMatchObject({ rooms: [] });
    world.clock.set(MIDNIGHT);
    expect(await readSince(newer)).toBeNull();
  });

  it("is refused after a write of a server of the version before, which names no rooms", async () => {
    const { etag } = await read();
    const actor = { kind: "system", id: null, name: "x", door: "system", address: "", requestId: "" };
    const entry = { action: "room.status", entity: "room", entityId: "1" };
    await world.database.pool.query("SELECT commit_unit($1, $2, $3, $4, true)", [
      ...[hotel.id, owner.now(), JSON.stringify(actor), JSON.stringify([entry])],
    ]);
    expect(await readSince(etag)).toBeNull();
  });

  it("shows staff only their rooms, which need no reading of their own", async () => {
    const staff = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [roomAt(0)] });
    const { etag } = await read(staff);
    await read();
    await dirty(...rooms);
    expect((await readSince(etag, staff))?.rooms.map(({ id }) => id)).toEqual([roomAt(0)]);
    expect(reader.counts).toMatchObject({ builds: 1, differences: 1 });
    const stranger = await (await world.createHotel()).scope();
    await expect(reader.readSince(await hotel.scope("staff"), etag, "1")).rejects.toThrow(DomainError);
    expect(await readSince(etag, stranger)).toBeNull();
  });

  it("is cut for each caller from one read, for the event stream", async () => {
    const before = await read();
    await dirty(roomAt(0));
    const staff = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [roomAt(1)] });
    const cut = await reader.changesSince(owner, before.version, await version());
    expect(cut?.(owner).rooms.map(({ id }) => id)).toEqual([roomAt(0)]);
    expect(cut?.(staff)).toMatchObject({ since: before.version, version: await version(), rooms: [] });
    expect(cut?.(staff).etag).toBe((await read(staff)).etag);
  });
});

describe("access to the board", () => {
  it("is limited to granted rooms", async () => {
    const staff = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [roomAt(1)] });
    await read();
    expect((await read(staff)).rooms.map(({ id }) => id)).toEqual([roomAt(1)]);
    const withoutRooms = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [] });
    expect((await read(withoutRooms)).rooms).toEqual([]);
    expect((await read()).rooms).toHaveLength(2);
  });

  it("requires rooms.view, and is limited to one's own hotel", async () => {
    const { etag } = await read();
    const staff = await hotel.scope("staff", { roomIds: rooms });
    await expect(reader.read(staff, "1")).rejects.toEqual(new DomainError("no_permission"));
    expect(() => reader.isCurrent(staff, etag, "1")).toThrow(DomainError);
    const other = await (await world.createHotel()).scope();
    expect(JSON.parse((await reader.read(other, "1")).json.toString()).rooms).toEqual([]);
  });
});
