import type { JobStatus, LocksStatus, SystemStatus } from "@innkey/shared/schemas/overview/system";
import { type Certificate, certificateOf } from "../../../adapters/mqtt/certificate.ts";
import { cached, inTime } from "../../../adapters/process/in-time.ts";
import { diskSpace, tryWriting } from "../../../adapters/storage/disk-space.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { LOCK_COUNTS, type LockCounts } from "../../access/public.ts";
import type { CachedFacts } from "./condition.ts";
import { listProcesses, type ProcessRecord } from "./heartbeat.ts";
import type { Installation } from "./installation.ts";
import { DATABASE, HOURS, MIGRATIONS, SENDERS, WAITING_COMMANDS, WEBHOOKS } from "./status.sql.ts";

/** A part that takes longer is shown as not responding. */
const PART_MS = 2_500;
const CERTIFICATE_CACHE_MS = 3_600_000;
/** Only the first line of a job's error is shown, because later lines contain its data. */
const MAX_REASON = 200;

/**
 * Reads all parts of the status page in parallel, each with a timeout, so that a failing part doesn't affect the
 * others.
 */
export class StatusReader {
  readonly #place: Installation;
  readonly #facts: CachedFacts;
  readonly #certificate: () => Promise<Certificate | null>;

  constructor(installation: Installation, facts: CachedFacts) {
    this.#place = installation;
    this.#facts = facts;
    const address = installation.publicUrl === undefined ? null : new URL(installation.publicUrl);
    this.#certificate = cached(CERTIFICATE_CACHE_MS, async () =>
      address?.protocol === "https:" ? certificateOf(address) : null,
    );
  }

  async read(scope: Scope): Promise<Omit<SystemStatus, "at" | "troubles" | "installation">> {
    const { relay, version, build, queueStore, backupEveryHours, dataDir } = this.#place;
    const [processes, database, jobs, locks, storage, disk, backup, certificate, senders, webhooks, auditEntry] =
      await Promise.all([
        inPart(listProcesses(this.#place.watch)),
        inPart(this.#database()),
        inPart(this.#jobs()),
        inPart(this.#locks(scope)),
        inPart(this.#storage()),
        inPart(diskSpace(dataDir)),
        inPart(this.#facts.lastBackup()),
        this.#certificate(),
        inPart(this.#senders(scope)),
        inPart(this.#one<NonNullable<SystemStatus["webhooks"]>>(WEBHOOKS, scope.hotelId)),
        inPart(this.#facts.lastAuditCheck()),
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
      journal: auditEntry && { checkedAt: auditEntry.checkedAt.toISOString(), whole: auditEntry.whole },
    };
  }

  async #one<T>(text: string, ...values: unknown[]): Promise<T> {
    const [row] = await this.#place.watch.rows<T>(text, values);
    if (row === undefined) throw new Error("nothing was answered");
    return row;
  }

  async #database(): Promise<NonNullable<SystemStatus["database"]>> {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#place.pool;
    const [facts, migrations] = await Promise.all([
      this.#one<Omit<NonNullable<SystemStatus["database"]>, "pool" | "migrations">>(DATABASE),
      // A role with access only to the tables can't read the migrations.
      this.#one<{ applied: number; last: string }>(MIGRATIONS).catch(() => null),
    ]);
    return { ...facts, pool: { total, idle, waiting }, migrations };
  }

  async #jobs(): Promise<JobStatus[]> {
    const { queue } = this.#place;
    const standings = await queue.standings();
    return Promise.all(
      standings.map(async (job) => {
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
    const [{ all, online, notSetUp }, waiting, hours] = await Promise.all([
      this.#one<LockCounts>(LOCK_COUNTS, scope.hotelId, null),
      this.#one<Pick<LocksStatus, "commandsWaiting" | "waitingSince">>(WAITING_COMMANDS, scope.hotelId),
      this.#place.watch.rows<LocksStatus["hours"][number]>(HOURS, [scope.hotelId, scope.now()]),
    ]);
    return { registered: all, online, notSetUp, ...waiting, hours };
  }

  async #storage(): Promise<SystemStatus["storage"]> {
    const { bucket, dataDir } = this.#place;
    if (bucket) return { kind: "s3", place: bucket.name, writable: await bucket.exists().catch(() => false) };
    const writable = await tryWriting(dataDir).then(
      () => true,
      () => false,
    );
    return { kind: "disk", place: dataDir, writable };
  }

  async #senders(scope: Scope): Promise<NonNullable<SystemStatus["senders"]>> {
    type Row = { channel: "mail" | "sms"; waiting: number; lastFailure: { reason: string; at: string } | null };
    const rows = await this.#place.watch.rows<Row>(SENDERS, [scope.hotelId, scope.now()]);
    const of = (name: "mail" | "sms") => {
      const { waiting = 0, lastFailure = null } = rows.find(({ channel }) => channel === name) ?? {};
      return { configured: this.#place.senders[name], waiting, lastFailure };
    };
    return { mail: of("mail"), sms: of("sms") };
  }
}

const inPart = <T>(part: Promise<T>): Promise<T | null> => inTime(PART_MS, part).catch(() => null);

const firstLine = (text: string): string =>
  (text.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, MAX_REASON);

/** Returns connected only if every process with a broker connection is connected. */
function brokerOf(processes: readonly ProcessRecord[]): Pick<LocksStatus, "broker" | "connected"> {
  const brokers = processes.flatMap(({ broker }) => (broker ? [broker] : []));
  return { broker: brokers[0]?.kind ?? "none", connected: brokers.length > 0 && brokers.every((one) => one.connected) };
}
