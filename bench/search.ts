// Measures the palette's searches among a hundred thousand guests in six scripts, with one, two, three and ten
// characters: the built server with a session, one call after the other. Prints the table of docs/operators/performance.md.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "./board/programs.ts";
import { machine, withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { fillGuests } from "./search/fill.ts";

const GUESTS = 100_000;
const CALLS = 200;
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
  async (database, hotelId) => {
    console.log(`writing ${GUESTS.toLocaleString("en")} guests …`);
    await fillGuests(database, hotelId, GUESTS);
  },
  async ({ url, dataDir }) => {
    const main = fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url));
    const directory = join(dataDir, "server");
    const server = await startProgram([main, "--empty"], {
      NODE_ENV: "production",
      DATABASE_URL: url,
      PORT: "0",
      MQTT_PORT: "0",
      DATA_DIR: directory,
    });
    try {
      await measure(server.url);
    } finally {
      await server.stop();
    }
  },
);

async function measure(server: string): Promise<void> {
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
  const lines: string[] = [];
  for (const [kind, queries] of Object.entries(QUERIES)) {
    const times: number[] = [];
    for (let call = 0; call < CALLS; call += 1) times.push(await ask(queries[call % queries.length] ?? ""));
    times.sort((a, b) => a - b);
    const at = (share: number): number =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    assert.ok(at(0.5) < MAX_MS, `${kind}: ${at(0.5)} ms`);
    lines.push(`| ${kind} | ${at(0.5).toFixed(1)} | ${at(0.99).toFixed(1)} |`);
  }
  console.log(`
${machine()}, ${CALLS} calls of each, one after the other.

| search among ${GUESTS.toLocaleString("en")} guests | p50 ms | p99 ms |
|---|---|---|
${lines.join("\n")}`);
}
