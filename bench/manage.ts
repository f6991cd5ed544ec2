// Measures old clients' calls through the encrypted envelope against the same reads through tRPC: the list of all rooms
// in pages, and a small call. It uses one built server and interleaved rounds.
import assert from "node:assert/strict";
import { ask, CIPHER_SETTINGS, encryptPayload, logInAsOldClient } from "./manage/old-client.ts";
import { openBench } from "./measuring/bench.ts";
import type { LoadPlan } from "./measuring/load.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { load } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";
import { measureRounds } from "./measuring/rounds.ts";

const bench = openBench("manage", {
  full: { rooms: 500, pageSize: 200, connections: 8, rounds: 5, seconds: 3, warmSeconds: 1 },
  tiny: { rooms: 10, pageSize: 4, connections: 2, rounds: 1, seconds: 0.2, warmSeconds: 0 },
});
const { rooms, pageSize, connections } = bench.sizes;
const PAGES = Array.from({ length: Math.ceil(rooms / pageSize) }, (_, index) => index + 1);

/** The calls, each with the one that it is compared with. */
const CASES = {
  "list by tRPC": "list by tRPC",
  "list in envelopes": "list by tRPC",
  "small by tRPC": "small by tRPC",
  "small in envelopes": "small by tRPC",
} as const;
type Case = keyof typeof CASES;

await withLoadHotel(
  rooms,
  async () => undefined,
  async ({ url, world }) => {
    const server = await world.serve(url, { env: CIPHER_SETTINGS });
    try {
      await bench.finish(await measure(server.url));
    } finally {
      await server.stop();
    }
  },
);

async function plansFor(server: string): Promise<Record<Case, Omit<LoadPlan, "seconds">>> {
  const token = await logInAsOldClient(server);
  const cookie = await logIn(server);
  const names = async (page: number): Promise<unknown[]> => {
    const { list } = await ask(server, "room/listNew", { page, page_size: pageSize }, token);
    return (list as { name: string }[]).map(({ name }) => name);
  };
  const byTrpc = (page: number): string =>
    `${server}/api/trpc/rooms.page?input=${encodeURIComponent(JSON.stringify({ page, pageSize }))}`;
  const namesInEnvelopes = (await Promise.all(PAGES.map(names))).flat();
  const answers = await Promise.all(
    PAGES.map(async (page) => (await fetch(byTrpc(page), { headers: { cookie } })).json()),
  );
  const rowsByTrpc = answers.flatMap(
    (answer) => (answer as { result: { data: { rows: { name: string }[] } } }).result.data.rows,
  );
  assert.equal(namesInEnvelopes.length, rooms);
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
  const plan = { url: server, connections, status: 200 };
  return {
    "list by tRPC": { ...plan, headers: { cookie }, requests: PAGES.map((page) => ({ url: byTrpc(page) })) },
    "list in envelopes": {
      ...plan,
      headers: old,
      requests: PAGES.map((page) => post("room/listNew", { page, page_size: pageSize })),
    },
    "small by tRPC": { ...plan, headers: { cookie }, requests: [{ url: `${server}/api/trpc/hotel.get` }] },
    "small in envelopes": { ...plan, headers: old, requests: [post("room/hotelInfo", {})] },
  };
}

async function measure(server: string): Promise<Row[]> {
  const plans = await plansFor(server);
  const cases = Object.keys(CASES) as Case[];
  const rounds = await measureRounds(cases, bench.sizes, (name, seconds) => load({ ...plans[name], seconds }));
  return cases.map((name) => ({
    ...{ table: "calls", call: name },
    callsPerSecond: rounds.median(name, "perSecond"),
    p50Ms: rounds.median(name, "p50Ms"),
    p99Ms: rounds.median(name, "p99Ms"),
    ratio: rounds.ratio(name, CASES[name]),
  }));
}
