import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Relay } from "./adapters/events/relay.ts";
import type { Database } from "./adapters/postgres/client.ts";
import type { Watch } from "./adapters/postgres/watch.ts";
import type { JobQueue, QueueView } from "./adapters/queue/queue.ts";
import type { Stores } from "./adapters/storage/stores.ts";
import type { Config } from "./config.ts";
import type { Installation } from "./domain/overview/system/installation.ts";

interface Started {
  root: string;
  database: Database;
  watch: Watch;
  queue: JobQueue & QueueView;
  relay: Relay;
  bucket: Stores["bucket"];
}

const BUILD_LETTERS = 12;

/** Describes this process and its environment, for monitoring. */
export function installationOf(config: Config, { root, database, bucket, ...started }: Started): Installation {
  return {
    id: randomUUID(),
    role: config.role,
    ...versionIn(root),
    ...started,
    pool: database.pool,
    queueStore: config.redisUrl === undefined ? "postgresql" : "redis",
    dataDir: config.dataDir,
    bucket: bucket && { name: config.s3?.bucket ?? "", exists: () => bucket.bucketExists() },
    publicUrl: config.publicUrl,
    backupEveryHours: config.backup.everyHours,
    senders: { mail: config.smtpUrl !== undefined, sms: config.smsWebhookUrl !== undefined },
  };
}

/** Returns the release and the build: a hash of everything that was built. */
export function versionIn(root: string): { version: string; build: string } {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const stamp = join(root, "apps/server/dist/.stamp");
  return { version, build: existsSync(stamp) ? readFileSync(stamp, "utf8").trim().slice(0, BUILD_LETTERS) : "" };
}
