import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  CARD,
  GATEWAY_SCOPES,
  type GatewayHotel,
  gatewayProgram,
  openGatewayHotel,
} from "../../../test/clients/gateway-client.ts";
import { createTestServer, TEST_PASSWORD, type TestServer } from "../../../test/harness/server.ts";

const HOUR_MS = 3_600_000;

let server: TestServer;
let hotel: GatewayHotel;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await openGatewayHotel(server);
});

describe("logging in", () => {
  it("asks for no graphic code after wrong passwords, until there are too many", async () => {
    const logIn = (password: string) =>
      gatewayProgram(server).post("/auth/login", { account: hotel.owner.account, password });
    for (let failure = 0; failure < 5; failure += 1) expect((await logIn("wrong")).code).toBe(401);
    expect((await logIn(TEST_PASSWORD)).code).toBe(200);
    for (let failure = 0; failure < 10; failure += 1) await logIn("wrong");
    expect((await logIn(TEST_PASSWORD)).code).toBe(429);
    server.clock.advance(HOUR_MS);
  });

  it("with account and password opens a session that is listed with its channel", async () => {
    const { status, code, data } = await gatewayProgram(server).post<{ token: string; expires_in: number }>(
      "/auth/login",
      {
        account: hotel.owner.account,
        password: TEST_PASSWORD,
      },
    );
    expect([status, code, data.expires_in]).toEqual([200, 200, 12 * 3600]);
    const list = await gatewayProgram(server, data.token).get<unknown[]>("/linQuan/getRoomListByHotelId", {
      hotelId: hotel.hotel.id,
    });
    expect(list.data).toHaveLength(1);
    const sessions = await (await hotel.desk()).api.auth.sessions.query();
    expect(sessions.filter(({ door }) => door === "gateway")).toHaveLength(1);
    for (const { id, door } of sessions)
      if (door === "gateway") await (await hotel.desk()).api.auth.revokeSession.mutate({ id });
    expect((await hotel.rooms(gatewayProgram(server, data.token))).code).toBe(401);
  });

  it("with key and secret returns a token that contains neither and lasts twelve hours or until the key ends", async () => {
    const { key, secret } = await hotel.newKey();
    const { data } = await gatewayProgram(server).post<{ token: string; expires_in: number }>("/auth/login", {
      key,
      secret,
    });
    expect(data.expires_in).toBe(12 * 3600);
    expect(data.token).toMatch(/^gk_[\w-]+$/);
    expect(Buffer.from(data.token.slice(3), "base64url").toString("latin1")).not.toContain(secret.slice(0, 8));
    const rooms = () => hotel.rooms(gatewayProgram(server, data.token));
    expect((await rooms()).code).toBe(200);
    server.clock.advance(12 * HOUR_MS - 1);
    expect((await rooms()).code).toBe(200);
    server.clock.advance(1);
    expect((await rooms()).code).toBe(401);
    const ending = await hotel.newKey(GATEWAY_SCOPES, new Date(server.clock.now().getTime() + HOUR_MS).toISOString());
    // Without "ik_", as some programs store it.
    const short = await gatewayProgram(server).post<{ expires_in: number }>("/auth/login", {
      key: ending.key.slice(3),
      secret: ending.secret,
    });
    expect(short.data.expires_in).toBe(3600);
  });

  it("refuses wrong credentials in the requested language, with the same words for every reason", async () => {
    const { key, secret } = await hotel.newKey();
    const german = { language: "de" };
    const wrong = await gatewayProgram(server).post(
      "/auth/login",
      { account: hotel.owner.account, password: "wrong" },
      german,
    );
    expect(wrong).toEqual({ status: 401, code: 401, msg: "Konto oder Passwort ist falsch.", data: {} });
    const changed = `${secret.startsWith("x") ? "y" : "x"}${secret.slice(1)}`;
    const other = await gatewayProgram(server).post("/auth/login", { key, secret: changed });
    const unknown = await gatewayProgram(server).post("/auth/login", { key: `ik_${"0".repeat(16)}`, secret });
    expect(other).toEqual(unknown);
    expect(other).toMatchObject({ code: 401, msg: "This key is unknown, expired or revoked." });
  });

  it("names the missing field", async () => {
    const { msg, code } = await gatewayProgram(server).post("/auth/login", { account: hotel.owner.account });
    expect([code, msg]).toEqual([400, "password: Required"]);
    expect((await gatewayProgram(server).post("/auth/login", { key: "ik_1" })).msg).toMatch(/^secret: /);
    expect((await gatewayProgram(server).post("/auth/login")).msg).toMatch(/^account: /);
  });

  it("blocks an address for a minute after thirty wrong keys", async () => {
    const { key, secret } = await hotel.newKey();
    const address = "203.0.113.77";
    const guess = (of: string) => gatewayProgram(server).post("/auth/login", { key, secret: of }, { address });
    for (let i = 0; i < 30; i += 1) expect((await guess("x".repeat(43))).code).toBe(401);
    const away = await guess(secret);
    expect(away.code).toBe(429);
    expect((await gatewayProgram(server).post("/auth/login", { key, secret }, { address: "203.0.113.78" })).code).toBe(
      200,
    );
  });
});

