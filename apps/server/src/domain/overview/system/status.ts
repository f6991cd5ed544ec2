import type { JobStatus, LocksStatus, SystemStatus } from "@innkey/shared/schemas/overview/system";
import { type HttpsCertificate, readHttpsCertificate } from "../../../adapters/http/https-certificate.ts";
import { cached, inTime } from "../../../adapters/process/in-time.ts";
import { diskSpace, tryWriting } from "../../../adapters/storage/storage.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { StoredResults } from "./condition.ts";
import { listProcesses, type ProcessRecord } from "./heartbeat.ts";
import type { Installation } from "./installation.ts";

/** Facts about the database. Other users' transactions are visible only to a role with pg_read_all_stats. */
const DATABASE = `
  SELECT current_setting('server_version') AS version, pg_database_size(current_database())::float8 AS "sizeBytes",
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
    current_setting('max_connections')::int AS "mostConnections",
    (SELECT extract(epoch FROM max(clock_timestamp() - xact_start))::float8 FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid())
      AS "oldestTransactionSeconds",
    (SELECT count(*)::int FROM pg_stat_replication) AS replicas`;

const MIGRATIONS = `
  SELECT count(*)::int AS applied, coalesce(max(migration_name), '') AS last FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/** $1: hotel. */
const LOCKS = `
  SELECT count(*)::int AS registered, (count(*) FILTER (WHERE status = 'reachable'))::int AS online,
    (count(*) FILTER (WHERE status = 'not_set_up'))::int AS "notSetUp"
  FROM (SELECT lock_status(configured_at, online, driver, last_seen_at, last_error) AS status
    FROM lock WHERE hotel_id = $1 AND deleted_at IS NULL) l`;

/** $1: hotel. */
const WAITING_COMMANDS = `
  SELECT count(*)::int AS "commandsWaiting", iso(min(created_at)) AS "waitingSince"
  FROM lock_command WHERE hotel_id = $1 AND state IN ('queued', 'sent')`;

/** The newest commands of each lock are read; unless there are very many, they include those of a day. */
const MAX_COMMANDS_PER_LOCK = 200;

/** $1: hotel, $2: current time. Acknowledged commands by the hour they ended, for the last 24 hours, oldest first. */
const HOURS = `
  WITH ended AS (
    SELECT k.ended_at, extract(epoch FROM k.ended_at - k.created_at) AS seconds
    FROM lock l CROSS JOIN LATERAL (
      SELECT ended_at, created_at, state FROM lock_command WHERE lock_id = l.id ORDER BY seq DESC LIMIT ${MAX_COMMANDS_PER_LOCK}
    ) k
    WHERE l.hotel_id = $1 AND k.state = 'acknowledged' AND k.ended_at > $2::timestamptz - interval '24 hours'
  )
  SELECT iso(h.begins) AS "from", count(e.seconds)::int AS commands,
    (percentile_cont(0.5) WITHIN GROUP (ORDER BY e.seconds))::float8 AS "typicalSeconds",
    (percentile_cont(0.95) WITHIN GROUP (ORDER BY e.seconds))::float8 AS "slowSeconds"
  FROM generate_series($2::timestamptz - interval '24 hours', $2::timestamptz - interval '1 hour', interval '1 hour') AS h (begins)
  LEFT JOIN ended e ON e.ended_at > h.begins AND e.ended_at <= h.begins + interval '1 hour'
  GROUP BY h.begins ORDER BY h.begins`;

/** $1: hotel, $2: current time. */
const SENDERS = `
  SELECT c.channel::text AS channel,
    (SELECT count(*)::int FROM outgoing_message WHERE hotel_id = $1 AND channel = c.channel AND state = 'queued') AS waiting,
    (SELECT json_build_object('reason', last_error, 'at', iso(created_at)) FROM outgoing_message
      WHERE hotel_id = $1 AND channel = c.channel AND last_error <> '' AND created_at > $2::timestamptz - interval '7 days'
      ORDER BY created_at DESC LIMIT 1) AS "lastFailure"
  FROM unnest(enum_range(NULL::outgoing_message_channel)) AS c (channel)`;

/** $1: hotel. */
const WEBHOOKS = `
  SELECT (count(*) FILTER (WHERE disabled_at IS NULL))::int AS "on",
    (count(*) FILTER (WHERE disabled_at IS NULL AND failures > 0))::int AS failing,
    (count(*) FILTER (WHERE given_up))::int AS "givenUp",
    (SELECT count(*)::int FROM webhook_delivery WHERE hotel_id = $1 AND state = 'queued') AS waiting
  FROM webhook WHERE hotel_id = $1`;

/** A part that takes longer is shown as not responding. */
const PART_TIMEOUT_MS = 2_500;
const CERTIFICATE_CACHE_MS = 3_600_000;
/** Only the first line of a job's error is shown, because later lines contain its data. */
const MAX_REASON_CHARACTERS = 200;

/**
 * Reads all parts of the status page in parallel, each with a timeout, so that a failing part doesn't affect the
 * others.
 */
export class StatusReader {
  readonly #installation: Installation;
  readonly #results: StoredResults;
  readonly #certificate: () => Promise<HttpsCertificate | null>;

  constructor(installation: Installation, results: StoredResults) {
    this.#installation = installation;
    this.#results = results;
    const address = installation.publicUrl === undefined ? null : new URL(installation.publicUrl);
    this.#certificate = cached(CERTIFICATE_CACHE_MS, async () =>
      address?.protocol === "https:" ? readHttpsCertificate(address) : null,
    );
  }

  async read(scope: Scope): Promise<Omit<SystemStatus, "at" | "troubles" | "installation">> {
    const { relay, version, build, queueStore, backupEveryHours, dataDir } = this.#installation;
    const [processes, database, jobs, locks, storage, disk, backup, certificate, senders, webhooks, auditCheck] =
      await Promise.all([
        readPart(listProcesses(this.#installation.watch)),
        readPart(this.#database()),
        readPart(this.#jobs()),
        readPart(this.#locks(scope)),
        readPart(this.#storage()),
        readPart(diskSpace(dataDir)),
        readPart(this.#results.lastBackup()),
        this.#certificate(),
        readPart(this.#senders(scope)),
        readPart(this.#readRow<NonNullable<SystemStatus["webhooks"]>>(WEBHOOKS, scope.hotelId)),
        readPart(this.#results.lastAuditCheck()),
      ]);
    const alive = (processes ?? []).filter((process) => process.alive);
    return {
      version: { version, build },
      processes: processes?.map(({ troubles: _t, broker: _b, depth: _d, ...process }) => process) ?? null,
      database,
      queue: {
        store: queueStore,
        jobs,
        depth: alive.map(({ depth }) => depth).sort((a, b) => b.length - a.length)[0] ?? [],
      },
      locks: locks && { ...locks, ...brokerOf(alive) },
      liveEvents: relay.state(),
      storage,
      disk,
      backup: {
        everyHours: backupEveryHours,
        last: backup && {
          at: backup.at?.toISOString() ?? null,
          sizeBytes: backup.bytes,
          verifiedAt: backup.lastVerifiedAt?.toISOString() ?? null,
          error: backup.error ?? "",
        },
      },
      certificate: certificate && { ...certificate, expiresAt: certificate.expiresAt?.toISOString() ?? null },
      senders,
      webhooks,
      journal: auditCheck && { checkedAt: auditCheck.checkedAt.toISOString(), whole: auditCheck.whole },
    };
  }

  async #readRow<T>(text: string, ...values: unknown[]): Promise<T> {
    const [row] = await this.#installation.watch.rows<T>(text, values);
    if (row === undefined) throw new Error("the query returned no row");
    return row;
  }

  async #database(): Promise<NonNullable<SystemStatus["database"]>> {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#installation.pool;
    const [database, migrations] = await Promise.all([
      this.#readRow<Omit<NonNullable<SystemStatus["database"]>, "pool" | "migrations">>(DATABASE),
      // A role with access only to the tables can't read the migrations.
      this.#readRow<{ applied: number; last: string }>(MIGRATIONS).catch(() => null),
    ]);
    return { ...database, pool: { total, idle, waiting }, migrations };
  }

  async #jobs(): Promise<JobStatus[]> {
    const { queue } = this.#installation;
    const jobCounts = await queue.readCounts();
    return Promise.all(
      jobCounts.map(async (job) => {
        const [since, failure] = await Promise.all([
          job.waiting > 0 ? queue.waitingSince(job.name) : null,
          job.failed > 0 ? queue.lastFailure(job.name) : null,
        ]);
        return {
          ...job,
          waitingSince: since?.toISOString() ?? null,
          lastFailure: failure && { reason: firstLine(failure.reason), at: failure.at.toISOString() },
        };
      }),
    );
  }

  async #locks(scope: Scope): Promise<Omit<LocksStatus, "broker" | "connected">> {
    const [counts, waiting, hours] = await Promise.all([
      this.#readRow<Pick<LocksStatus, "registered" | "online" | "notSetUp">>(LOCKS, scope.hotelId),
      this.#readRow<Pick<LocksStatus, "commandsWaiting" | "waitingSince">>(WAITING_COMMANDS, scope.hotelId),
      this.#installation.watch.rows<LocksStatus["hours"][number]>(HOURS, [scope.hotelId, scope.now()]),
    ]);
    return { ...counts, ...waiting, hours };
  }

  async #storage(): Promise<SystemStatus["storage"]> {
    const { bucket, dataDir } = this.#installation;
    if (bucket) return { kind: "s3", place: bucket.name, writable: await bucket.exists().catch(() => false) };
    const writable = await tryWriting(dataDir).then(
      () => true,
      () => false,
    );
    return { kind: "disk", place: dataDir, writable };
  }

  async #senders(scope: Scope): Promise<NonNullable<SystemStatus["senders"]>> {
    type Row = {
      channel: "mail" | "sms" | "webhook";
      waiting: number;
      lastFailure: { reason: string; at: string } | null;
    };
    const rows = await this.#installation.watch.rows<Row>(SENDERS, [scope.hotelId, scope.now()]);
    const of = (name: "mail" | "sms") => {
      const { waiting = 0, lastFailure = null } = rows.find(({ channel }) => channel === name) ?? {};
      return { configured: this.#installation.senders[name], waiting, lastFailure };
    };
    return { mail: of("mail"), sms: of("sms") };
  }
}

const readPart = <T>(part: Promise<T>): Promise<T | null> => inTime(PART_TIMEOUT_MS, part).catch(() => null);

const firstLine = (text: string): string =>
  (text.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, MAX_REASON_CHARACTERS);

/** Returns connected only if every process with a broker connection is connected. */
function brokerOf(processes: readonly ProcessRecord[]): Pick<LocksStatus, "broker" | "connected"> {
  const brokers = processes.flatMap(({ broker }) => (broker ? [broker] : []));
  return { broker: brokers[0]?.kind ?? "none", connected: brokers.length > 0 && brokers.every((one) => one.connected) };
}
