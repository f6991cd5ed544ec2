import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../telemetry/logger.ts";

/** Number of the advisory lock that allows one backup of a database at a time, and none while its tables change. */
export const BACKUP_LOCK = 461_175_023;

const RETRY_MS = 500;
const RECONNECT_MS = 5_000;
/**
 * TCP keepalive settings with which PostgreSQL detects within about 25 s that this machine is gone, and releases its
 * locks.
 */
export const SERVER_KEEPALIVE = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/**
 * Takes an advisory lock and holds it until it is released. If the connection breaks, it reconnects and tries once to
 * take the lock again; if another process has it by then, it logs an error. Returns null if another process still holds it after `timeoutMs`, which must be long enough for a process that is stopping or was killed.
 */
export async function withAdvisoryLock(
  url: string,
  lock: number,
  timeoutMs: number,
  log: Pick<Logger, "warn" | "error">,
): Promise<{ release(): Promise<void> } | null> {
  const released = new AbortController();
  let client = await connectLockClient(url);

  async function reconnectWhenLost(): Promise<void> {
    while (!released.signal.aborted) {
      await waitForEnd(client);
      if (released.signal.aborted) return;
      log.warn({}, "lost the connection that holds the advisory lock; reconnecting");
      for (let isBack = false; !isBack && !released.signal.aborted; ) {
        await delay(RECONNECT_MS, undefined, { signal: released.signal, ref: false }).catch(() => undefined);
        try {
          client = await connectLockClient(url);
          isBack = true;
          if (!(await tryLock(client, lock)))
            log.error({}, "another process has become the broker of the locks meanwhile");
        } catch (error) {
          log.warn({ err: error }, "still no connection to hold the advisory lock");
        }
      }
    }
  }

  const until = performance.now() + timeoutMs;
  while (!(await tryLock(client, lock))) {
    if (performance.now() > until) {
      await client.end();
      return null;
    }
    await delay(RETRY_MS);
  }
  void reconnectWhenLost();
  return {
    async release() {
      released.abort();
      await client.end();
    },
  };
}

async function connectLockClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "innkey broker",
    options: SERVER_KEEPALIVE,
    keepAlive: true,
  });
  client.on("error", () => undefined); // the "end" event follows
  await client.connect();
  return client;
}

const waitForEnd = (client: pg.Client): Promise<unknown> => new Promise((resolve) => client.once("end", resolve));

async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ acquired: boolean }>("SELECT pg_try_advisory_lock($1) AS acquired", [lock]);
  return rows[0]?.acquired === true;
}
