import type { LockDriver as LockDriverName } from "@innkey/shared/enums";
import type { AckMessage, StatusMessage } from "@innkey/shared/locks/protocol";
import pLimit from "p-limit";
import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import { runInSpan } from "../../../adapters/telemetry/tracing.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { alertPendingRevocations, revokeOverrunning } from "../credentials/pending-revocations.ts";
import {
  claimAgain,
  claimNext,
  findDueLocks,
  findOverdueCommands,
  sendToDriver,
  storeSendResult,
} from "../lock-commands/deliver-commands.ts";
import { handleAnswer } from "../lock-commands/handle-answer.ts";
import { handleOverdue } from "../lock-commands/retry-commands.ts";
import { dropOldCommands, enqueueDueReadBacks, enqueueUnknownKeyReadBacks } from "../lock-commands/upkeep.ts";
import { handleStatus } from "../locks/presence.ts";
import { keyOf, LockDirectory, type LockDriver, type LockName, type LockReports } from "./driver.ts";

export interface LockPlaneDeps {
  database: Database;
  clock: Clock;
  scopes: SystemScopes;
  queue: JobQueue;
  relay: Relay;
  log: Logger;
}

/** The limit leaves database connections free for staff when all locks of a hotel reconnect. */
const MAX_PARALLEL_REPORTS = 3;

/**
 * An external broker doesn't say when a lock subscribes, and a lock may report its status before it does. Pending
 * commands are therefore sent again after these pauses, each shortened at random so that the locks of a hotel spread
 * out.
 */
const REPEAT_AFTER_MS = [2_000, 4_800];
const JITTER = 0.1;

/** Notification that commands.ts sends at commit. */
const wakeNotification = z.object({ topic: z.literal("locks"), hotelId: z.int(), lockIds: z.array(z.int()) });

/** Each unregistered lock is logged once; the limit keeps their names from filling the memory. */
const MAX_UNKNOWN_LOCKS = 1000;

/** Sends a lock its next commands. With `again`, a command that was sent but not yet answered is sent again as well. */
export const dispatchLock: Job<{ hotelId: number; lockId: number; again?: boolean | undefined }> = {
  name: "locks.dispatch",
  payload: z.object({ hotelId: z.int(), lockId: z.int(), again: z.boolean().optional() }),
};

/** Processes all due commands, including those left behind by a failed process, queue or database. */
export const sweepLocks: Job<Record<string, never>> = { name: "locks.sweep", payload: z.strictObject({}) };

/** Reads back the credentials of locks. */
export const readBackLocks: Job<Record<string, never>> = { name: "locks.read-back", payload: z.strictObject({}) };

/** Deletes old commands. */
export const dropCommands: Job<Record<string, never>> = { name: "locks.drop-commands", payload: z.strictObject({}) };

const SWEEP_EVERY_SECONDS = 5;
const READ_BACK_EVERY_SECONDS = 60;
const DELETE_EVERY_SECONDS = 86_400;
/**
 * Maximum number of locks that one process sends commands to at the same time. A slow or unreachable lock occupies one
 * of these places for a few seconds.
 */
const MAX_DISPATCHES = 32;

/**
 * Connects the console with its locks. Commands are sent in order and one at a time per lock; the next follows when the
 * previous one has ended. Locks' answers and status reports arrive here as well. Several processes may run this at
 * once, because each command is claimed by one process and every change depends on the state it found.
 */
export class LockPlane implements Pick<LockReports, "acknowledge" | "status" | "listening">, RelaySubscriber {
  /** address to which locks connect; set once the broker listens */
  brokerUrl = "";
  /** the same for encrypted connections to the internal broker, with the authority's certificate in PEM */
  encryptedBroker: { url: string; authority: string } | null = null;
  readonly #deps: LockPlaneDeps;
  readonly #directory: LockDirectory;
  readonly #drivers = new Map<LockDriverName, LockDriver>();
  readonly #limitReports = pLimit(MAX_PARALLEL_REPORTS);
  readonly #directDispatches = pLimit(MAX_PARALLEL_REPORTS);
  readonly #unknownLocks = new Set<string>();

  constructor(deps: LockPlaneDeps) {
    this.#deps = deps;
    this.#directory = new LockDirectory(deps.database);
    deps.relay.subscribe(this);
  }

