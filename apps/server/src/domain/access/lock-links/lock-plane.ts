import type { AckMessage, StatusMessage } from "@innkey/shared/locks/protocol";
import pLimit from "p-limit";
import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import { runInSpan } from "../../../adapters/telemetry/tracing.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { alertPendingRevocations, revokeOverrunning } from "../credentials/pending-revocations.ts";
import { CommandDelivery, type DeliveryDeps, defineDispatchJob } from "../lock-commands/deliver-commands.ts";
import { handleAnswer } from "../lock-commands/handle-answer.ts";
import { dropOldCommands, enqueueDueReadBacks, enqueueUnknownKeyReadBacks } from "../lock-commands/upkeep.ts";
import { recordPowerDays } from "../locks/power-days.ts";
import { handleStatus } from "../locks/presence.ts";
import { keyOf, LockDirectory, type LockName, type LockReports } from "./driver.ts";

/** The limit leaves database connections free for staff when all locks of a hotel reconnect. */
const MAX_PARALLEL_REPORTS = 3;

/** Each unregistered lock is logged once; the limit keeps their names from filling the memory. */
const MAX_UNKNOWN_LOCKS = 1000;

/** Processes all due commands, including those left behind by a failed process, queue or database. */
export const sweepLocks: Job<Record<string, never>> = { name: "locks.sweep", payload: z.strictObject({}) };

/** Reads back the credentials of locks. */
export const readBackLocks: Job<Record<string, never>> = { name: "locks.read-back", payload: z.strictObject({}) };

/** Deletes old commands. */
export const dropCommands: Job<Record<string, never>> = { name: "locks.drop-commands", payload: z.strictObject({}) };

/** Records the battery levels of locks. */
export const recordPower: Job<Record<string, never>> = { name: "locks.record-power", payload: z.strictObject({}) };

const SWEEP_EVERY_SECONDS = 5;
const READ_BACK_EVERY_SECONDS = 60;
const DELETE_EVERY_SECONDS = 86_400;
const RECORD_POWER_EVERY_SECONDS = 1_800;

/**
 * Connects the console with its locks: delivers their commands and handles their answers and status reports. Several
 * processes may run this at once, because every change depends on the state it found.
 */
