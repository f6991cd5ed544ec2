import type { LockDriver as LockDriverName } from "@innkey/shared/enums";
import {
  type CommandMessage,
  type LockArgs,
  type LockCommandName,
  lockArgs,
  type SealedConfigure,
} from "@innkey/shared/locks/protocol";
import pLimit from "p-limit";
import type pg from "pg";
import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import { runInSpan } from "../../../adapters/telemetry/tracing.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { DriverLock, LockDriver, SendResult } from "../lock-links/driver.ts";
import { pairingContext, sealConfigure } from "../locks/lock-secrets.ts";
import { MAX_TRIES, openArgs, selectLockForUpdate } from "./commands.ts";
import { handleAnswer } from "./handle-answer.ts";
import { failCommand, handleOverdue, requeueOrFail } from "./retry-commands.ts";

/** A command that one worker has claimed. The claim ends after `answerSeconds`. */
interface Claimed {
  id: string;
  type: LockCommandName;
  argsBox: Uint8Array;
  expiresAt: string | null;
  /** includes the current try */
  tries: number;
  driver: LockDriverName;
  lock: DriverLock;
}

/** Seconds a lock has to answer. An unlock gets less because a person waits at the door. */
const answerSeconds = (type: LockCommandName): number => (type === "unlock" ? 8 : 15);

/**
 * Number of tries for which setting the clock has priority. After that it waits like other commands, so that it can't
 * block a lock forever.
 */
const MAX_FIRST_TRIES = 3;

/**
 * Whether a command may be sent to lock `l`: its driver is among `drivers`, and a lock of our own protocol is online
 * and its breaker is closed. Other locks are always tried.
 */
const isReachable = (drivers: string): string => `(l.deleted_at IS NULL AND l.driver::text = ANY (${drivers}::text[])
  AND (l.driver <> 'mqtt' OR (l.online AND l.breaker_opened_at IS NULL)))`;

/**
 * Whether command `k` has expired in the queue, or was sent and not answered in time. `now`: placeholder of the
 * instant.
 */
const isOverdue = (now: string): string => `((k.state = 'sent' AND k.next_try_at <= ${now}::timestamptz)
  OR (k.state = 'queued' AND k.expires_at <= ${now}::timestamptz))`;

/**
 * Whether command `k` of lock `l` overtakes all others. A Zigbee lock needs no order between a code and its bolt and
 * may leave a code unanswered for long, while a person waits at the door.
 */
const overtakes = (k: string): string => `(${k}.type = 'unlock' AND l.driver = 'zigbee2mqtt')`;

/**
 * Priority of command `k` of lock `l`: lowest first, then oldest first. A sent command has to end first. Setting the
 * clock comes next, because a lock whose clock is wrong may refuse everything else. Commands with many tries come last.
 */
const priorityOf = (k: string): string => `(CASE WHEN ${overtakes(k)} THEN 0 WHEN ${k}.state = 'sent' THEN 1
  WHEN ${k}.type = 'set_clock' AND ${k}.tries < ${MAX_FIRST_TRIES} THEN 2 WHEN ${k}.tries < ${MAX_TRIES} THEN 3 ELSE 4 END)`;

/** Whether command `b` of lock `l` has to end before command `k` may be sent. */
const precedes = (b: string, k: string): string => `(${priorityOf(b)}, ${b}.seq) < (${priorityOf(k)}, ${k}.seq)`;

const ANSWER_DUE = `$3::timestamptz
      + CASE WHEN k.type = 'unlock' THEN interval '${answerSeconds("unlock")} s' ELSE interval '${answerSeconds("notice")} s' END`;

const CLAIMED_COLUMNS = `k.id, k.type::text AS type, k.args_box AS "argsBox", iso(k.expires_at) AS "expiresAt", k.tries,
    l.driver::text AS driver, json_build_object('id', l.id, 'hotelId', l.hotel_id, 'mac', l.mac, 'address', l.address) AS lock`;