describe("the caller", () => {
  it("needs a known token", async () => {
    for (const token of [
      undefined,
      "nonsense",
      "gk_nonsense",
      `gk_${"A".repeat(80)}`,
      `ik_${"0".repeat(16)}_${"x".repeat(43)}`,
    ]) {
      const answer = await hotel.rooms(gatewayProgram(server, token));
      expect([answer.status, answer.code, answer.data], token).toEqual([401, 401, {}]);
      expect(answer.msg).not.toBe("");
    }
    const basic = await server.app.inject({
      method: "GET",
      url: `/linQuan/getRoomListByHotelId?hotelId=${hotel.hotel.id}`,
      headers: { authorization: "Basic aWs6MQ==" },
    });
    expect(basic.json()).toMatchObject({ code: 401, msg: "You aren’t signed in." });
  });

  it("may send the key itself as the token", async () => {
    const { token } = await hotel.newKey();
    expect((await hotel.rooms(gatewayProgram(server, token))).code).toBe(200);
  });

  it("is refused as soon as its key is revoked", async () => {
    const { id, key, secret, token } = await hotel.newKey();
    const { data } = await gatewayProgram(server).post<{ token: string }>("/auth/login", { key, secret });
    await (await hotel.desk()).api.integrations.revokeKey.mutate({ id });
    for (const response of [data.token, token])
      expect((await hotel.write(gatewayProgram(server, response))).code).toBe(401);
    expect((await gatewayProgram(server).post("/auth/login", { key, secret })).code).toBe(401);
  });

  it("can do only what its key allows", async () => {
    const viewer = await hotel.loggedIn(["rooms.view"]);
    expect((await hotel.rooms(viewer)).code).toBe(200);
    const refused = [
      await hotel.write(viewer),
      await viewer.post("/linQuan/deleteRoomCard", { hotelId: hotel.hotel.id, roomId: hotel.roomId, cardNum: CARD }),
      await viewer.post("/linQuan/getAuthorizationRecord", { hotelId: hotel.hotel.id }),
    ];
    expect(refused.map(({ code }) => code)).toEqual([403, 403, 403]);
    const writer = await hotel.loggedIn(["cards.issue"]);
    expect((await hotel.rooms(writer)).code).toBe(403);
  });

  it("can make six hundred requests a minute", async () => {
    const busy = await hotel.loggedIn();
    const responses = await Promise.all(Array.from({ length: 600 }, () => hotel.rooms(busy)));
    // The login was the first call, so one of the 600 is over the limit.
    const codes = responses.map(({ code }) => code).sort();
    expect([codes.at(-2), codes.at(-1)]).toEqual([200, 429]);
    expect(
      (await (await hotel.loggedIn()).get("/linQuan/getRoomListByHotelId", { hotelId: hotel.hotel.id })).code,
    ).toBe(200);
  });

  it("with a key of another hotel finds nothing of this one", async () => {
    await hotel.write(await hotel.loggedIn());
    const elsewhere = await server.createHotel();
    const boss = await server.loginAs(await server.createOperator(elsewhere, { role: "owner", apiKeyAuth: true }));
    const own = await boss.api.rooms.save.mutate({ name: "9", groupId: null, lock: { mac: "02:00:00:00:09:09" } });
    const { token } = await boss.api.integrations.createKey.mutate({
      name: "x",
      scopes: GATEWAY_SCOPES,
      expiresAt: null,
    });
    const stranger = gatewayProgram(server, token);
    const unknown = await stranger.get("/linQuan/getRoomListByHotelId", { hotelId: 1_900_000_000 });
    expect(await hotel.rooms(stranger)).toEqual(unknown);
    expect(unknown).toMatchObject({ status: 404, code: 404 });
    expect((await hotel.write(stranger)).code).toBe(404);
    expect((await hotel.write(stranger, { hotelId: elsewhere.id })).code).toBe(404);
    const both = { hotelId: elsewhere.id, roomId: own.roomId, cardNum: CARD };
    expect((await stranger.post("/linQuan/deleteRoomCard", both)).code).toBe(404);
    expect((await stranger.post("/linQuan/deleteRoomCard", { ...both, roomId: hotel.roomId })).code).toBe(404);
    const records = await stranger.post<{ total: number }>("/linQuan/getAuthorizationRecord", {
      hotelId: elsewhere.id,
      roomId: hotel.roomId,
    });
    expect(records.data.total).toBe(0);
  });

  it("who is staff reaches only granted rooms", async () => {
    const { roomId: hidden } = await (await hotel.desk()).api.rooms.save.mutate({
      name: "102",
      groupId: null,
      lock: { mac: "02:00:00:00:01:02" },
    });
    await hotel.write(await hotel.loggedIn(), { roomId: hidden, cardNum: "0A0B0C0D" });
    const clerk = await server.createOperator(hotel.hotel, {
      role: "staff",
      capabilities: GATEWAY_SCOPES,
      roomIds: [hotel.roomId],
    });
    const { data } = await gatewayProgram(server).post<{ token: string }>("/auth/login", {
      account: clerk.account,
      password: TEST_PASSWORD,
    });
    const staff = gatewayProgram(server, data.token);
    const rooms = await hotel.rooms(staff);
    expect(rooms.data.map((room) => room.roomId)).toEqual([hotel.roomId]);
    expect((await hotel.write(staff, { roomId: hidden })).code).toBe(404);
    const hiddenCard = { hotelId: hotel.hotel.id, roomId: hidden, cardNum: "0A0B0C0D" };
    expect((await staff.post("/linQuan/deleteRoomCard", hiddenCard)).code).toBe(404);
    const records = await staff.post<{ total: number }>("/linQuan/getAuthorizationRecord", { hotelId: hotel.hotel.id });
    expect(records.data.total).toBe(0);
    expect((await hotel.write(staff)).code).toBe(200);
  });
});

it("has no routes where old clients are switched off", async () => {
  const modern = await createTestServer({ legacy: false });
  const calls = [
    { method: "POST", url: "/auth/login", payload: { account: "a", password: "b" } },
    { method: "GET", url: "/linQuan/getRoomListByHotelId?hotelId=1" },
    { method: "PUT", url: "/manage/uploads/1/1/3f0c7a52-6d3b-4a53-9d3a-0a6f2f6d6d2b" },
  ] as const;
  for (const call of calls) {
    const { statusCode, body } = await modern.app.inject(call);
    expect([statusCode, JSON.parse(body)], call.url).toMatchObject([404, { code: "not_found" }]);
  }
  await modern.close();
});