  use(driver: LockDriver): void {
    this.#drivers.set(driver.name, driver);
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

  onMessage(message: unknown): void {
    const notification = wakeNotification.safeParse(message);
    if (!notification.success) return;
    const { hotelId, lockIds } = notification.data;
    void this.#enqueueDispatch(lockIds.map((lockId) => ({ hotelId, lockId })));
  }

  /** Missed notifications need no action, because the sweep finds the commands anyway. */
  onGap(): void {}

  /**
   * Revokes credentials that locks accept beyond their end, reads back locks that opened for unknown keys, and
   * dispatches all locks with due commands.
   */
  async sweep(log = this.#deps.log): Promise<void> {
    const { database, clock, scopes } = this.#deps;
    await revokeOverrunning(database.pool, scopes, clock.now());
    await enqueueUnknownKeyReadBacks(database.pool, scopes, clock.now());
    await this.#enqueueDispatch(await findDueLocks(database.pool, clock.now(), [...this.#drivers.keys()]), log);
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

  /**
   * Sends a lock's commands in order until one has to wait for its answer. `again`: first repeats a command that is
   * already sent.
   */
  async dispatch(hotelId: number, lockId: number, log = this.#deps.log, again = false): Promise<void> {
    const scope = await this.#deps.scopes(hotelId);
    if (!scope) return;
    for (let first = true; ; first = false) {
      const overdueIds = await findOverdueCommands(scope, lockId);
      if (overdueIds.length > 0) await scope.write((tx) => handleOverdue(scope, tx, lockId, overdueIds));
      const drivers = [...this.#drivers.keys()];
      const claimedAgain = first && again ? await claimAgain(scope, lockId, drivers) : undefined;
      const claimed = claimedAgain ?? (await claimNext(scope, lockId, drivers));
      const driver = claimed && this.#drivers.get(claimed.driver);
      if (!claimed || !driver) return;
      const attributes = { "innkey.hotel.id": hotelId, "innkey.lock.id": lockId, "innkey.command.id": claimed.id };
      const result = await runInSpan(`lock ${claimed.type}`, { ...attributes, "innkey.driver": driver.name }, () =>
        sendToDriver(scope, driver, claimed, log),
      );
      if ((await storeSendResult(scope, claimed, result)) === "answer comes later") return;
    }
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
    if (openCommand) this.#scheduleRepeats(name.hotelId, openCommand.lockId);
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
    if (sentCommands.rowCount !== 0) await this.#enqueueDispatch([{ hotelId, lockId, again: true }]);
  }

  /**
   * Schedules another dispatch. An error of the queue is ignored, because unanswered commands are retried later anyway.
   */
  #scheduleRepeats(hotelId: number, lockId: number): void {
    const { queue, log } = this.#deps;
    for (const [at, withinMs] of REPEAT_AFTER_MS.entries()) {
      const delayMs = Math.round(withinMs * (1 - JITTER * Math.random()));
      queue
        .add(dispatchLock, { hotelId, lockId, again: true }, { delayMs, jobId: `again-${lockId}-${at}` })
        .catch((error: unknown) =>
          log.debug({ err: error, lockId }, "commands of a lock could not be scheduled for a repeat"),
        );
    }
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

  /**
   * Adds locks to the queue, which every process with drivers works off. If the queue is down, this process dispatches
   * them itself, because people may be waiting at doors. The sweep retries what fails.
   */
  async #enqueueDispatch(
    locks: readonly { hotelId: number; lockId: number; again?: boolean }[],
    log = this.#deps.log,
  ): Promise<void> {
    if (this.#drivers.size === 0) return;
    const { queue } = this.#deps;
    await Promise.all(
      locks.map((lock) => queue.add(dispatchLock, lock).catch(() => this.#dispatchWithoutQueue(lock, log))),
    );
  }

  async #dispatchWithoutQueue(
    { hotelId, lockId, again }: { hotelId: number; lockId: number; again?: boolean },
    log: Logger,
  ): Promise<void> {
    try {
      await this.#directDispatches(() => this.dispatch(hotelId, lockId, log, again));
    } catch (error) {
      log.warn({ err: error, lockId }, "lock could not be dispatched, the next sweep tries again");
    }
  }
}

/** Registers what the queue runs for locks. */
export function defineLockJobs(queue: JobQueue, plane: LockPlane): void {
  // The job itself is not retried, because the sweep tries again anyway.
  queue.define(dispatchLock, ({ hotelId, lockId, again }, log) => plane.dispatch(hotelId, lockId, log, again), {
    concurrency: MAX_DISPATCHES,
    attempts: 1,
  });
  queue.define(sweepLocks, (_payload, log) => plane.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepLocks, SWEEP_EVERY_SECONDS, {});
  queue.define(readBackLocks, () => plane.readBack(), { concurrency: 1, attempts: 1 });
  queue.every(readBackLocks, READ_BACK_EVERY_SECONDS, {});
  queue.define(dropCommands, () => plane.dropOld(), { concurrency: 1, attempts: 1 });
  queue.every(dropCommands, DELETE_EVERY_SECONDS, {});
}
