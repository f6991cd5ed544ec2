import { type Board, type BoardDifference, roomPageInput } from "@innkey/shared/schemas/property/rooms";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type SeededHotel, seedTestHotel } from "../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import type { Scope } from "../../kernel/scope.ts";
import { listGroups, pageOfRooms } from "../property/public.ts";
import { BoardReader } from "./board.queries.ts";
import { readGroups, readRoomPage } from "./room-list.ts";

let server: TestServer;
let hotel: SeededHotel;
let owner: Scope;
/** Sees only some rooms. */
let clerk: Scope;
let boardOfDesk: Board;
let etag: string;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Differences");
  owner = await server.scopeOf(hotel.owner);
  const roomIds = [hotel.ids.roomId, hotel.ids.freeRoomId];
  clerk = await server.scopeOf(
    await server.createOperator(hotel.hotel, { role: "staff", capabilities: ["rooms.view"], roomIds }),
  );
  const response = await hotel.ownerDesk.http("GET", "/api/board");
  boardOfDesk = response.json();
  etag = String(response.headers.etag);
});
afterAll(() => server.close());

/** Reads what changed as a desk does, and merges it into its board. Returns the names of the rooms that were sent. */
async function follow(): Promise<"everything" | string[]> {
  const answer = await hotel.ownerDesk.http("GET", `/api/board?since=${encodeURIComponent(etag)}`);
  etag = String(answer.headers.etag);
  const read: Board | BoardDifference = answer.json();
  if (!("since" in read)) {
    boardOfDesk = read;
    return "everything";
  }
  const changed = new Map(read.rooms.map((room) => [room.id, room]));
  const rooms = boardOfDesk.rooms.map((room) => changed.get(room.id) ?? room);
  boardOfDesk = { ...boardOfDesk, version: read.version, changesAt: read.changesAt, rooms };
  return read.rooms.map(({ name }) => name.replace("Differences ", ""));
}

async function readAnew(): Promise<Board> {
  const body = await new BoardReader().read(owner, "1");
  return JSON.parse(body.json.toString());
}

const QUESTIONS = [
  {},
  { sort: "az", status: "vacant" },
  { sort: "za", page: 2, pageSize: 2 },
  { sort: "order", status: "reserved" },
  { sort: "reverse", status: "checked_in" },
];

/** Keeps its board over all writes, as the server's own reader does. */
const keptBoards = new BoardReader();

/** Checks that the lists cut from the board in memory are those of the database, for everything they can be asked. */
async function compareLists(name: string): Promise<void> {
  const { version } = boardOfDesk;
  for (const scope of [owner, clerk]) {
    expect(await readGroups(scope, keptBoards, version), name).toEqual(await listGroups(scope));
    for (const question of [...QUESTIONS, { groupId: hotel.ids.groupId }]) {
      const input = roomPageInput.parse(question);
      expect(await readRoomPage(scope, keptBoards, version, input), name).toEqual(await pageOfRooms(scope, input));
    }
  }
}

const DAY_MS = 86_400_000;
const at = (days: number): string => new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();

