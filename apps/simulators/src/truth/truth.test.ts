import { afterAll, beforeAll, expect, it } from "vitest";
import { type Hotel, openHotel, until } from "./hotel.ts";
import { HotelServer } from "./hotel-server.ts";
import type { Key } from "./keys.ts";
import { Life } from "./life.ts";
import { SeededRandom } from "./seeded-random.ts";

/** A short life, the same each time: `npm run truth` is the long one, with another each time. */
const SEED = 20_261_122;
const STEPS = 150;
const DOORS = 5;
const REST_MS = 60_000;

let server: HotelServer;
let hotel: Hotel;
let life: Life;

beforeAll(async () => {
  server = await HotelServer.start();
  const random = new SeededRandom(SEED);
  hotel = await openHotel(server, DOORS, random);
  life = new Life(server, hotel, { random, goesOn: (step) => step < STEPS, restMs: REST_MS });
}, 180_000);

afterAll(async () => {
  await hotel?.stop();
  await server?.remove();
});

it("says of every key what the door does, whatever goes wrong, and comes to rest by itself", async () => {
  await life.run();
  expect(life.tally.lies).toEqual([]);
  const { life: lived, rest, events } = life.tally;
  // A life in which nothing was tried would prove nothing.
  expect(lived.get("opens, opened")).toBeGreaterThan(10);
  expect(lived.get("dead, refused")).toBeGreaterThan(10);
  expect(rest.get("opens, opened")).toBeGreaterThan(10);
  expect(rest.get("dead, refused")).toBeGreaterThan(10);
  expect(events.kept).toBeGreaterThan(100);
}, 240_000);

it("finds a code that opens although it was taken back, and one that a lock has forgotten", async () => {
  const [door] = hotel.doors;
  if (!door) throw new Error("no door");
  const { memory } = door.door.lock;
  const make = async (name: string): Promise<Key> => {
    const input = { type: "air", roomIds: [door.roomId], person: name };
    const { passcodeId, code } = await hotel.desk.change<{ passcodeId: number; code: string }>(
      "passcodes.create",
      input,
    );
    return {
      ...{ name, kind: "code", id: passcodeId, content: code, plastic: null },
      ...{ doors: new Set([door]), openings: [], history: [] },
    };
  };
  const has = ({ content }: Key) => memory.slots.find(({ code }) => code === content);
  const dead = await make("Dead");
  const alive = await make("Alive");
  await until("the lock has both codes", REST_MS, async () => Boolean(has(dead) && has(alive)));
  const slot = has(dead);
  await hotel.desk.change("passcodes.remove", { passcodeId: dead.id });
  const quiet = async (): Promise<boolean> =>
    (await hotel.locks()).every(({ waiting }) => waiting === 0) && has(dead) === undefined;
  await until("the lock has forgotten the one", REST_MS, quiet);
  const before = life.tally.lies.length;
  for (const key of [dead, alive]) await life.compare(key, door, "rest");
  expect(life.tally.lies).toHaveLength(before);

  memory.slots = memory.slots.filter(({ code }) => code !== alive.content).concat(slot ?? []);
  for (const key of [dead, alive]) await life.compare(key, door, "rest");
  const found = life.tally.lies.slice(before).map(({ what, key }) => `${key.split(" ", 1)[0]}: ${what}`);
  expect(found).toEqual(["Dead: dead, OPENED", "Alive: opens, REFUSED"]);
}, 120_000);
