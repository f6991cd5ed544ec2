import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CARD,
  type GatewayHotel,
  gatewayProgram,
  openGatewayHotel,
  type Program,
} from "../../../test/clients/gateway-client.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";

/** Values that PostgreSQL, JSON or the calendar may fail on, put into each field of each call, one at a time. */
const HOSTILE: readonly unknown[] = [
  ...[-1, 0, 1.5, 2 ** 31, 2 ** 53, 1e20, 1e308, "2147483648", "9".repeat(400), "1e3", "0x10"],
  ...["\u0000", "a\u0000b", "\ud800", "💥", "%_\\", "'; DROP TABLE card; --", "x".repeat(5_000), "0000-00-00"],
  ...[true, [], [1], {}, { a: 1 }, [["x"]], "__proto__", "constructor"],
];

let server: TestServer;
let hotel: GatewayHotel;
let program: Program;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await openGatewayHotel(server);
  program = await hotel.loggedIn();
});
afterAll(() => server.close());

const period = () => ({ startTime: hotel.seconds(0), endTime: hotel.seconds(24) });
const CALLS: Record<string, () => Record<string, unknown>> = {
  writeRoomCard: () => ({
    hotelId: hotel.hotel.id,
    roomId: hotel.roomId,
    cardNum: CARD,
    guestName: "Ann",
    ...period(),
  }),
  deleteRoomCard: () => ({ hotelId: hotel.hotel.id, roomId: hotel.roomId, cardNum: CARD }),
  getAuthorizationRecord: () => ({
    ...{ hotelId: hotel.hotel.id, roomId: hotel.roomId, cardNum: CARD, page: 1, pageSize: 20 },
    ...{ start: hotel.seconds(-1), end: hotel.seconds(1) },
  }),
};

describe("hostile values", () => {
  it.each(Object.keys(CALLS))("%s answers every hostile field without an internal error", async (call) => {
    const input = CALLS[call]?.() ?? {};
    for (const field of Object.keys(input)) {
      for (const value of HOSTILE) {
        const { code, msg } = await program.post(`/linQuan/${call}`, { ...input, [field]: value });
        expect(code, `${field} ${JSON.stringify(value)}: ${msg}`).toBeLessThan(500);
      }
    }
  });

  it("the room list and the login answer hostile fields without an internal error", async () => {
    for (const value of HOSTILE) {
      const list = await program.get("/linQuan/getRoomListByHotelId", { hotelId: value });
      expect(list.code, `hotelId ${JSON.stringify(value)}`).toBeLessThan(500);
      for (const field of ["key", "secret", "account", "password"]) {
        const partner = { key: "secret", secret: "key", account: "password", password: "account" }[field] ?? "";
        const { code } = await program.post("/auth/login", { [field]: value, [partner]: "x" });
        expect(code, `${field} ${JSON.stringify(value)}`).toBeLessThan(500);
      }
    }
  });

  it.each([`${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`, "[]", "null", '"x"', "1", "{"])(
    "a malformed body such as %.20s is refused",
    async (body) => {
      const { code } = await program.post("/linQuan/writeRoomCard", body);
      expect(code).toBeGreaterThanOrEqual(400);
      expect(code).toBeLessThan(500);
    },
  );
});

describe("another hotel", () => {
  it("is answered like one that does not exist, in every call and for its rooms", async () => {
    const stranger = await openGatewayHotel(server);
    const calls = Object.entries(CALLS).map(([call, input]) => [call, input()] as const);
    for (const [call, input] of calls) {
      const foreign = await program.post(`/linQuan/${call}`, { ...input, hotelId: stranger.hotel.id });
      const absent = await program.post(`/linQuan/${call}`, { ...input, hotelId: 2_000_000_000 });
      expect(foreign.code, call).toBe(404);
      expect(foreign).toEqual(absent);
      const theirRoom = await program.post<{ total?: number }>(`/linQuan/${call}`, {
        ...input,
        roomId: stranger.roomId,
      });
      const noRoom = await program.post(`/linQuan/${call}`, { ...input, roomId: 2_000_000_000 });
      expect(theirRoom, call).toEqual(noRoom);
      expect(theirRoom.data ?? {}, call).not.toHaveProperty("writeData");
    }
  });

  it("cannot be reached with anything but a session or a key", async () => {
    const { token, key } = await hotel.newKey();
    for (const wrong of ["", "null", key, `${token}x`, token.slice(0, -1), "A".repeat(43), "A".repeat(4_000)]) {
      const { code } = await hotel.rooms(gatewayProgram(server, wrong));
      expect([401, 429], wrong.slice(0, 20)).toContain(code);
    }
  });
});

it("writes one card for two simultaneous identical requests, and takes it back once", async () => {
  const uid = "DA3CBC77";
  const written = await Promise.all([1, 2, 3].map(() => hotel.write(program, { cardNum: uid })));
  expect(written.filter(({ code }) => code === 200)).toHaveLength(1);
  const live = { hotelId: hotel.hotel.id, uid, state: { in: ["pending", "active"] as ("pending" | "active")[] } };
  expect(await server.database.prisma.card.count({ where: live })).toBe(1);
  const card = { hotelId: hotel.hotel.id, roomId: hotel.roomId, cardNum: uid };
  const removed = await Promise.all([1, 2, 3].map(() => program.post("/linQuan/deleteRoomCard", card)));
  expect(removed.filter(({ code }) => code === 200)).toHaveLength(1);
  expect(await server.database.prisma.card.count({ where: live })).toBe(0);
});