const CLAIM = `
  WITH head AS (
    SELECT k.id FROM lock_command k JOIN lock l ON l.id = k.lock_id
      WHERE k.hotel_id = $1 AND k.lock_id = $2 AND k.state IN ('queued', 'sent') ORDER BY ${priorityOf("k")}, k.seq LIMIT 1
  )
  UPDATE lock_command k SET state = 'sent', tries = k.tries + 1, sent_at = $3::timestamptz,
    next_try_at = ${ANSWER_DUE}
  FROM head, lock l
  WHERE k.id = head.id AND l.hotel_id = $1 AND l.id = k.lock_id AND k.state = 'queued'
    AND k.next_try_at <= $3::timestamptz AND (k.expires_at IS NULL OR k.expires_at > $3::timestamptz) AND ${isReachable("$4")}
  RETURNING ${CLAIMED_COLUMNS}`;

/**
 * Claims the first command in a lock's queue if it is due. Two workers never claim the same command, because the second
 * finds it in state `sent`. The rest of the queue waits until this command has ended.
 */
async function claimNext(
  scope: Scope,
  lockId: number,
  drivers: readonly LockDriverName[],
): Promise<Claimed | undefined> {
  const [claimed] = await scope.sql.rows<Claimed>(CLAIM, lockId, scope.now().toISOString(), drivers);
  return claimed;
}

/**
 * Only locks of our own protocol execute a repeated command once, so only they are sent it again. This doesn't count as
 * another try, because the lock did not receive the first message.
 */
const CLAIM_AGAIN = `
  UPDATE lock_command k SET sent_at = $3::timestamptz, next_try_at = ${ANSWER_DUE}
  FROM lock l
  WHERE k.hotel_id = $1 AND k.lock_id = $2 AND l.hotel_id = $1 AND l.id = k.lock_id AND k.state = 'sent' AND l.driver = 'mqtt'
    AND k.next_try_at > $3::timestamptz AND (k.expires_at IS NULL OR k.expires_at > $3::timestamptz) AND ${isReachable("$4")}
  RETURNING ${CLAIMED_COLUMNS}`;

/**
 * Claims again the command that was sent to a lock and not yet answered, while its time for an answer has not run out.
 */
async function claimAgain(
  scope: Scope,
  lockId: number,
  drivers: readonly LockDriverName[],
): Promise<Claimed | undefined> {
  const [claimed] = await scope.sql.rows<Claimed>(CLAIM_AGAIN, lockId, scope.now().toISOString(), drivers);
  return claimed;
}

/** Returns the ids of a lock's commands that expired or were not answered in time. */
async function findOverdueCommands(scope: Scope, lockId: number): Promise<string[]> {
  const rows = await scope.sql.rows<{ id: string }>(
    `SELECT k.id FROM lock_command k WHERE k.hotel_id = $1 AND k.lock_id = $2 AND ${isOverdue("$3")}`,
    lockId,
    scope.now().toISOString(),
  );
  return rows.map(({ id }) => id);
}

const DUE_LOCKS = `
  SELECT DISTINCT k.hotel_id AS "hotelId", k.lock_id AS "lockId"
  FROM lock_command k JOIN lock l ON l.id = k.lock_id
  WHERE k.state IN ('queued', 'sent') AND (${isOverdue("$1")}
    OR (k.state = 'queued' AND k.next_try_at <= $1::timestamptz AND ${isReachable("$2")}
      AND NOT EXISTS (SELECT FROM lock_command b WHERE b.lock_id = k.lock_id AND ${precedes("b", "k")} AND b.state IN ('queued', 'sent'))))
  ORDER BY 1, 2`;

/** Returns the locks of all hotels that have a command to process now. */
export async function findDueLocks(
  pool: pg.Pool,
  now: Date,
  drivers: readonly LockDriverName[],
): Promise<{ hotelId: number; lockId: number }[]> {
  const { rows } = await pool.query<{ hotelId: number; lockId: number }>(DUE_LOCKS, [now.toISOString(), drivers]);
  return rows;
}

/** Share of the answer time that a driver may use for sending, so that it finishes before the claim expires. */
const SENDING_SHARE = 0.7;

