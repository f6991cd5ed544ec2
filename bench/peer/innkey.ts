import assert from "node:assert/strict";
import { DAY_MS } from "../../packages/shared/src/durations.ts";
import type { HomeOverview } from "../../packages/shared/src/schemas/overview/home.ts";
import type { Timeline } from "../../packages/shared/src/schemas/overview/timeline.ts";
import { readParent } from "../measuring/memory.ts";
import { logIn, OWNER } from "../measuring/owner.ts";
import type { Program } from "../measuring/programs.ts";
import { type World, withClient } from "../measuring/world.ts";
import { type Answer, type Client, openClient } from "./client.ts";
import { firstOfMonth, type Hotel, type Reservation, type Room, readHotel, reservationsOfMonth } from "./hotel.ts";
import { GUESTS_ON_A_PAGE, type MeasuredProgram, type MonthPage, NIGHTS, type Read } from "./program.ts";

/** Account of the demo hotel's owner */
const DEMO_OWNER = "13800000001";
const TIMELINE_DAYS = 32;
const SOON_MS = 60_000;

export interface OpenInnkey {
  program: MeasuredProgram;
  hotel: Hotel;
  /** a room without stays, kept for acts */
  actRoom: Room;
}

/** Starts the built server with the demo hotel, as `npm start` makes it, and one more room for acts. */
export async function openInnkey(world: World): Promise<OpenInnkey> {
  const database = await world.database("peer");
  const server = await world.serve(database, { withDemo: true, env: { DEMO_PASSWORD: OWNER.password } });
  try {
    const cookie = await logIn(server.url, DEMO_OWNER);
    const client = openClient(server.url, { "content-type": "application/json", "x-innkey": "1", cookie });
    const name = "Bench";
    const { roomId } = await call(client, "rooms.save", { name, groupId: null });
    const prices = { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 12_000, renewalMinor: 9_000 };
    await call(client, "rooms.setPrices", { roomIds: [roomId], prices });
    await withClient(database, (own) => own.query("VACUUM (ANALYZE)"));
    const hotel = await readHotel(database);
    const actRoom = hotel.rooms.find((room) => room.name === name);
    assert.ok(actRoom, "Innkey has the room for acts");
    return { program: new Innkey(server, client, cookie, database, hotel, Number(roomId)), hotel, actRoom };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function call(client: Client, procedure: string, input: object): Promise<Record<string, number>> {
  const { status, body } = await client.post(`/api/trpc/${procedure}`, JSON.stringify(input));
  assert.equal(status, 200, `Innkey answered ${status} to ${procedure}: ${body}`);
  return dataOf<Record<string, number>>(body);
}

const dataOf = <T>(body: string): T => (JSON.parse(body) as { result: { data: T } }).result.data;

class Innkey implements MeasuredProgram {
  readonly #server: Program;
  readonly #client: Client;
  readonly #cookie: string;
  readonly #database: string;
  readonly #hotel: Hotel;
  readonly #actRoomId: number;

  constructor(server: Program, client: Client, cookie: string, database: string, hotel: Hotel, actRoomId: number) {
    this.#server = server;
    this.#client = client;
    this.#cookie = cookie;
    this.#database = database;
    this.#hotel = hotel;
    this.#actRoomId = actRoomId;
  }

  get reservations(): number {
    return this.#hotel.reservations.length;
  }

  read(name: Read): Promise<Answer> {
    const from = firstOfMonth(this.#hotel.today);
    const inputs: Record<Read, [procedure: string, input?: object]> = {
      month: ["timeline.read", { from, days: TIMELINE_DAYS }],
      today: ["home.overview"],
      guests: ["guests.list", { page: 1, pageSize: GUESTS_ON_A_PAGE }],
    };
    const [procedure, input] = inputs[name];
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return this.#client.get(`/api/trpc/${procedure}${query}`);
  }

  check(name: Read, { status, body }: Answer): void {
    assert.equal(status, 200, `Innkey answers ${name}`);
    if (name === "month") this.#checkMonth(dataOf<Timeline>(body));
    else if (name === "today") this.#checkToday(dataOf<HomeOverview>(body));
    else this.#checkGuests(dataOf<{ rows: { name: string }[] }>(body));
  }

  #checkMonth({ bars, rooms }: Timeline): void {
    assert.equal(rooms.length, this.#hotel.rooms.length, "Innkey's timeline has every room");
    const names = new Map(bars.map(({ occupancyId, stay }) => [occupancyId, stay?.guestName]));
    for (const { id, guestName } of reservationsOfMonth(this.#hotel.reservations, this.#hotel.today))
      assert.equal(names.get(id), guestName, `Innkey's timeline shows reservation ${id}`);
  }

  /** The home page shows the next arrivals and departures, and counts the others. */
  #checkToday({ arrivals, departures }: HomeOverview): void {
    const { today, reservations } = this.#hotel;
    const arriving = reservations.filter(({ state, from }) => state === "held" && from <= today);
    const departing = reservations.filter(({ state, to }) => state === "in_house" && to <= today);
    assert.ok(arrivals && departures, "Innkey shows arrivals and departures");
    assert.equal(arrivals.left, countRooms(arriving), "Innkey counts today's arrivals");
    assert.equal(departures.left, countRooms(departing), "Innkey counts today's departures");
    for (const [rows, expected] of [[arrivals.rows, arriving] as const, [departures.rows, departing] as const]) {
      for (const { stayId, guestName } of rows) {
        const isExpected = expected.some((one) => one.stayId === stayId && one.guestName === guestName);
        assert.ok(isExpected, `Innkey shows ${guestName} today`);
      }
    }
  }

  #checkGuests({ rows }: { rows: { name: string }[] }): void {
    const names = new Set(this.#hotel.guests.map(({ name }) => name));
    assert.equal(rows.length, Math.min(GUESTS_ON_A_PAGE, this.#hotel.guests.length), "Innkey lists the guests");
    for (const { name } of rows) assert.ok(names.has(name), `${name} is a guest`);
  }

  monthPage(): MonthPage {
    const [name = "", value = ""] = this.#cookie.split("=", 2);
    return { url: `${this.#server.url}/timeline`, cookie: { name, value }, reservation: "[data-bar]" };
  }

  async reserve(guest: string): Promise<number> {
    const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const { stayId } = await call(this.#client, "stays.reserve", {
      ...{ roomId: this.#actRoomId, unit: "day", startsAt: inMs(SOON_MS), endsAt: inMs(NIGHTS * DAY_MS) },
      ...{ channel: "cash", guests: [{ name: guest, mobile: "13800000009" }] },
    });
    return Number(stayId);
  }

  async checkIn(stayId: number): Promise<void> {
    await call(this.#client, "stays.arrive", { stayId, channel: "cash", depositChannel: "cash", confirmDirty: true });
  }

  async clear(stayId: number): Promise<void> {
    await call(this.#client, "stays.checkOut", { stayId, channel: "cash" });
  }

  async pids(): Promise<number[]> {
    const postmaster = await withClient(this.#database, async (client) => {
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      return readParent(Number(rows[0]?.pid));
    });
    return [this.#server.pid, postmaster];
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.#server.stop();
  }
}

const countRooms = (reservations: readonly Reservation[]): number => new Set(reservations.map(({ room }) => room)).size;
