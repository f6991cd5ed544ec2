import type { LockDriver as LockDriverName } from "@innkey/shared/enums";
import type { AckMessage, StatusMessage } from "@innkey/shared/locks/protocol";
import pLimit from "p-limit";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Scope } from "../../core/scope.ts";
import type { SystemScopes } from "../../core/system-scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Database } from "../../infra/database/client.ts";
import type { Logger } from "../../infra/logger.ts";
import type { JobQueue } from "../../infra/queue.ts";
import type { Relay, RelaySubscriber } from "../../infra/relay.ts";
import { traced } from "../../infra/tracing.ts";
import { takeAnswer } from "./answer.ts";
import { claimAgain, claimNext, locksDue, overdueOf } from "./claim.ts";
import type { LockDriver } from "./driver.ts";
import { handOver, noteHanded } from "./hand-over.ts";
import { keyOf, LockDirectory } from "./lock-directory.ts";
import { dispatchLock } from "./lock-jobs.ts";
import { dropOldCommands } from "./old-commands.ts";
import { endOverdue } from "./overdue.ts";
import { takeBackOverrunning } from "./overrunning-keys.ts";
import { noteStatus } from "./presence.ts";
import { askAboutUnknownKeys, askReadBacks } from "./read-backs.ts";
import type { LockName, LockReports } from "./reports.ts";

export interface LockPlaneDeps {
  database: Database;
  clock: Clock;
  scopes: SystemScopes;
  queue: JobQueue;
  relay: Relay;
  log: Logger;
}

/** A whole house that comes back at once must leave the desk some of the database's connections. */
const REPORTS_AT_ONCE = 3;

/**
 * A broker of the operator's own doesn't say when a lock begins to listen, and a lock that has just connected may say how it is
 * before it does. What is waiting leaves once more after these pauses; each a little shorter, so that a house spreads out.
 */
const LISTENS_WITHIN_MS = [2_000, 4_800];
const SPREAD = 0.1;

/** As commands.ts says it at commit. */
const wakeNotice = z.object({ topic: z.literal("locks"), hotelId: z.int(), lockIds: z.array(z.int()) });

/**
 * Everything between the console and its locks. Commands leave the outbox in order, one at a time per lock, each until it
 * has ended; what locks answer and say of themselves comes back here. Several processes may do this at once: a command is
 * held by whoever claimed it, and every change is conditional on the state it found.
 */
export class LockPlane implements Pick<LockReports, "acknowledge" | "status" | "listening">, RelaySubscriber {
  /** what locks are told to connect to; set once the broker listens */
  brokerUrl = "";
  /** the same for those who speak encrypted to the broker inside, with the authority's certificate in PEM */
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

  /** Our own broker has just started: whatever the rows say, no lock is connected to it yet. */
  async nobodyIsConnected(): Promise<void> {
    const { rows } = await this.#needs.database.pool.query<{ hotelId: number }>(
      `UPDATE lock SET online = false WHERE driver = 'mqtt' AND online RETURNING hotel_id AS "hotelId"`,
    );
    for (const hotelId of new Set(rows.map((row) => row.hotelId))) {
      const scope = await this.#needs.scopes(hotelId);
      await scope?.write(async (unit) => unit.boardChanged());
    }
  }

  onMessage(message: unknown): void {
    const notice = wakeNotice.safeParse(message);
    if (!notice.success) return;
    const { hotelId, lockIds } = notice.data;
    void this.#ask(lockIds.map((lockId) => ({ hotelId, lockId })));
  }

  /** Nothing to do: the sweep comes anyway. */
  onGap(): void {}

  /** Takes back what locks let in for too long, asks about unknown keys, and asks for the locks of all hotels that have something to do. */
  async sweep(log = this.#needs.log): Promise<void> {
    const { database, clock, scopes } = this.#needs;
    await takeBackOverrunning(database.pool, scopes, clock.now());
    await askAboutUnknownKeys(database.pool, scopes, clock.now());
    await this.#ask(await locksDue(database.pool, clock.now(), [...this.#drivers.keys()]), log);
  }

  /** Asks locks that have not been asked for long what they hold. */
  async readBack(): Promise<void> {
    const { database, scopes, clock } = this.#needs;
    await askReadBacks(database.pool, scopes, clock.now());
  }

  /** Drops commands that ended long ago. */
  async dropOld(): Promise<void> {
    const { database, clock } = this.#needs;
    await dropOldCommands(database.pool, clock.now());
  }

  /** Sends what a lock's turn is, until the next has to wait. `again`: also what is on its way already. */
  async dispatch(hotelId: number, lockId: number, log = this.#needs.log, again = false): Promise<void> {
    const scope = await this.#needs.scopes(hotelId);
    if (!scope) return;
    for (let first = true; ; first = false) {
      const overdue = await overdueOf(scope, lockId);
      if (overdue.length > 0) await scope.write((unit) => endOverdue(scope, unit, lockId, overdue));
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
      this.#heard(name, (scope, unit, lockId) => takeAnswer(scope, unit, lockId, ack)),
    );
  }

  async status(name: LockName, status: StatusMessage, retained = false): Promise<void> {
    const waiting = await this.#heard(name, async (scope, unit, lockId) => {
      await noteStatus(scope, unit, lockId, status, retained);
      if (retained || status.state !== "online" || !("mac" in name)) return null;
      const open = { lockId, state: { in: ["queued" as const, "sent" as const] } };
      return (await unit.db.lockCommand.findFirst({ where: open, select: { id: true } })) && { lockId };
    });
    if (waiting) this.#repeatSoon(name.hotelId, waiting.lockId);
  }

  /** A lock has begun to hear commands: what it was sent before that is lost. */
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

  /** Dropped where it can't be asked for: what isn't answered is tried again in any case, only later. */
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
    note: (scope: Scope, unit: Unit, lockId: number) => Promise<T>,
  ): Promise<T | undefined> {
    const lockId = await this.#directory.find(name);
    const scope = lockId === null ? null : await this.#needs.scopes(name.hotelId);
    if (lockId === null || !scope) {
      this.#ignore(name);
      return undefined;
    }
    return this.#reports(() => scope.write((unit) => note(scope, unit, lockId)));
  }

  #ignore(name: LockName): void {
    const key = keyOf(name);
    if (this.#strangers.has(key) || this.#strangers.size >= MAX_STRANGERS) return;
    this.#strangers.add(key);
    this.#needs.log.warn({ lock: key }, "a lock that nobody registered speaks");
  }

  /**
   * Through the queue, which whoever has drivers works off. Without the queue this process sends what it can itself: people
   * stand before doors. What fails is found by the sweep.
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

/** Named in the log, once each; a network full of foreign locks must not fill the memory. */
const MAX_STRANGERS = 1000;