/** Sends a claimed command through its driver, outside of any transaction. @throws never */
async function sendToDriver(scope: Scope, driver: LockDriver, claimed: Claimed, log: Logger): Promise<SendResult> {
  const { id, type, lock } = claimed;
  const limitMs = answerSeconds(type) * 1000 * SENDING_SHARE;
  try {
    const message = await messageOf(scope, claimed);
    if (!message) return { outcome: "undelivered", error: "internal", again: false };
    return await driver.send(lock, message, AbortSignal.timeout(limitMs));
  } catch (error) {
    log.error({ err: error, lockId: lock.id, commandId: id, driver: driver.name }, "a driver failed");
    return { outcome: "undelivered", error: "internal", again: true };
  }
}

/**
 * Builds the message of a command. Returns null if its arguments can't be read, for example after the secret key
 * changed.
 */
async function messageOf(scope: Scope, claimed: Claimed): Promise<CommandMessage | null> {
  const { id, type, expiresAt } = claimed;
  const now = scope.now().toISOString();
  const args = lockArgs[type].safeParse(type === "set_clock" ? { now } : openArgs(scope, claimed));
  if (!args.success) return null;
  const sentArgs =
    type === "configure" ? await sealConfiguration(scope, claimed, lockArgs.configure.parse(args.data)) : args.data;
  return sentArgs && { id, type, args: sentArgs, expires: expiresAt, now };
}

const NEXT_PAIRING_COUNTER = `
  UPDATE lock SET pairing_counter = greatest(pairing_counter + 1, extract(epoch FROM $3::timestamptz)::bigint)
   WHERE hotel_id = $1 AND id = $2 AND pairing_box IS NOT NULL AND driver = 'mqtt'
  RETURNING pairing_counter::float8 AS counter, pairing_box AS box`;

/**
 * Seals a lock's keys with its pairing secret and a counter that a lock accepts only once. The counter follows the
 * clock, so that it still exceeds what locks have seen after a database was restored. Returns null if the lock has no
 * pairing secret.
 */
async function sealConfiguration(
  scope: Scope,
  { id, lock }: Claimed,
  args: LockArgs["configure"],
): Promise<SealedConfigure | null> {
  const [pairing] = await scope.sql.rows<{ counter: number; box: Buffer }>(
    NEXT_PAIRING_COUNTER,
    lock.id,
    scope.now().toISOString(),
  );
  const secret = pairing && scope.secrets.lock.open(pairing.box, pairingContext(scope.hotelId, lock.id));
  return pairing && secret ? sealConfigure(secret, id, pairing.counter, args) : null;
}

/** Stores the result of sending a command. */
async function storeSendResult(
  scope: Scope,
  claimed: Claimed,
  result: SendResult,
): Promise<"answer comes later" | "ended or put back"> {
  const lockId = claimed.lock.id;
  if (result.outcome === "sent") {
    await markCredentialSent(scope, claimed.id);
    return "answer comes later";
  }
  if (result.outcome === "answered") {
    await scope.write((tx) => handleAnswer(scope, tx, lockId, { ...result.ack, id: claimed.id }));
    return "ended or put back";
  }
  await scope.write(async (tx) => {
    const lock = await selectLockForUpdate(tx, lockId);
    const command = await tx.db.lockCommand.findFirst({ where: { id: claimed.id, lockId } });
    if (!lock || !command) return;
    await (result.again ? requeueOrFail : failCommand)(scope, tx, lock, command, result.error);
  });
  return "ended or put back";
}

/** Marks the credential as sent, unless the lock's answer came first. */
async function markCredentialSent(scope: Scope, commandId: string): Promise<void> {
  await scope.sql.rows(
    `UPDATE credential t SET state = 'sent' FROM lock_command k
      WHERE t.hotel_id = $1 AND t.state = 'queued' AND k.hotel_id = $1 AND k.id = $2::uuid AND k.type = 'set_credential'
        AND k.state = 'sent' AND t.id = k.credential_id
        AND NOT EXISTS (SELECT FROM lock_command n WHERE n.lock_id = k.lock_id AND n.subject = k.subject AND n.seq > k.seq)`,
    commandId,
  );
}

