import type { LockDriver as LockDriverName } from "@innkey/shared/enums";
import type { AckMessage, StatusMessage } from "@innkey/shared/locks/protocol";
import pLimit from "p-limit";
import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import { traced } from "../../../adapters/telemetry/tracing.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";

import type { Transaction } from "../../../kernel/transaction.ts";
import { alertResidualKeys, takeBackOverrunning } from "../credentials/residual-keys.ts";
import { claimAgain, claimNext, locksDue, overdueOf } from "../lock-commands/claim-commands.ts";
import { takeAnswer } from "../lock-commands/handle-answer.ts";
import { askAboutUnknownKeys, askReadBacks, dispatchLock, dropOldCommands } from "../lock-commands/lock-jobs.ts";
import { endOverdue } from "../lock-commands/retry-commands.ts";
import { handOver, noteHanded } from "../lock-commands/send-command.ts";
import { keyOf, LockDirectory } from "../locks/lock-directory.ts";
import { noteStatus } from "../locks/presence.ts";
import type { LockDriver, LockName, LockReports } from "./driver.ts";

export interface LockPlaneDeps {
  database: Database;
  clock: Clock;
  scopes: SystemScopes;
  queue: JobQueue;
  relay: Relay;
  log: Logger;
}

/** Reports processed at once, so that a hotel whose locks all reconnect leaves database connections free for staff. */
const REPORTS_AT_ONCE = 3;

/**
 * An external broker doesn't say when a lock subscribes, and a lock may report its status before it does. Pending
 * commands are therefore sent again after these pauses, each shortened at random so that the locks of a hotel spread
 * out.
 */
const LISTENS_WITHIN_MS = [2_000, 4_800];
const SPREAD = 0.1;

