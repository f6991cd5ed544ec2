import { z } from "zod";

/** What the console stands on. The order is that of telling. */
export const SYSTEM_PARTS = [
  "database",
  "workers",
  "queue",
  "locks",
  "liveEvents",
  "storage",
  "disk",
  "backup",
  "journal",
] as const;
export const SystemPart = z.enum(SYSTEM_PARTS);
export type SystemPart = z.infer<typeof SystemPart>;

/** A part that is not well. */
export const trouble = z.object({ part: SystemPart, since: z.string() });
export type Trouble = z.infer<typeof trouble>;

/** What is not well now; empty is good news. */
export const condition = z.object({ troubles: z.array(trouble) });

const seconds = z.number();

export const databaseStatus = z.object({
  version: z.string(),
  sizeBytes: z.number(),
  connections: z.int(),
  mostConnections: z.int(),
  /** this server's own, of which so many are busy or waited for */
  pool: z.object({ total: z.int(), idle: z.int(), waiting: z.int() }),
  /** of the longest transaction under way; null: none */
  oldestTransactionSeconds: seconds.nullable(),
  replicas: z.int(),
  /** null: this server may not read it */
  migrations: z.object({ applied: z.int(), last: z.string() }).nullable(),
});

export const jobStatus = z.object({
  name: z.string(),
  waiting: z.int(),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
  waitingSince: z.string().nullable(),
  lastFailure: z.object({ reason: z.string(), at: z.string() }).nullable(),
});
export type JobStatus = z.infer<typeof jobStatus>;

export const queueStatus = z.object({
  store: z.enum(["postgresql", "redis"]),
  /** null: the store does not answer */
  jobs: z.array(jobStatus).nullable(),
  /** what waited, every ten seconds for ten minutes, oldest first */
  depth: z.array(z.int()),
});

export const processStatus = z.object({
  id: z.string(),
  role: z.string(),
  host: z.string(),
  version: z.string(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** it was heard from within the last half minute */
  alive: z.boolean(),
  memoryBytes: z.number(),
  node: z.string(),
});
export type ProcessStatus = z.infer<typeof processStatus>;

/** Acknowledged commands of an hour: `typical` took half of them at most, `slow` nineteen of twenty. */
export const hourOfCommands = z.object({
  from: z.string(),
  commands: z.int(),
  typicalSeconds: seconds.nullable(),
  slowSeconds: seconds.nullable(),
});

export const locksStatus = z.object({
  broker: z.enum(["embedded", "external", "none"]),
  connected: z.boolean(),
  registered: z.int(),
  /** of those that are set up */
  online: z.int(),
  notSetUp: z.int(),
  commandsWaiting: z.int(),
  waitingSince: z.string().nullable(),
  hours: z.array(hourOfCommands),
});
export type LocksStatus = z.infer<typeof locksStatus>;

const senderStatus = z.object({
  configured: z.boolean(),
  waiting: z.int(),
  /** of the last week */
  lastFailure: z.object({ reason: z.string(), at: z.string() }).nullable(),
});
export type SenderStatus = z.infer<typeof senderStatus>;

/** How the console stands. A part that did not answer in time is null. */
export const systemStatus = z.object({
  at: z.string(),
  troubles: z.array(trouble),
  /** the reader runs the installation; else what all hotels share is left out */
  installation: z.boolean(),
  version: z.object({ version: z.string(), build: z.string() }),
  processes: z.array(processStatus).nullable(),
  database: databaseStatus.nullable(),
  queue: queueStatus,
  locks: locksStatus.nullable(),
  liveEvents: z.object({ via: z.enum(["postgresql", "redis"]), listening: z.boolean() }),
  storage: z.object({ kind: z.enum(["disk", "s3"]), place: z.string(), writable: z.boolean() }).nullable(),
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
  backup: z.object({
    everyHours: z.int(),
    /** `at` null: none is whole yet; `error`: why the newest one is none to rely on */
    last: z
      .object({
        at: z.string().nullable(),
        sizeBytes: z.number().nullable(),
        /** when one, not always the newest, was last restored as a test and was whole */
        verifiedAt: z.string().nullable(),
        error: z.string(),
      })
      .nullable(),
  }),
  /** null: the console is not reached by https */
  certificate: z
    .object({
      host: z.string(),
      expiresAt: z.string().nullable(),
      issuer: z.string(),
      /** why a browser would refuse it, or why it could not be asked for; empty: it would not */
      problem: z.string(),
    })
    .nullable(),
  senders: z.object({ mail: senderStatus, sms: senderStatus }).nullable(),
  webhooks: z.object({ on: z.int(), failing: z.int(), givenUp: z.int(), waiting: z.int() }).nullable(),
  journal: z.object({ checkedAt: z.string(), whole: z.boolean() }).nullable(),
});
export type SystemStatus = z.infer<typeof systemStatus>;
