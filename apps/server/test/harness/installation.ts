import { randomUUID } from "node:crypto";
import type { Relay } from "../../src/adapters/events/relay.ts";
import type { Database } from "../../src/adapters/postgres/client.ts";
import type { Watch } from "../../src/adapters/postgres/watch.ts";
import type { Installation } from "../../src/domain/overview/system/installation.ts";

interface Started {
  watch: Watch;
  database: Pick<Database, "pool">;
  relay: Relay;
  dataDir: string;
}

/** Describes a single-process console with an empty queue; tests override the relevant fields. */
export function testInstallation({ database, ...started }: Started): Installation {
  return {
    id: randomUUID(),
    role: "all",
    version: "0.0.0",
    build: "",
    ...started,
    pool: database.pool,
    queue: {
      reachable: async () => true,
      standings: async () => [],
      waitingSince: async () => null,
      lastFailure: async () => null,
    },
    queueStore: "postgresql",
    bucket: null,
    publicUrl: undefined,
    backupEveryHours: 0,
    senders: { mail: false, sms: false },
  };
}
