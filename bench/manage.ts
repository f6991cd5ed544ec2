// Measures old clients' calls through the encrypted envelope against the same reads through tRPC: the list of 500 rooms
// in pages of 200, and a small call. It uses one built server and interleaved rounds. Prints the table of
// docs/operators/performance.md.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LoadPlan, LoadResult } from "./board/load.ts";
import { load, startProgram } from "./board/programs.ts";
import { ask, CIPHER_SETTINGS, encryptPayload, logInAsOldClient } from "./manage/old-client.ts";
import { machine, withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { Rounds } from "./measuring/rounds.ts";

const ROUNDS = 5;
const SECONDS = 3;
const WARM_SECONDS = 1;
const CONNECTIONS = 8;
const PAGES = [1, 2, 3];
const PAGE_SIZE = 200;

type Case = "list by tRPC" | "list in envelopes" | "small by tRPC" | "small in envelopes";

await withLoadHotel(
  async () => undefined,
  async ({ url, dataDir }) => {
    const server = await startProgram(
      [fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url)), "--empty"],
      {
        ...CIPHER_SETTINGS,
        ...{ NODE_ENV: "production", DATABASE_URL: url, DATABASE_POOL: "8", PORT: "0", MQTT_PORT: "0" },
        DATA_DIR: join(dataDir, "server"),
      },
    );
    try {
      await measure(server.url);
    } finally {
      await server.stop();
    }
  },
);

async function plansFor(server: string): Promise<Record<Case, Omit<LoadPlan, "seconds">>> {
  const token = await logInAsOldClient(server);
  const cookie = await logIn(server);
  const names = async (page: number): Promise<unknown[]> => {
    const { list } = await ask(server, "room/listNew", { page, page_size: PAGE_SIZE }, token);
    return (list as { name: string }[]).map(({ name }) => name);
  };
  const byTrpc = (page: number): string =>
    `${server}/api/trpc/rooms.page?input=${encodeURIComponent(JSON.stringify({ page, pageSize: PAGE_SIZE }))}`;
  const namesInEnvelopes = (await Promise.all(PAGES.map(names))).flat();
  const answers = await Promise.all(
    PAGES.map(async (page) => (await fetch(byTrpc(page), { headers: { cookie } })).json()),
  );
  const rowsByTrpc = answers.flatMap(
    (answer) => (answer as { result: { data: { rows: { name: string }[] } } }).result.data.rows,
  );
  assert.equal(namesInEnvelopes.length, 500);
  assert.deepEqual(
    rowsByTrpc.map(({ name }) => name),
    namesInEnvelopes,
    "both list the same rooms",
  );

  const old = { "content-type": "application/json", "x-token": token };
  const post = (path: string, payload: Record<string, unknown>) => ({
    url: `${server}/manage/${path}`,
    body: encryptPayload(payload),
  });
  const plan = { url: server, connections: CONNECTIONS, status: 200 };
  return {
    "list by tRPC": { ...plan, headers: { cookie }, requests: PAGES.map((page) => ({ url: byTrpc(page) })) },
    "list in envelopes": {
      ...plan,
      headers: old,
      requests: PAGES.map((page) => post("room/listNew", { page, page_size: PAGE_SIZE })),
    },
    "small by tRPC": { ...plan, headers: { cookie }, requests: [{ url: `${server}/api/trpc/hotel.get` }] },
    "small in envelopes": { ...plan, headers: old, requests: [post("room/hotelInfo", {})] },
  };
}

async function measure(server: string): Promise<void> {
  const plans = await plansFor(server);
  const cases = Object.keys(plans) as Case[];
  const rounds = new Rounds<Case>();
  const last: Partial<Record<Case, LoadResult>> = {};
  for (const name of cases) await load({ ...plans[name], seconds: WARM_SECONDS });
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const name of cases) {
      const result = await load({ ...plans[name], seconds: SECONDS });
      rounds.add(name, result.perSecond);
      last[name] = result;
    }
    console.log(`round ${round} of ${ROUNDS} done`);
  }
  const row = (name: Case, against: Case): string => {
    const { p50Ms = Number.NaN, p99Ms = Number.NaN } = last[name] ?? {};
    const cells = [name, Math.round(rounds.median(name)).toLocaleString("en"), p50Ms.toFixed(1), p99Ms.toFixed(1)];
    return `| ${[...cells, rounds.ratio(name, against).toFixed(2)].join(" | ")} |`;
  };
  console.log(`
${machine()}, ${CONNECTIONS} connections, ${ROUNDS} interleaved rounds of ${SECONDS} s, aes-256-cbc.

| ${PAGE_SIZE} rooms of 500 a read, and a small call | calls/s | p50 ms | p99 ms | ratio |
|---|---|---|---|---|
${row("list by tRPC", "list by tRPC")}
${row("list in envelopes", "list by tRPC")}
${row("small by tRPC", "small by tRPC")}
${row("small in envelopes", "small by tRPC")}`);
}
