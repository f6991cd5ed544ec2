import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedPostgres } from "../../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { faultyLine, through } from "../../apps/server/test/processes/faulty-line.ts";
import { startS3Server } from "../../apps/server/test/processes/s3-server.ts";
import type { World } from "../measuring/world.ts";
import { type Neighbour, startRedis } from "../soak/neighbours.ts";
import { startMosquitto, startPostgres } from "./neighbours.ts";
import { smallDisk } from "./small-disk.ts";
import type { Environment } from "./working-hotel.ts";

/** A service beside the server that fails for a while. */
export interface Fault {
  title: string;
  awaySeconds: number;
  /** sets up the services that the server needs, below `dir` or in the world */
  arrange(dir: string, world: World): Promise<Arranged>;
}

export interface Arranged {
  environment: Environment;
  /** starts the fault */
  break(): Promise<void>;
  /** ends the fault */
  mend(): Promise<void>;
  close(): Promise<void>;
}

type FaultyPart = Omit<Arranged, "environment"> & { environment?: Partial<Environment> };

/** Arranges a fault of PostgreSQL itself, on one of its own. */
async function withPostgres(
  dir: string,
  arrangeFault: (postgres: Neighbour) => Promise<FaultyPart>,
): Promise<Arranged> {
  const postgres = await startPostgres(dir);
  const fault = await arrangeFault(postgres);
  return {
    ...fault,
    environment: { databaseUrl: postgres.url, ...fault.environment },
    async close() {
      await fault.close();
      await postgres.stop();
    },
  };
}

/** Arranges a fault of something else, with a database that keeps working. */
async function withDatabase(world: World, arrangeFault: () => Promise<FaultyPart>): Promise<Arranged> {
  const fault = await arrangeFault();
  const databaseUrl = await world.database("faults");
  return {
    ...fault,
    environment: { databaseUrl, ...fault.environment },
    async close() {
      await fault.close();
      await world.drop("faults");
    },
  };
}

const doNothing = async (): Promise<void> => undefined;

const redisFault = (
  title: string,
  awaySeconds: number,
  away: (redis: Neighbour) => Promise<void>,
  back: (redis: Neighbour, dir: string) => Promise<void>,
): Fault => ({
  title,
  awaySeconds,
  arrange: (dir, world) =>
    withDatabase(world, async () => {
      const redis = await startRedis(dir);
      return {
        environment: { env: { REDIS_URL: redis.url } },
        break: () => away(redis),
        mend: () => back(redis, dir),
        close: () => redis.stop(),
      };
    }),
});

const storageFault = (title: string, awaySeconds: number, how: "cut" | "hang"): Fault => ({
  title,
  awaySeconds,
  arrange: (_dir, world) =>
    withDatabase(world, async () => {
      const store = await startS3Server();
      const { endpoint, bucket, accessKey, secretKey, region } = store.settings;
      const line = await faultyLine(Number(new URL(endpoint).port));
      const s3 = { S3_ENDPOINT: through(endpoint, line.port), S3_BUCKET: bucket, S3_REGION: region };
      return {
        environment: { env: { ...s3, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } },
        break: async () => (how === "cut" ? line.cut() : line.hang()),
        mend: () => line.restore(),
        async close() {
          await line.close();
          await store.close();
        },
      };
    }),
});

export const FAULTS = {
  "postgres-killed": {
    title: "PostgreSQL is killed, and back after 5 s",
    awaySeconds: 5,
    arrange: (dir) =>
      withPostgres(dir, async (postgres) => ({
        break: () => postgres.kill(),
        mend: () => postgres.start(),
        close: doNothing,
      })),
  },
  "postgres-hung": {
    title: "PostgreSQL hangs for 25 s",
    awaySeconds: 25,
    arrange: (dir) =>
      withPostgres(dir, async (postgres) => ({
        break: async () => postgres.freeze(),
        mend: async () => postgres.thaw(),
        close: doNothing,
      })),
  },
  "postgres-disk-full": {
    title: "PostgreSQL's disk is full for 10 s",
    awaySeconds: 10,
    async arrange(dir) {
      const disk = await smallDisk(join(dir, "disk"), 400);
      const log = { info() {}, warn: (line: string) => console.log(`  ${line}`) };
      const settings = { max_wal_size: "64MB", min_wal_size: "32MB" };
      const postgres = await startEmbeddedPostgres({ dataDir: disk.path, log, settings });
      return {
        environment: { databaseUrl: postgres.url },
        break: async () => disk.fill(),
        mend: async () => disk.free(),
        async close() {
          await postgres.stop();
          disk.remove();
        },
      };
    },
  },
  "redis-killed": redisFault(
    "Redis is killed, and back after 5 s",
    5,
    (redis) => redis.kill(),
    (redis) => redis.start(),
  ),
  "redis-hung": redisFault(
    "Redis hangs for 15 s",
    15,
    async (redis) => redis.freeze(),
    async (redis) => redis.thaw(),
  ),
  "redis-empty": redisFault(
    "Redis is killed, and back after 5 s with nothing in it",
    5,
    (redis) => redis.kill(),
    async (redis, dir) => {
      await rm(join(dir, "redis", "appendonlydir"), { recursive: true, force: true });
      await redis.start();
    },
  ),
  "broker-killed": {
    title: "the broker is killed, and back after 10 s",
    awaySeconds: 10,
    arrange: (dir, world) =>
      withDatabase(world, async () => {
        const broker = await startMosquitto(dir);
        return {
          environment: { brokerUrl: broker.url },
          break: () => broker.kill(),
          mend: () => broker.start(),
          close: () => broker.stop(),
        };
      }),
  },
  "storage-refuses": storageFault("the object store refuses for 10 s", 10, "cut"),
  "storage-hangs": storageFault("the object store hangs for 30 s", 30, "hang"),
  "files-disk-full": {
    title: "the disk of pictures and exports is full for 10 s",
    awaySeconds: 10,
    arrange: (dir, world) =>
      withDatabase(world, async () => {
        const disk = await smallDisk(join(dir, "disk"), 32);
        return {
          environment: { filesIn: disk.path },
          break: async () => disk.fill(),
          mend: async () => disk.free(),
          async close() {
            await delay(100);
            disk.remove();
          },
        };
      }),
  },
} as const satisfies Record<string, Fault>;
