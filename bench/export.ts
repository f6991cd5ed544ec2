// Measures an export of door records to CSV as operators run it: requested, counted, written by the background job with
// translated values, synced and stored. The baseline is a bare COPY of the same columns into a file. Rounds are
// interleaved.
import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { connectDatabase } from "../apps/server/src/adapters/postgres/client.ts";
import { bareCopy } from "./export/bare-copy.ts";
import { openBench } from "./measuring/bench.ts";
import { type LoadHotel, withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import type { Program } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";
import { Rounds } from "./measuring/rounds.ts";
import { fillRecords } from "./unlocks/fill.ts";

// With fewer than 6,000 records, the console would answer at once instead of writing a file.
const bench = openBench("export", {
  full: { rooms: 500, records: 1_000_000, rounds: 5 },
  tiny: { rooms: 10, records: 6_000, rounds: 1 },
});
const { rooms, records, rounds } = bench.sizes;
const LOOK_MS = 50;
const COLUMNS = ["at", "room", "style", "result", "reason", "guest", "holder", "operator", "source", "content"];

await withLoadHotel(
  rooms,
  async (database, hotelId) => {
    console.log(`writing ${records.toLocaleString("en")} records …`);
    await fillRecords(database, hotelId, records);
  },
  async (hotel) => {
    const server = await hotel.world.serve(hotel.url);
    try {
      await bench.finish(await measure(hotel, server), { columns: COLUMNS.length });
    } finally {
      await server.stop();
    }
  },
);

interface ExportRow {
  id: string;
  state: string;
  rowsDone: number;
}

async function measure(hotel: LoadHotel, server: Program): Promise<Row[]> {
  const cookie = await logIn(server.url);
  const headers = { cookie, "x-innkey": "1", "content-type": "application/json" };
  const calls = async (call: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${server.url}/api/${call}`, init)).json();
  };

  /** Measures the seconds from the click to the finished file, and the peak memory meanwhile. */
  async function measureExport(): Promise<{ seconds: number; peakMegabytes: number; lines: number }> {
    const startedAt = performance.now();
    const { id } = (await calls("exports", { list: "unlocks", columns: COLUMNS, format: "csv" })) as ExportRow;
    let [peakMegabytes, done] = [0, false];
    while (!done) {
      await delay(LOOK_MS);
      peakMegabytes = Math.max(peakMegabytes, await server.memory());
      const { result } = (await calls("trpc/exports.list")) as { result: { data: ExportRow[] } };
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
  const bareFile = join(hotel.world.dataDir, "bare.csv");
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
  for (let round = 1; round <= rounds; round += 1) {
    rate.add("bare", records / (await measureCopy()));
    const before = await server.memory();
    const { seconds, peakMegabytes, lines } = await measureExport();
    assert.equal(lines, records + 1, "every record and the headings are in the file");
    rate.add("console", records / seconds);
    growth = Math.max(growth, peakMegabytes - before);
    console.log(`round ${round} of ${rounds} done`);
  }
  await database.close();
  return [
    wayRow("bare", "bare `COPY (SELECT …) TO STDOUT`, into a file", null),
    wayRow("console", "console, from the click to the finished file", growth),
  ];

  function wayRow(name: "bare" | "console", way: string, grewByMb: number | null): Row {
    return { table: "ways", way, rowsPerSecond: rate.median(name), ratio: rate.ratio(name, "bare"), grewByMb };
  }
}
