/**
 * Several servers and workers as in production: built, each a separate process, on one real PostgreSQL database, Redis
 * and broker.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createTestDatabase } from "../harness/database.ts";
import { startMosquitto } from "./mosquitto.ts";
import { RedisServer } from "./redis-server.ts";
import { ServerProcess } from "./server-process.ts";

export const CLUSTER_KEY = Buffer.alloc(32, 9);

export interface Cluster {
  redis: RedisServer;
  brokerUrl: string;
  /** To read what the servers wrote */
  database: pg.Pool;
  web(settings?: Record<string, string>): Promise<ServerProcess>;
  worker(settings?: Record<string, string>): Promise<ServerProcess>;
  close(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), "innkey-cluster-"));
  const [{ url, drop }, redis, broker] = await Promise.all([
    createTestDatabase(),
    RedisServer.start(),
    startMosquitto(directory),
  ]);
  const database = new pg.Pool({ connectionString: url, max: 2 });
  const shared = {
    DATABASE_URL: url,
    DATABASE_POOL: "4",
    REDIS_URL: redis.url,
    MQTT_URL: broker.url,
    SECRET_KEY: CLUSTER_KEY.toString("hex"),
    DATA_DIR: directory,
    WEBHOOK_ALLOW_LOCAL: "true",
    TRUST_PROXY: "true",
  };
  const started: Promise<ServerProcess>[] = [];
  const start = (settings: Record<string, string>): Promise<ServerProcess> => {
    const server = ServerProcess.start({ ...shared, ...settings });
    started.push(server);
    return server;
  };
  return {
    redis,
    brokerUrl: broker.url,
    database,
    web: (settings) => start({ ROLE: "web", ...settings }),
    worker: (settings) => start({ ROLE: "worker", ...settings }),
    async close() {
      // Includes servers that are still starting after a test stopped waiting for them.
      await Promise.allSettled(started.map(async (server) => (await server).stop()));
      await database.end();
      await Promise.all([broker.stop(), redis.kill(), drop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
