import { z } from "zod";

/** Parts that the console depends on, in the order in which they are reported. */
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

/** A part that does not work. */
export const trouble = z.object({ part: SystemPart, since: z.string() });
export type Trouble = z.infer<typeof trouble>;

/** The parts that do not work now; empty if all work. */
export const condition = z.object({ troubles: z.array(trouble) });

const seconds = z.number();

export const databaseStatus = z.object({
  version: z.string(),
  sizeBytes: z.number(),
  connections: z.int(),
  mostConnections: z.int(),
  /** connections of this server's own pool; `waiting` counts the requests that wait for one */
  pool: z.object({ total: z.int(), idle: z.int(), waiting: z.int() }),
  /** age of the longest running transaction; null: there is none */
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
  /** null: the job store does not answer */
  jobs: z.array(jobStatus).nullable(),
  /** number of waiting jobs, sampled every ten seconds for ten minutes, oldest first */
  depth: z.array(z.int()),
});

export const processStatus = z.object({
  id: z.string(),
  role: z.string(),
  host: z.string(),
  version: z.string(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** it reported within the last half minute */
  alive: z.boolean(),
  memoryBytes: z.number(),
  node: z.string(),
});
export type ProcessStatus = z.infer<typeof processStatus>;

/** Acknowledged commands of an hour: `typical` is the median of their times, `slow` the 95th percentile. */
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
  /** counts only locks that are set up */
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
  /** newest failure of the last week */
  lastFailure: z.object({ reason: z.string(), at: z.string() }).nullable(),
});
export type SenderStatus = z.infer<typeof senderStatus>;

/** Status of the whole console. A part that did not answer in time is null. */
export const systemStatus = z.object({
  at: z.string(),
  troubles: z.array(trouble),
  /** the reader runs the installation; otherwise data shared by all hotels is left out */
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
    /** `at` null: no backup is complete yet; `error`: why the newest one can't be relied on */
    last: z
      .object({
        at: z.string().nullable(),
        sizeBytes: z.number().nullable(),
        /** when a backup, not always the newest, last passed a test restore */
        verifiedAt: z.string().nullable(),
        error: z.string(),
      })
      .nullable(),
  }),
  /** null: the console is not served over https */
  certificate: z
    .object({
      host: z.string(),
      expiresAt: z.string().nullable(),
      issuer: z.string(),
      /** why a browser would refuse it, or why it could not be checked; empty: a browser accepts it */
      problem: z.string(),
    })
    .nullable(),
  senders: z.object({ mail: senderStatus, sms: senderStatus }).nullable(),
  webhooks: z.object({ on: z.int(), failing: z.int(), givenUp: z.int(), waiting: z.int() }).nullable(),
  journal: z.object({ checkedAt: z.string(), whole: z.boolean() }).nullable(),
});
export type SystemStatus = z.infer<typeof systemStatus>;
