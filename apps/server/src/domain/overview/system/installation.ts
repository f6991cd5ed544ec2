import type { RelayState } from "../../../adapters/events/relay.ts";
import type { Watch } from "../../../adapters/postgres/watch.ts";
import type { QueueView } from "../../../adapters/queue/queue.ts";

/** Properties and services of this process, from where it is started. */
export interface Installation {
  /** Id of this process, new at each start. */
  id: string;
  role: "all" | "web" | "worker";
  version: string;
  /** Changes with each build; empty if run from source. */
  build: string;
  /** Reads the database outside the pool. */
  watch: Watch;
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  queue: QueueView & { reachable(): Promise<boolean> };
  queueStore: "postgresql" | "redis";
  relay: { state(): RelayState; subscribe(subscriber: { onMessage(): void; onGap(): void }): () => void };
  /** Storage outside the database: the bucket, or null for the disk. */
  dataDir: string;
  bucket: { name: string; exists(): Promise<boolean> } | null;
  publicUrl: string | undefined;
  backupEveryHours: number;
  senders: { mail: boolean; sms: boolean };
}

/** This process's connection to the locks' broker. */
export interface BrokerState {
  kind: "embedded" | "external";
  connected: boolean;
  /** address of the embedded broker for clients that connect with TLS */
  encrypted?: { url: string; authority: string } | null | undefined;
}
