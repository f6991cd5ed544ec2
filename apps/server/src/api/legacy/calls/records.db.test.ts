import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Row {
  id: number;
  time: number;
  content: string;
  from: string;
  style: string;
  operator: string;
  guest_name: string;
}
interface Page {
  list: Row[];
  total: number;
  next_cursor: string | null;
}

const RECORDS = 25;
let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let roomId: number;
let from: number;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
  roomId = hotel.ids.roomId;
  from = now() - 3600;
  const { prisma } = server.database;
  const common = { hotelId: hotel.hotel.id, lockId: hotel.ids.lockId, roomId };
  const at = (minute: number): Date => new Date((from + minute * 60) * 1000);
  await prisma.unlockRecord.createMany({
    data: Array.from({ length: RECORDS }, (_, n) => ({
      ...{ ...common, lockSeq: n + 1, at: at(n), style: "card" as const, success: true, source: "lock" },
      stayGuestId: hotel.ids.stayGuestId,
      cardId: hotel.ids.cardId,
    })),
  });
  const special = { ...common, at: at(30), success: true };
  await prisma.unlockRecord.createMany({
    data: [
      { ...special, lockSeq: 101, at: at(31), style: "card", cardId: hotel.ids.masterCardId },
      { ...special, lockSeq: 102, at: at(32), style: "remote", source: "console", operatorId: hotel.owner.id },
      { ...special, lockSeq: 103, at: at(33), style: "passcode", success: false, reason: "expired" },
      { ...special, lockSeq: 104, at: at(34), style: "unknown", content: "Unlock with key ring" },
    ],
  });
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);
const roomHistory = (payload: object = {}, by = client) =>
  answerOf<Page>(by, "room/openHistory", { room_id: roomId, ...payload });

describe("unlock records", () => {
  it("show time, style, person and result in the caller's language", async () => {
    const [first, refused, remote, staff, guest] = (await roomHistory()).list;
    const nobody = { operator: "", guest_name: "" };
    expect(first).toMatchObject({ content: "Unlock with key ring", style: "unknown", from: "lock", ...nobody });
    expect(refused).toMatchObject({ content: "Refused: Expired", style: "passcode", ...nobody });
    expect(remote).toMatchObject({ content: "Opened", style: "remote", from: "console", guest_name: "" });
    expect(remote?.operator).toMatch(/^owner /);
    expect(staff).toMatchObject({ content: "Opened", operator: "own floor", guest_name: "", time: from + 31 * 60 });
    expect(guest).toMatchObject({ style: "card", operator: "", guest_name: "own guest" });
    const german = await manageLogin(server, hotel.owner, { language: "German" });
    expect((await roomHistory({}, german)).list[1]?.content).toBe("Abgelehnt: Abgelaufen");
  });

  it("are read by pages or by cursor, each record once", async () => {
    const all = (await roomHistory({ page_size: 200 })).list.map(({ id }) => id);
    expect(all).toHaveLength(RECORDS + 4);
    const pages = await Promise.all([1, 2, 3].map((page) => roomHistory({ page, page_size: 10 })));
    expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(all);
    expect(pages.map(({ total }) => total)).toEqual([29, 29, 29]);
    const idsByCursor: number[] = [];
    let cursor: string | null = null;
    do {
      const { list, next_cursor: next } = await roomHistory({ page_size: 10, page: 7, ...(cursor && { cursor }) });
      if (cursor === null) expect(list).toEqual([]);
      idsByCursor.push(...list.map(({ id }) => id));
      cursor = next ?? (idsByCursor.length === 0 ? (pages[0]?.next_cursor ?? null) : null);
    } while (cursor);
    expect(idsByCursor).toEqual(all.slice(10));
    expect(await roomHistory({ page: 50 })).toMatchObject({ list: [], total: 29, next_cursor: null });
  });

  it("are filtered by time and style, and paged up to a limit", async () => {
    const period = { start: from, end: from + 3 * 60 };
    expect((await roomHistory(period)).list.map(({ time }) => time)).toEqual([2, 1, 0].map((n) => from + n * 60));
    expect(await roomHistory({ style: "remote" })).toMatchObject({ total: 1, list: [{ style: "remote" }] });
    const refused = async (payload: object) => {
      const { errno, data } = await refusalOf(client, "room/openHistory", { room_id: roomId, ...payload });
      return [errno, ...Object.keys(data.fields ?? {})];
    };
    expect(await refused({ page: 51, page_size: 200 })).toEqual([100_001, "page"]);
    expect(await refused({ style: "magic" })).toEqual([100_001, "style"]);
    expect(await refused({ start: "yesterday" })).toEqual([100_001, "start"]);
    expect(await refused({ cursor: "nowhere" })).toEqual([100_001, "cursor"]);
    expect(await refused({ room_id: undefined })).toEqual([100_001, "room_id"]);
    expect(await refused({ room_id: 999_999 })).toEqual([100_007]);
  });

  it("of one guest are those of their keys", async () => {
    const { stayGuestId } = hotel.ids;
    const page = await answerOf<Page>(client, "room/openHistoryByPeople", { manage_id: stayGuestId, page_size: 20 });
    expect([page.list.length, page.total, new Set(page.list.map((row) => row.guest_name))]).toEqual([
      ...[20, RECORDS, new Set(["own guest"])],
    ]);
    expect((await refusalOf(client, "room/openHistoryByPeople", { manage_id: 999_999 })).errno).toBe(100_007);
    expect((await refusalOf(client, "room/openHistoryByPeople")).data.fields).toHaveProperty("manage_id");
    const elsewhere = await server.createOperator(hotel.hotel, {
      ...{ role: "staff", capabilities: ["unlocks.view"], roomIds: [hotel.ids.freeRoomId] },
    });
    const otherClient = await manageLogin(server, elsewhere);
    expect((await refusalOf(otherClient, "room/openHistoryByPeople", { manage_id: stayGuestId })).errno).toBe(100_007);
    expect((await refusalOf(otherClient, "room/openHistory", { room_id: roomId })).errno).toBe(100_007);
  });
});
