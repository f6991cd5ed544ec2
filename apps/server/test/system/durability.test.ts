import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";

/**
 * Kills the built server and its PostgreSQL without warning. Acknowledged writes must be complete; others must leave
 * nothing.
 */
const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const PASSWORD = "kept-through-the-storm";
const CHECK_INS = 200;
const AT_ONCE = 16;

let dataDir: string;
let server: Started;

interface Started {
  process: ChildProcess;
  url: string;
  cookie: string;
}

beforeAll(async () => {
  if (!existsSync(MAIN)) throw new Error("build the server first: node scripts/build.mjs");
  dataDir = await mkdtemp(join(tmpdir(), "innkey-durability-"));
  server = await start();
  await call("setup.create", {
    hotel: { name: "Storm", timeZone: "Europe/Berlin", currency: "EUR" },
    owner: { name: "Owner", account: "owner@example.test", password: PASSWORD },
  });
});

afterAll(async () => {
  const ended = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGTERM");
  await ended;
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Started> {
  const child = spawn(process.execPath, [MAIN, "--empty"], {
    env: { ...process.env, PORT: "0", MQTT_PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "fatal" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const address = /http:\/\/[\w.:]+/.exec(output);
      if (address) resolve(address[0]);
    });
    child.once("exit", () => reject(new Error(`the server ended:\n${output}`)));
  });
  return { process: child, url, cookie: "" };
}

async function call<T>(procedure: string, input: unknown): Promise<T> {
  const response = await fetch(`${server.url}/api/trpc/${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-innkey": "1", origin: server.url, cookie: server.cookie },
    body: JSON.stringify(input),
  });
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith("smart_lock_userinfo="));
  if (cookie) server.cookie = cookie.split(";")[0] ?? "";
  const body = (await response.json()) as { result?: { data: T }; error?: { message: string } };
  if (!body.result) throw new Error(body.error?.message ?? `HTTP ${response.status}`);
  return body.result.data;
}

function postmasterPid(): number {
  const text = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8");
  return Number(text.split("\n")[0]);
}

/** Returns every stay with its parts; a complete one has exactly one of each and entries that sum to zero. */
async function readStays(): Promise<
  { id: number; rooms: number; guests: number; entries: number; balance: number; auditEntries: number }[]
> {
  const text = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");
  const password = readFileSync(join(dataDir, "postgres.password"), "utf8").trim();
  const client = new pg.Client({
    host: "127.0.0.1",
    port: Number(text[3]),
    user: "innkey",
    password,
    database: "innkey",
  });
  await client.connect();
  try {
    const { rows } = await client.query(`
      SELECT s.id,
        (SELECT count(*)::int FROM occupancy o WHERE o.stay_id = s.id AND o.state = 'in_house') AS rooms,
        (SELECT count(*)::int FROM stay_guest g WHERE g.stay_id = s.id AND g."primary") AS guests,
        (SELECT count(*)::int FROM folio_entry o WHERE o.stay_id = s.id AND o.type = 'room') AS entries,
        (SELECT coalesce(sum(e.amount_minor), 0)::int FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id WHERE o.stay_id = s.id) AS balance,
        (SELECT count(*)::int FROM audit_entry a WHERE a.entity = 'stay' AND a.entity_id = s.id::text) AS "auditEntries"
      FROM stay s ORDER BY s.id`);
    return rows;
  } finally {
    await client.end();
  }
}

async function outcomes(acts: Promise<unknown>[]): Promise<Record<string, number>> {
  const settled = await Promise.allSettled(acts);
  const counts: Record<string, number> = {};
  for (const act of settled) {
    const outcome = act.status === "fulfilled" ? "done" : (act.reason as Error).message;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const HOUR_MS = 3_600_000;
const period = (startHours: number, hours: number) => ({
  startsAt: new Date(Date.now() + startHours * HOUR_MS),
  endsAt: new Date(Date.now() + (startHours + hours) * HOUR_MS),
});
const booking = (roomId: number, name: string, hours: readonly [number, number]) => ({
  roomId,
  unit: "day",
  ...period(...hours),
  agreedTotalMinor: 9_000,
  guests: [{ name }],
});
const createRoom = async (name: string): Promise<number> =>
  (await call<{ roomId: number }>("rooms.save", { name, groupId: null })).roomId;
const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, (_, n) => make(n));
const WHOLE = { rooms: 1, guests: 1, entries: 1, balance: 0, auditEntries: 1 };

it("gives a room to one of 100 desks that check in, reserve or move into it at once", async () => {
  const contested = await createRoom("Contested");
  expect(await outcomes(times(100, (n) => call("stays.checkIn", booking(contested, `In ${n}`, [0, 24]))))).toEqual({
    done: 1,
    room_taken: 99,
  });
  expect(await readStays()).toMatchObject([WHOLE]);

  const slot = booking(contested, "", [48, 24]);
  expect(
    await outcomes(times(100, (n) => call("stays.reserve", { ...slot, guests: [{ name: `Held ${n}` }] }))),
  ).toEqual({ done: 1, room_taken: 99 });
  expect(await readStays()).toHaveLength(2);

  const target = await createRoom("Wanted");
  const moving = await Promise.all(
    times(20, async (n) =>
      call<{ stayId: number }>("stays.checkIn", booking(await createRoom(`From ${n}`), `Mover ${n}`, [0, 24])),
    ),
  );
  const moves = moving.flatMap(({ stayId }) =>
    times(5, () => call("stays.changeRoom", { stayId, roomId: target, agreedTotalMinor: 8_000 })),
  );
  const { done, ...refused } = await outcomes(moves);
  expect(done).toBe(1);
  // The desk that succeeded makes four more tries, which are refused because the stay is already in that room.
  expect(refused).toEqual({ room_taken: 95, invalid_input: 4 });
  expect((await readStays()).slice(2)).toHaveLength(20);
  expect((await readStays()).every(({ rooms, balance }) => rooms <= 1 && balance === 0)).toBe(true);
}, 240_000);

it("keeps every acknowledged check-in complete when PostgreSQL and then the server are killed", async () => {
  const before = (await readStays()).length;
  const rooms: number[] = [];
  for (let n = 0; n < CHECK_INS; n += 1) rooms.push(await createRoom(`S${n}`));
  await call("rooms.setPrices", {
    roomIds: rooms,
    prices: { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 12_000 },
  });

  const acknowledged = new Set<number>();
  let refused = 0;
  const queue = [...rooms];
  const work = async (): Promise<void> => {
    for (let roomId = queue.shift(); roomId !== undefined; roomId = queue.shift()) {
      if (acknowledged.size + refused === CHECK_INS / 2) process.kill(postmasterPid(), "SIGKILL");
      try {
        const input = { ...booking(roomId, `Guest ${roomId}`, [0, 48]), agreedTotalMinor: null, channel: "cash" };
        acknowledged.add((await call<{ stayId: number }>("stays.checkIn", input)).stayId);
      } catch {
        refused += 1;
        await delay(50);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(acknowledged.size).toBeGreaterThan(CHECK_INS / 3);
  expect(refused).toBeGreaterThan(0);

  const killed = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGKILL");
  await killed;
  const { cookie } = server;
  server = { ...(await start()), cookie };

  const stays = (await readStays()).slice(before);
  const storedIds = new Set(stays.map(({ id }) => id));
  expect([...acknowledged].filter((id) => !storedIds.has(id))).toEqual([]);
  for (const { id, ...parts } of stays) {
    expect(parts, `stay ${id}`).toEqual(WHOLE);
  }
  const next = await call<{ stayId: number }>(
    "stays.checkIn",
    booking(await createRoom("After"), "After the storm", [0, 24]),
  );
  expect(next.stayId).toBeGreaterThan(0);
}, 240_000);
