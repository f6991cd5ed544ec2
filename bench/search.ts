// Measures the palette's searches among a hundred thousand guests in six scripts, with one, two, three and ten
// characters: the built server with a session, one call after the other.
import assert from "node:assert/strict";
import { openBench } from "./measuring/bench.ts";
import { percentile } from "./measuring/durations.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import type { Row } from "./measuring/result.ts";
import { fillGuests } from "./search/fill.ts";

const bench = openBench("search", {
  full: { rooms: 500, guests: 100_000, calls: 200 },
  tiny: { rooms: 10, guests: 200, calls: 3 },
});
const { rooms, guests, calls } = bench.sizes;
/** Longest median of a full run */
const MAX_MS = 100;

const QUERIES: Record<string, readonly string[]> = {
  "1 character": ["a", "z", "и", "م", "王", "伟", "田", "김", "수", "7"],
  "2 characters": ["mü", "sm", "ив", "ёл", "مح", "王秀", "秀英", "田中", "ユキ", "민수"],
  "3 characters": ["mul", "sen", "ива", "кин", "محم", "王秀英", "佐藤太", "김민수", "491", "999"],
  "10 characters": [
    "anna mulle",
    "zoe garcia",
    "иванов ива",
    "кузнецов а",
    "محمد العلي",
    "+491512345",
    "jensen soren",
    "nobody here",
  ],
};

await withLoadHotel(
  rooms,
  async (database, hotelId) => {
    console.log(`writing ${guests.toLocaleString("en")} guests …`);
    await fillGuests(database, hotelId, guests);
  },
  async ({ url, world }) => {
    const server = await world.serve(url);
    try {
      await bench.finish(await measure(server.url));
    } finally {
      await server.stop();
    }
  },
);

async function measure(server: string): Promise<Row[]> {
  const cookie = await logIn(server);
  const ask = async (query: string): Promise<number> => {
    const startedAt = performance.now();
    const input = encodeURIComponent(JSON.stringify({ query }));
    const response = await fetch(`${server}/api/trpc/search.find?input=${input}`, { headers: { cookie } });
    const answer = await response.json();
    assert.ok(response.ok, JSON.stringify(answer));
    return performance.now() - startedAt;
  };
  for (const query of Object.values(QUERIES).flat()) await ask(query);
  const rows: Row[] = [];
  for (const [query, queries] of Object.entries(QUERIES)) {
    const times: number[] = [];
    for (let call = 0; call < calls; call += 1) times.push(await ask(queries[call % queries.length] ?? ""));
    const p50Ms = percentile(times, 0.5);
    if (!bench.isTiny) assert.ok(p50Ms < MAX_MS, `${query}: ${p50Ms} ms`);
    rows.push({ table: "lengths", query, p50Ms, p99Ms: percentile(times, 0.99) });
  }
  return rows;
}
