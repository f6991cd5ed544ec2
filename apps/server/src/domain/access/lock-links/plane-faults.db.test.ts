import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";
import { createLockBench, type LockBench } from "../../../../test/locks/locks.ts";
import { connectRelay } from "../../../adapters/events/connect-relay.ts";
import type { Relay } from "../../../adapters/events/relay.ts";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import { createJobQueue, type JobQueue } from "../../../adapters/queue/queue.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { enqueue } from "../lock-commands/commands.ts";
import { dispatchLock } from "../lock-commands/deliver-commands.ts";
import { defineLockJobs, dropCommands, readBackLocks, recordPower, sweepLocks } from "./lock-plane.ts";

/**
 * Two servers with one database, BullMQ and LISTEN/NOTIFY as in production. Locks lose and repeat their answers, and
 * connections are cut. No command may be left over, executed twice or executed out of order.
 */
const START = "2026-11-18T14:00:00.000Z";
const LOCKS = 20;
const COMMANDS_EACH = 10;
const LOST = 0.2;
const DOUBLED = 0.2;
/** The servers' clock runs faster than real time, because pauses between tries take minutes. */
const SPEED = 20;
const TIMEOUT_MS = 100_000;

const log = pino({ level: "silent" });
const startedAt = performance.now();
const clock = { now: () => new Date(Date.parse(START) + (performance.now() - startedAt) * SPEED) };

interface Server {
  bench: LockBench;
  queue: JobQueue;
  relay: Relay;
}

let world: TestWorld;
let owner: Scope;
let servers: Server[];

beforeAll(async () => {
  world = await createTestWorld(START);
  const hotel = await world.createHotel();
  owner = await hotel.scope();
  servers = await Promise.all([startServer(), startServer()]);
});
afterAll(async () => {
  for (const { queue, relay } of servers) await Promise.all([queue.close(), relay.close()]);
  await world.close();
});

async function startServer(): Promise<Server> {
  const databaseUrl = world.database.pool.options.connectionString ?? "";
  const queue = createJobQueue({
    databaseUrl,
    redisUrl: undefined,
    jobs: [dispatchLock, sweepLocks, readBackLocks, dropCommands, recordPower],
    log,
  });
  const relay = await connectRelay(databaseUrl, log);
  const bench = createLockBench({ ...world, clock }, { relay, queue });
  defineLockJobs(queue, bench.plane);
  queue.start();
  return { bench, queue, relay };
}

/** A seeded generator repeats the same faults in each run (linear congruential, constants of Numerical Recipes). */
let seed = 20_261_118;
const chance = (): number => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
};

/**
 * Behaves as the protocol requires of locks: executes a command once, however often it arrives, and answers each time.
 */
class FaultyLock {
  readonly done: string[] = [];
  readonly row: Lock;
  constructor(row: Lock) {
    this.row = row;
  }
  receive(id: string): void {
    if (!this.done.includes(id)) this.done.push(id);
    const draw = chance();
    const answers = draw < LOST ? 0 : draw < LOST + DOUBLED ? 2 : 1;
    for (let n = 0; n < answers; n += 1) void this.#answer(id, 20 * chance());
  }
  async #answer(id: string, afterMs: number): Promise<void> {
    await delay(afterMs);
    const server = servers[chance() < 0.5 ? 0 : 1];
    // A server whose connection was cut can't process the answer. For the lock this is one more lost answer.
    await server?.bench.ack(this.row, { id }).catch(() => undefined);
  }
}

it(
  "200 commands to 20 faulty locks each end, in order, and take effect once",
  async () => {
    const [first] = servers;
    if (!first) throw new Error("no server");
    const locks: FaultyLock[] = [];
    for (let n = 0; n < LOCKS; n += 1) locks.push(new FaultyLock(await first.bench.addLock(owner, {}, false)));
    await world.database.prisma.lock.updateMany({ data: { online: true } });
    for (const { bench } of servers) {
      bench.driver.reply = ({ id }, command) => {
        locks.find(({ row }) => row.id === id)?.receive(command.id);
        return { outcome: "sent" };
      };
    }

    await Promise.all(
      locks.map(async ({ row }) => {
        for (let n = 0; n < COMMANDS_EACH; n += 1) {
          const expiresAt = n % 5 === 4 ? new Date(clock.now().getTime() + 30_000) : null;
          await owner.write((tx) =>
            enqueue(owner, tx, row.id, { type: "notice", subject: `${n}`, args: { text: "x" }, expiresAt }),
          );
        }
      }),
    );
    await world.database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );

    await vi.waitFor(
      async () => {
        const silent = await world.database.prisma.lock.findMany({ where: { breakerOpenedAt: { not: null } } });
        for (const row of silent) await first.bench.status(row, "online");
        await first.bench.plane.sweep();
        const open = await world.database.prisma.lockCommand.count({ where: { state: { in: ["queued", "sent"] } } });
        expect(open).toBe(0);
      },
      { timeout: TIMEOUT_MS, interval: 200 },
    );

    const commands = await world.database.prisma.lockCommand.findMany({ orderBy: { seq: "asc" } });
    expect(commands).toHaveLength(LOCKS * COMMANDS_EACH);
    expect(commands.filter(({ state }) => state !== "acknowledged" && state !== "expired")).toEqual([]);
    expect(commands.filter(({ tries }) => tries > 1).length).toBeGreaterThan(10);
    for (const { row, done } of locks) {
      const order = commands.filter(({ lockId }) => lockId === row.id);
      expect(done).toEqual(order.map(({ id }) => id).filter((id) => done.includes(id)));
      const acknowledged = order.filter(({ state }) => state === "acknowledged");
      expect(acknowledged.every(({ id }) => done.includes(id))).toBe(true);
    }
  },
  2 * TIMEOUT_MS,
);
