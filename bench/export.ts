// Measures an export of a million door records to CSV as operators run it: requested, counted, written by the
// background job with translated values, synced and stored. The baseline is a bare COPY of the same columns into a
// file. Rounds are interleaved. Prints the table of docs/operators/performance.md.
import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "../apps/server/src/adapters/postgres/client.ts";
import { type Program, startProgram } from "./board/programs.ts";
import { bareCopy } from "./export/bare-copy.ts";
import { type LoadHotel, machine, withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { Rounds } from "./measuring/rounds.ts";
import { fillRecords } from "./unlocks/fill.ts";

const RECORDS = 1_000_000;
const ROUNDS = 5;
const LOOK_MS = 50;
const COLUMNS = ["at", "room", "style", "result", "reason", "guest", "holder", "operator", "source", "content"];

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

await withLoadHotel(
  async (database, hotelId) => {
    console.log(`writing ${RECORDS.toLocaleString("en")} records …`);
    await fillRecords(database, hotelId, RECORDS);
  },
  async (hotel) => {
    const server = await startProgram([path("../apps/server/dist/main.js"), "--empty"], {
      ...{ NODE_ENV: "production", DATABASE_URL: hotel.url, DATABASE_POOL: "8", PORT: "0", MQTT_PORT: "0" },
      DATA_DIR: join(hotel.dataDir, "server"),
    });
    try {
      await measure(hotel, server);
    } finally {
      await server.stop();
    }
  },
);

interface Row {
  id: string;
  state: string;
  rowsDone: number;
}

async function measure(hotel: LoadHotel, server: Program): Promise<void> {
  const cookie = await logIn(server.url);
  const headers = { cookie, "x-innkey": "1", "content-type": "application/json" };
  const calls = async (call: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${server.url}/api/${call}`, init)).json();
  };

  /** Measures the seconds from the click to the finished file, and the peak memory meanwhile. */
  async function measureExport(): Promise<{ seconds: number; peakMegabytes: number; lines: number }> {
    const startedAt = performance.now();
    const { id } = (await calls("exports", { list: "unlocks", columns: COLUMNS, format: "csv" })) as Row;
    let [peakMegabytes, done] = [0, false];
    while (!done) {
      await delay(LOOK_MS);
      peakMegabytes = Math.max(peakMegabytes, await server.memory());
      const { result } = (await calls("trpc/exports.list")) as { result: { data: Row[] } };
      const row = result.data.find((row) => row.id === id);
      assert.ok(row && row.state !== "failed", "the file is being written");
      done = row.state === "done";
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const file = await fetch(`${server.url}/api/exports/${id}/file`, { headers });
    let lines = 0;
    for await (const part of file.body ?? []) for (const byte of part as Uint8Array) if (byte === 10) lines += 1;
    await calls("trpc/exports.remove", { exportId: id });
    return { seconds, peakMegabytes, lines };
  }

  const database = connectDatabase(hotel.url, 1, () => undefined);
  const bareFile = join(hotel.dataDir, "bare.csv");
  async function measureCopy(): Promise<number> {
    const startedAt = performance.now();
    await pipeline(bareCopy(database, hotel.hotelId), createWriteStream(bareFile, { flush: true }));
    const seconds = (performance.now() - startedAt) / 1000;
    await rm(bareFile);
    return seconds;
  }

  await measureExport();
  await measureCopy();
  const rate = new Rounds<"bare" | "console">();
  let growth = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    rate.add("bare", RECORDS / (await measureCopy()));
    const before = await server.memory();
    const { seconds, peakMegabytes, lines } = await measureExport();
    assert.equal(lines, RECORDS + 1, "every record and the headings are in the file");
    rate.add("console", RECORDS / seconds);
    growth = Math.max(growth, peakMegabytes - before);
    console.log(`round ${round} of ${ROUNDS} done`);
  }
  await database.close();
  const row = (name: "bare" | "console", title: string): string =>
    `| ${title} | ${Math.round(rate.median(name)).toLocaleString("en")} | ${rate.ratio(name, "bare").toFixed(2)}× |`;
  console.log(`
${machine()}, ${ROUNDS} interleaved rounds, medians.

| ${RECORDS.toLocaleString("en")} door records, ${COLUMNS.length} columns | rows/s | ratio |
|---|---|---|
${row("bare", "bare `COPY (SELECT …) TO STDOUT`, into a file")}
${row("console", "console, from the click to the finished file")}

The server's memory (RSS, looked at every ${LOOK_MS} ms) grew by ${Math.round(growth)} MB at most.`);
}