/** Sends a lock its next commands. With `again`, a command that was sent but not yet answered is sent again as well. */
export const dispatchLock: Job<{ hotelId: number; lockId: number; again?: boolean | undefined }> = {
  name: "locks.dispatch",
  payload: z.object({ hotelId: z.int(), lockId: z.int(), again: z.boolean().optional() }),
};

/**
 * Maximum number of locks that one process sends commands to at the same time. A slow or unreachable lock occupies one
 * of these places for a few seconds.
 */
const MAX_DISPATCHES = 32;

/** The same while the queue is down. The limit leaves database connections free for staff. */
const MAX_DISPATCHES_WITHOUT_QUEUE = 3;

/**
 * An external broker doesn't say when a lock subscribes, and a lock may report its status before it does. Pending
 * commands are therefore sent again after these pauses, each shortened at random so that the locks of a hotel spread
 * out.
 */
const REPEAT_AFTER_MS = [2_000, 4_800];
const JITTER = 0.1;

/** Notification that commands.ts sends at commit. */
const wakeNotification = z.object({ topic: z.literal("locks"), hotelId: z.int(), lockIds: z.array(z.int()) });

interface LockToDispatch {
  hotelId: number;
  lockId: number;
  /** also repeats a command that is already sent */
  again?: boolean | undefined;
}

export interface DeliveryDeps {
  database: Database;
  clock: Clock;
  scopes: SystemScopes;
  queue: JobQueue;
  relay: Relay;
  log: Logger;
}

/**
 * Delivers commands in order and one at a time per lock; the next follows when the previous one has ended. Several
 * processes may run this at once, because each command is claimed by one process.
 */
export class CommandDelivery implements RelaySubscriber {
  readonly #deps: DeliveryDeps;
  readonly #drivers = new Map<LockDriverName, LockDriver>();
  readonly #limitWithoutQueue = pLimit(MAX_DISPATCHES_WITHOUT_QUEUE);

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    deps.relay.subscribe(this);
  }

  use(driver: LockDriver): void {
    this.#drivers.set(driver.name, driver);
  }

  onMessage(message: unknown): void {
    const notification = wakeNotification.safeParse(message);
    if (!notification.success) return;
    const { hotelId, lockIds } = notification.data;
    void this.enqueue(lockIds.map((lockId) => ({ hotelId, lockId })));
  }

  /** Missed notifications need no action, because the sweep finds the commands anyway. */
  onGap(): void {}

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

  /** Adds all locks with due commands to the queue. */
  async enqueueDue(log: Logger): Promise<void> {
    const { database, clock } = this.#deps;
    await this.enqueue(await findDueLocks(database.pool, clock.now(), [...this.#drivers.keys()]), log);
  }

  /**
   * Adds locks to the queue, which every process with drivers works off. If the queue is down, this process dispatches
   * them itself, because people may be waiting at doors. The sweep retries what fails.
   */
  async enqueue(locks: readonly LockToDispatch[], log = this.#deps.log): Promise<void> {
    if (this.#drivers.size === 0) return;
    const { queue } = this.#deps;
    await Promise.all(
      locks.map((lock) => queue.add(dispatchLock, lock).catch(() => this.#dispatchWithoutQueue(lock, log))),
    );
  }

  /**
   * Schedules further dispatches of a lock that may not have subscribed yet. An error of the queue is ignored, because
   * unanswered commands are retried later anyway.
   */
  scheduleRepeats(hotelId: number, lockId: number): void {
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

  async #dispatchWithoutQueue({ hotelId, lockId, again }: LockToDispatch, log: Logger): Promise<void> {
    try {
      await this.#limitWithoutQueue(() => this.dispatch(hotelId, lockId, log, again));
    } catch (error) {
      log.warn({ err: error, lockId }, "lock could not be dispatched, the next sweep tries again");
    }
  }
}

/** Registers the queue's job. It is not retried by the queue, because the sweep tries again anyway. */
export function defineDispatchJob(queue: JobQueue, delivery: CommandDelivery): void {
  queue.define(dispatchLock, ({ hotelId, lockId, again }, log) => delivery.dispatch(hotelId, lockId, log, again), {
    concurrency: MAX_DISPATCHES,
    attempts: 1,
  });
}