export class LockPlane implements Pick<LockReports, "acknowledge" | "status" | "listening"> {
  /** address to which locks connect; set once the broker listens */
  brokerUrl = "";
  /** the same for encrypted connections to the internal broker, with the authority's certificate in PEM */
  encryptedBroker: { url: string; authority: string } | null = null;
  readonly delivery: CommandDelivery;
  readonly #deps: DeliveryDeps;
  readonly #directory: LockDirectory;
  readonly #limitReports = pLimit(MAX_PARALLEL_REPORTS);
  readonly #unknownLocks = new Set<string>();

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.delivery = new CommandDelivery(deps);
    this.#directory = new LockDirectory(deps.database);
  }

  /** Marks all locks as offline after our own broker has started, since no lock is connected to it yet. */
  async markAllOffline(): Promise<void> {
    const { rows } = await this.#deps.database.pool.query<{ hotelId: number }>(
      `UPDATE lock SET online = false WHERE driver = 'mqtt' AND online RETURNING hotel_id AS "hotelId"`,
    );
    for (const hotelId of new Set(rows.map((row) => row.hotelId))) {
      const scope = await this.#deps.scopes(hotelId);
      await scope?.write(async (tx) => tx.wholeBoardChanged());
    }
  }

  /**
   * Revokes credentials that locks accept beyond their end, reads back locks that opened for unknown keys, and
   * dispatches all locks with due commands.
   */
  async sweep(log = this.#deps.log): Promise<void> {
    const { database, clock, scopes } = this.#deps;
    await revokeOverrunning(database.pool, scopes, clock.now());
    await enqueueUnknownKeyReadBacks(database.pool, scopes, clock.now());
    await this.delivery.enqueueDue(log);
  }

  /** Reads back the credentials of locks that have not been read for long. */
  async readBack(): Promise<void> {
    const { database, scopes, clock } = this.#deps;
    await enqueueDueReadBacks(database.pool, scopes, clock.now());
    await alertPendingRevocations(database.pool, scopes, clock.now());
  }

  /** Deletes commands that ended long ago. */
  async dropOld(): Promise<void> {
    const { database, clock } = this.#deps;
    await dropOldCommands(database.pool, clock.now());
  }

  /** Records the battery levels that locks reported today. */
  async recordPower(): Promise<void> {
    const { database, clock } = this.#deps;
    await recordPowerDays(database.pool, clock.now());
  }

  acknowledge(name: LockName, ack: AckMessage): Promise<void> {
    return runInSpan("lock answer", { "innkey.hotel.id": name.hotelId, "innkey.command.id": ack.id }, () =>
      this.#writeForLock(name, (scope, tx, lockId) => handleAnswer(scope, tx, lockId, ack)),
    );
  }

  async status(name: LockName, status: StatusMessage, retained = false): Promise<void> {
    const openCommand = await this.#writeForLock(name, async (scope, tx, lockId) => {
      await handleStatus(scope, tx, lockId, status, retained);
      if (retained || status.state !== "online" || !("mac" in name)) return null;
      const open = { lockId, state: { in: ["queued" as const, "sent" as const] } };
      return (await tx.db.lockCommand.findFirst({ where: open, select: { id: true } })) && { lockId };
    });
    if (openCommand) this.delivery.scheduleRepeats(name.hotelId, openCommand.lockId);
  }

  /** Sends commands again that were sent before the lock subscribed, because it has not received them. */
  async listening(name: LockName): Promise<void> {
    const lockId = await this.#directory.find(name);
    if (lockId === null) return;
    const { hotelId } = name;
    const sentCommands = await this.#deps.database.pool.query(
      "SELECT FROM lock_command WHERE hotel_id = $1 AND lock_id = $2 AND state = 'sent' LIMIT 1",
      [hotelId, lockId],
    );
    if (sentCommands.rowCount !== 0) await this.delivery.enqueue([{ hotelId, lockId, again: true }]);
  }

  /** Runs `write` in a transaction for a registered lock. Returns undefined for any other lock. */
  async #writeForLock<T>(
    name: LockName,
    write: (scope: Scope, tx: Transaction, lockId: number) => Promise<T>,
  ): Promise<T | undefined> {
    const lockId = await this.#directory.find(name);
    const scope = lockId === null ? null : await this.#deps.scopes(name.hotelId);
    if (lockId === null || !scope) {
      this.#logUnknownLock(name);
      return undefined;
    }
    return this.#limitReports(() => scope.write((tx) => write(scope, tx, lockId)));
  }

  #logUnknownLock(name: LockName): void {
    const key = keyOf(name);
    if (this.#unknownLocks.has(key) || this.#unknownLocks.size >= MAX_UNKNOWN_LOCKS) return;
    this.#unknownLocks.add(key);
    this.#deps.log.warn({ lock: key }, "message from a lock that is not registered");
  }
}

/** Registers what the queue runs for locks. */
export function defineLockJobs(queue: JobQueue, plane: LockPlane): void {
  defineDispatchJob(queue, plane.delivery);
  queue.define(sweepLocks, (_payload, log) => plane.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepLocks, SWEEP_EVERY_SECONDS, {});
  queue.define(readBackLocks, () => plane.readBack(), { concurrency: 1, attempts: 1 });
  queue.every(readBackLocks, READ_BACK_EVERY_SECONDS, {});
  queue.define(dropCommands, () => plane.dropOld(), { concurrency: 1, attempts: 1 });
  queue.every(dropCommands, DELETE_EVERY_SECONDS, {});
  queue.define(recordPower, () => plane.recordPower(), { concurrency: 1, attempts: 1 });
  queue.every(recordPower, RECORD_POWER_EVERY_SECONDS, {});
}
