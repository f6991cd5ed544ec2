import type { RelayState } from "../../../adapters/events/relay.ts";
import type { Watch } from "../../../adapters/postgres/watch.ts";
import type { QueueView } from "../../../adapters/queue/queue.ts";

/** What this process is and stands on, as whoever started it knows. */
export interface Installation {
  /** of this process, made anew with each start */
  id: string;
  role: "all" | "web" | "worker";
  version: string;
  /** changes with what was built; empty: it runs from source */
  build: string;
  /** looks at the database beside the pool */
  watch: Watch;
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  queue: QueueView & { reachable(): Promise<boolean> };
  queueStore: "postgresql" | "redis";
  relay: { state(): RelayState; subscribe(subscriber: { onMessage(): void; onGap(): void }): () => void };
  /** where what is not in the database is kept; the bucket's name, or null for the disk */
  dataDir: string;
  bucket: { name: string; exists(): Promise<boolean> } | null;
  publicUrl: string | undefined;
  backupEveryHours: number;
  senders: { mail: boolean; sms: boolean };
}

/** How this process speaks with locks; null: it does not. */
export interface BrokerState {
  kind: "embedded" | "external";
  connected: boolean;
}
