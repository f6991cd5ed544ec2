import type { ApiScope } from "@innkey/shared/capabilities";
import { expect } from "vitest";
import type { Browser } from "../harness/browser.ts";
import type { TestHotel, TestOperator } from "../harness/people.ts";
import type { TestServer } from "../harness/server.ts";

export interface GatewayReply<T = unknown> {
  status: number;
  code: number;
  msg: string;
  data: T;
}

interface Options {
  language?: string;
  address?: string;
}

/** A third-party program: plain JSON and a token. */
export interface Program {
  get<T>(path: string, query?: Record<string, unknown>, options?: Options): Promise<GatewayReply<T>>;
  /** A text `body` is sent unchanged */
  post<T>(path: string, body?: unknown, options?: Options): Promise<GatewayReply<T>>;
}

export interface NewKey {
  id: number;
  token: string;
  key: string;
  secret: string;
}

/** Answer of `writeRoomCard`. */
export interface WrittenCard {
  recordId: number;
  sector: number;
  block: number;
  keyType: string;
  sectorKey: string;
  writeData: string;
}

/** A hotel with one room and a lock, and callers that write cards for it. */
export interface GatewayHotel {
  hotel: TestHotel;
  owner: TestOperator;
  roomId: number;
  mac: string;
  /** The owner at the console */
  desk(): Promise<Browser>;
  newKey(scopes?: ApiScope[], expiresAt?: string | null): Promise<NewKey>;
  /** A program with the token that a new key got at login */
  loggedIn(scopes?: ApiScope[]): Promise<Program>;
  /** Unix seconds, this many hours from now */
  seconds(hours: number): number;
  rooms(program: Program): Promise<GatewayReply<{ roomId: number }[]>>;
  write(program: Program, more?: Record<string, unknown>, options?: Options): Promise<GatewayReply<WrittenCard>>;
}

export const GATEWAY_SCOPES: ApiScope[] = ["rooms.view", "cards.view", "cards.issue"];
export const CARD = "DA3CBC66";
const MINUTE_MS = 60_000;

export function gatewayProgram({ app }: TestServer, token?: string): Program {
  async function ask(method: "GET" | "POST", url: string, payload?: string, options: Options = {}) {
    const headers = {
      "x-forwarded-for": options.address ?? "203.0.113.9",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(options.language !== undefined && { language: options.language }),
      ...(payload !== undefined && { "content-type": "application/json" }),
    };
    const response = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    expect(response.headers["cache-control"]).toBe("no-store");
    return { status: response.statusCode, ...response.json() };
  }
  return {
    get(path, query = {}, options = {}) {
      const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      return ask("GET", `${path}?${parameters}`, undefined, options);
    },
    post: (path, body = {}, options = {}) =>
      ask("POST", path, typeof body === "string" ? body : JSON.stringify(body), options),
  };
}

export async function openGatewayHotel(server: TestServer): Promise<GatewayHotel> {
  // Card records have a precision of minutes.
  server.clock.advance(MINUTE_MS - (server.clock.now().getTime() % MINUTE_MS));
  const hotel = await server.createHotel({ name: "Harbour" });
  const owner = await server.createOperator(hotel, { role: "owner", apiKeyAuth: true });
  const mac = "02:00:00:00:01:01";
  const { api } = await server.loginAs(owner);
  const { id: groupId } = await api.groups.save.mutate({ name: "Sea view", sort: 1 });
  const { roomId } = await api.rooms.save.mutate({ name: "101", groupId, lock: { mac } });
  const seeded: GatewayHotel = {
    hotel,
    owner,
    roomId,
    mac,
    desk: () => server.loginAs(owner),
    async newKey(scopes = GATEWAY_SCOPES, expiresAt = null) {
      const { integrations } = (await seeded.desk()).api;
      const { id, token } = await integrations.createKey.mutate({ name: "Door program", scopes, expiresAt });
      const [, key = "", secret = ""] = /^(ik_[0-9a-f]+)_(.+)$/.exec(token) ?? [];
      return { id, token, key, secret };
    },
    async loggedIn(scopes) {
      const { key, secret } = await seeded.newKey(scopes);
      const { data } = await gatewayProgram(server).post<{ token: string }>("/auth/login", { key, secret });
      return gatewayProgram(server, data.token);
    },
    seconds: (hours) => Math.floor(server.clock.now().getTime() / 1000) + hours * 3600,
    rooms: (program) => program.get("/linQuan/getRoomListByHotelId", { hotelId: hotel.id }),
    write(program, more = {}, options = {}) {
      const period = { startTime: seeded.seconds(0), endTime: seeded.seconds(24) };
      const card = { hotelId: hotel.id, roomId, cardNum: CARD, guestName: "Ann Lee", ...period, ...more };
      return program.post("/linQuan/writeRoomCard", card, options);
    },
  };
  return seeded;
}