/** Notification that commands.ts sends at commit. */
const wakeNotice = z.object({ topic: z.literal("locks"), hotelId: z.int(), lockIds: z.array(z.int()) });

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
  readonly #needs: LockPlaneDeps;
  readonly #directory: LockDirectory;
  readonly #drivers = new Map<LockDriverName, LockDriver>();
  readonly #reports = pLimit(REPORTS_AT_ONCE);
  readonly #withoutQueue = pLimit(REPORTS_AT_ONCE);
  readonly #strangers = new Set<string>();

  constructor(deps: LockPlaneDeps) {
    this.#needs = deps;
    this.#directory = new LockDirectory(deps.database);
    deps.relay.subscribe(this);
  }

  use(driver: LockDriver): void {
    this.#drivers.set(driver.name, driver);
  }

  /** Marks all locks as offline after our own broker has started, since no lock is connected to it yet. */
  async nobodyIsConnected(): Promise<void> {
    const { rows } = await this.#needs.database.pool.query<{ hotelId: number }>(
      `UPDATE lock SET online = false WHERE driver = 'mqtt' AND online RETURNING hotel_id AS "hotelId"`,
    );
    for (const hotelId of new Set(rows.map((row) => row.hotelId))) {
      const scope = await this.#needs.scopes(hotelId);
      await scope?.write(async (tx) => tx.boardChanged());
    }
  }

  onMessage(message: unknown): void {
    const notice = wakeNotice.safeParse(message);
    if (!notice.success) return;
    const { hotelId, lockIds } = notice.data;
    void this.#ask(lockIds.map((lockId) => ({ hotelId, lockId })));
  }

  /** Missed notifications need no action, because the sweep finds the commands anyway. */
  onGap(): void {}

  /**
   * Revokes credentials that locks accept beyond their end, reads back locks that opened for unknown keys, and
   * dispatches all locks with due commands.
   */
  async sweep(log = this.#needs.log): Promise<void> {
    const { database, clock, scopes } = this.#needs;
    await takeBackOverrunning(database.pool, scopes, clock.now());
    await askAboutUnknownKeys(database.pool, scopes, clock.now());
    await this.#ask(await locksDue(database.pool, clock.now(), [...this.#drivers.keys()]), log);
  }

  /** Reads back the credentials of locks that have not been read for long. */
  async readBack(): Promise<void> {
    const { database, scopes, clock } = this.#needs;
    await askReadBacks(database.pool, scopes, clock.now());
    await alertResidualKeys(database.pool, scopes, clock.now());
  }

  /** Deletes commands that ended long ago. */
  async dropOld(): Promise<void> {
    const { database, clock } = this.#needs;
    await dropOldCommands(database.pool, clock.now());
  }

  /**
   * Sends a lock's commands in order until one has to wait for its answer. `again`: first repeats a command that is
   * already sent.
   */
  async dispatch(hotelId: number, lockId: number, log = this.#needs.log, again = false): Promise<void> {
    const scope = await this.#needs.scopes(hotelId);
    if (!scope) return;
    for (let first = true; ; first = false) {
      const overdue = await overdueOf(scope, lockId);
      if (overdue.length > 0) await scope.write((tx) => endOverdue(scope, tx, lockId, overdue));
      const drivers = [...this.#drivers.keys()];
      const repeated = first && again ? await claimAgain(scope, lockId, drivers) : undefined;
      const claimed = repeated ?? (await claimNext(scope, lockId, drivers));
      const driver = claimed && this.#drivers.get(claimed.driver);
      if (!claimed || !driver) return;
      const facts = { "innkey.hotel.id": hotelId, "innkey.lock.id": lockId, "innkey.command.id": claimed.id };
      const handed = await traced(`lock ${claimed.type}`, { ...facts, "innkey.driver": driver.name }, () =>
        handOver(scope, driver, claimed, log),
      );
      if ((await noteHanded(scope, claimed, handed)) === "answer comes later") return;
    }
  }

  acknowledge(name: LockName, ack: AckMessage): Promise<void> {
    return traced("lock answer", { "innkey.hotel.id": name.hotelId, "innkey.command.id": ack.id }, () =>
      this.#heard(name, (scope, tx, lockId) => takeAnswer(scope, tx, lockId, ack)),
    );
  }

  async status(name: LockName, status: StatusMessage, retained = false): Promise<void> {
    const waiting = await this.#heard(name, async (scope, tx, lockId) => {
      await noteStatus(scope, tx, lockId, status, retained);
      if (retained || status.state !== "online" || !("mac" in name)) return null;
      const open = { lockId, state: { in: ["queued" as const, "sent" as const] } };
      return (await tx.db.lockCommand.findFirst({ where: open, select: { id: true } })) && { lockId };
    });
    if (waiting) this.#repeatSoon(name.hotelId, waiting.lockId);
  }

  /** Sends commands again that were sent before the lock subscribed, because it has not received them. */
  async listening(name: LockName): Promise<void> {
    const lockId = await this.#directory.find(name);
    if (lockId === null) return;
    const { hotelId } = name;
    const waiting = await this.#needs.database.pool.query(
      "SELECT FROM lock_command WHERE hotel_id = $1 AND lock_id = $2 AND state = 'sent' LIMIT 1",
      [hotelId, lockId],
    );
    if (waiting.rowCount !== 0) await this.#ask([{ hotelId, lockId, again: true }]);
  }

  /**
   * Schedules another dispatch. An error of the queue is ignored, because unanswered commands are retried later anyway.
   */
  #repeatSoon(hotelId: number, lockId: number): void {
    const { queue, log } = this.#needs;
    for (const [at, withinMs] of LISTENS_WITHIN_MS.entries()) {
      const delayMs = Math.round(withinMs * (1 - SPREAD * Math.random()));
      queue
        .add(dispatchLock, { hotelId, lockId, again: true }, { delayMs, jobId: `again-${lockId}-${at}` })
        .catch((error: unknown) => log.debug({ err: error, lockId }, "a lock is not sent its commands again at once"));
    }
  }

  async #heard<T>(
    name: LockName,
    note: (scope: Scope, tx: Transaction, lockId: number) => Promise<T>,
  ): Promise<T | undefined> {
    const lockId = await this.#directory.find(name);
    const scope = lockId === null ? null : await this.#needs.scopes(name.hotelId);
    if (lockId === null || !scope) {
      this.#ignore(name);
      return undefined;
    }
    return this.#reports(() => scope.write((tx) => note(scope, tx, lockId)));
  }

  #ignore(name: LockName): void {
    const key = keyOf(name);
    if (this.#strangers.has(key) || this.#strangers.size >= MAX_STRANGERS) return;
    this.#strangers.add(key);
    this.#needs.log.warn({ lock: key }, "a lock that nobody registered speaks");
  }

  /**
   * Adds locks to the queue, which every process with drivers works off. If the queue is down, this process dispatches
   * them itself, because people may be waiting at doors. The sweep retries what fails.
   */
  async #ask(
    locks: readonly { hotelId: number; lockId: number; again?: boolean }[],
    log = this.#needs.log,
  ): Promise<void> {
    if (this.#drivers.size === 0) return;
    const { queue } = this.#needs;
    await Promise.all(locks.map((lock) => queue.add(dispatchLock, lock).catch(() => this.#send(lock, log))));
  }

  async #send(
    { hotelId, lockId, again }: { hotelId: number; lockId: number; again?: boolean },
    log: Logger,
  ): Promise<void> {
    try {
      await this.#withoutQueue(() => this.dispatch(hotelId, lockId, log, again));
    } catch (error) {
      log.warn({ err: error, lockId }, "a lock waits for the next sweep");
    }
  }
}

/** Limit of unregistered locks that are remembered, to log each only once without filling the memory. */
const MAX_STRANGERS = 1000;