it("keeps a desk's board equal to the whole board, whatever is done to a room", async () => {
  const { api } = hotel.ownerDesk;
  const { ids } = hotel;
  const sent: Record<string, "everything" | string[]> = {};
  const act = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const result = await work();
    sent[name] = await follow();
    const { version: _own, changesAt: _earlier, ...whole } = await readAnew();
    expect(boardOfDesk, name).toMatchObject(whole);
    await compareLists(name);
    return result;
  };
  const party = {
    unit: "day" as const,
    guests: [{ name: "Ann Lee", mobile: "", email: "" }],
    channel: "cash" as const,
  };

  const { roomId: third } = await act("a new room", () =>
    api.rooms.save.mutate({ name: "Differences 103", groupId: null }),
  );
  const prices = { depositMinor: 0, usualMinor: 5_000, weekendMinor: 5_000 };
  await act("prices", () => api.rooms.setPrices.mutate({ roomIds: [third], prices }));
  await act("a template", () => api.priceTemplates.putOn.mutate({ templateId: ids.priceTemplateId, roomIds: [third] }));
  await act("dirty", () => api.rooms.setStatus.mutate({ roomIds: [third], status: "dirty" }));
  await act("maintenance", () =>
    api.rooms.setStatus.mutate({ roomIds: [third], status: "maintenance", until: at(1), note: "Lamp" }),
  );
  await act("the end of maintenance", () => api.rooms.setStatus.mutate({ roomIds: [third], status: "vacant" }));
  await act("a group", () => api.rooms.assignGroup.mutate({ roomIds: [third], groupId: ids.groupId }));

  const booked = await act("a reservation", () =>
    api.stays.reserve.mutate({ ...party, roomId: third, startsAt: at(3), endsAt: at(5) }),
  );
  await act("a moved reservation", () =>
    api.stays.moveReservation.mutate({
      stayId: booked.stayId,
      roomId: third,
      startsAt: at(4),
      endsAt: at(6),
      channel: "cash",
    }),
  );
  await act("a reservation in another room", () =>
    api.stays.changeRoom.mutate({ stayId: booked.stayId, roomId: ids.freeRoomId, channel: "cash" }),
  );
  await act("a cancellation", () => api.stays.cancel.mutate({ stayId: booked.stayId, refundChannel: "cash" }));
  const { stayId, stayGuestId } = await act("a check-in", () =>
    api.stays.checkIn.mutate({ ...party, roomId: third, startsAt: at(0), endsAt: at(2) }),
  );
  const companion = await act("another guest", () =>
    api.guests.add.mutate({ stayId, guest: { name: "Bo Berg", mobile: "", email: "" } }),
  );
  await act("a corrected name", () =>
    api.guests.update.mutate({ stayGuestId, guest: { name: "Anna Lee", mobile: "", email: "" } }),
  );
  await act("a guest who leaves", () => api.guests.remove.mutate({ stayGuestId: companion.stayGuestId }));
  await act("breakfast", () => api.stays.update.mutate({ stayId, breakfast: true, idCardMatch: false }));
  await act("a renewal", () => api.stays.renew.mutate({ stayId, endsAt: at(4), channel: "cash" }));
  await act("a shortened stay", () => api.stays.shorten.mutate({ stayId, endsAt: at(3), channel: "cash" }));
  await act("a change of rooms", () =>
    api.stays.changeRoom.mutate({ stayId, roomId: ids.freeRoomId, channel: "cash", confirmDirty: true }),
  );
  await act("a check-out", () => api.stays.checkOut.mutate({ stayId, channel: "cash" }));
  const early = await act("a reservation for today", () =>
    api.stays.reserve.mutate({ ...party, roomId: third, startsAt: at(0.01), endsAt: at(1) }),
  );
  await act("an arrival", () => api.stays.arrive.mutate({ stayId: early.stayId, channel: "cash", confirmDirty: true }));
  await act("a lock", () =>
    api.rooms.save.mutate({ id: third, name: "Differences 103", groupId: null, lock: { mac: "02:00:00:00:09:09" } }),
  );
  const lock = await server.database.prisma.lock.findFirstOrThrow({ where: { roomId: third } });
  await act("a lock that reports", () =>
    server.services.lockReports.status({ hotelId: ids.hotelId, mac: lock.mac }, { state: "online", power: 42 }, false),
  );
  await act("a member of staff", () => api.staff.freeze.mutate({ operatorId: ids.staffId, frozen: true }));
  await act("another name of the hotel's group", () =>
    api.groups.save.mutate({ id: ids.groupId, name: "West", sort: 4 }),
  );

  const whole = Object.keys(sent).filter((name) => sent[name] === "everything");
  expect(whole).toEqual(["a new room", "a corrected name", "a lock", "another name of the hotel's group"]);
  expect(sent).toMatchObject({
    "a check-in": ["103"],
    "a change of rooms": expect.arrayContaining(["102", "103"]),
    "a lock that reports": ["103"],
    "a member of staff": [],
  });
});
