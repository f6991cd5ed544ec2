import type { LockDriver as LockDriverName } from "@innkey/shared/enums";
import type { LockCommandName } from "@innkey/shared/locks/protocol";
import type pg from "pg";
import type { Scope } from "../../core/scope.ts";
import type { DriverLock } from "./driver.ts";

/** A command whose turn it is, held by one worker until `answerSeconds` are over. */
export interface Claimed {
  id: string;
  type: LockCommandName;
  argsBox: Uint8Array;
  expiresAt: string | null;
  /** this one included */
  tries: number;
  driver: LockDriverName;
  lock: DriverLock;
}

/** How long a lock has for its answer. Whoever stands before the door waits for an unlock. */
export const answerSeconds = (type: LockCommandName): number => (type === "unlock" ? 8 : 15);

/** Locks that say when they come and go; the others are always tried. */
export const hasPresence = (driver: LockDriverName): boolean => driver === "mqtt";

/** Locks that let go of what has run out by themselves; the others hold it until they are told. */
export const knowsTime = (driver: LockDriverName): boolean => driver !== "zigbee2mqtt";

/** A clock that is further off is set; until then what the lock refuses may be right in a moment. */
export const NOTABLE_DRIFT_SECONDS = 20;

/** Tries that a lock which is there may leave unanswered, or put off, before a command counts as failed, or stands back. */
export const MAX_TRIES = 8;
/** Tries that a clock has to be set before anything else; then it waits its turn, so that it can't hold up a door for good. */
const FIRST_TRIES = 3;

/** Whether lock `l` may be tried at all: a driver among `drivers` is there, and it is not known to be away or silent. */
const mayTry = (drivers: string): string => `(l.removed_at IS NULL AND l.driver::text = ANY (${drivers}::text[])
  AND (l.driver <> 'mqtt' OR (l.online AND l.breaker_opened_at IS NULL)))`;

/** Pointless by now, or sent and not answered in time; a command on its way has until then. $n: the instant. */
const overdue = (now: string): string => `((k.state = 'sent' AND k.next_try_at <= ${now}::timestamptz)
  OR (k.state = 'queued' AND k.expires_at <= ${now}::timestamptz))`;

/**
 * Whether command `k` of lock `l` overtakes all others: a Zigbee lock needs no order between a code and its bolt, may leave
 * a code unanswered for long, and somebody stands before the door.
 */
const overtakes = (k: string): string => `(${k}.type = 'unlock' AND l.driver = 'zigbee2mqtt')`;

/**
 * Whose turn it is among the commands of lock `l`, the lowest first; of equals the oldest. What is on its way has to end. A
 * lock whose clock is off may refuse all the rest, so that is set first. What is never given up stands back after many tries.
 */
const turn = (k: string): string => `(CASE WHEN ${overtakes(k)} THEN 0 WHEN ${k}.state = 'sent' THEN 1
  WHEN ${k}.type = 'set_clock' AND ${k}.tries < ${FIRST_TRIES} THEN 2 WHEN ${k}.tries < ${MAX_TRIES} THEN 3 ELSE 4 END)`;

/** Whether command `b` of lock `l` has to end before `k` may leave. */
const goesBefore = (b: string, k: string): string => `(${turn(b)}, ${b}.seq) < (${turn(k)}, ${k}.seq)`;

const ANSWER_DUE = `$3::timestamptz
      + CASE WHEN k.type = 'unlock' THEN interval '${answerSeconds("unlock")} s' ELSE interval '${answerSeconds("notice")} s' END`;

const CLAIMED = `k.id, k.type::text AS type, k.args_box AS "argsBox", iso(k.expires_at) AS "expiresAt", k.tries,
    l.driver::text AS driver, json_build_object('id', l.id, 'hotelId', l.hotel_id, 'mac', l.mac, 'address', l.address) AS lock`;

const CLAIM = `
  WITH head AS (
    SELECT k.id FROM lock_command k JOIN lock l ON l.id = k.lock_id
      WHERE k.hotel_id = $1 AND k.lock_id = $2 AND k.state IN ('queued', 'sent') ORDER BY ${turn("k")}, k.seq LIMIT 1
  )
  UPDATE lock_command k SET state = 'sent', tries = k.tries + 1, sent_at = $3::timestamptz,
    next_try_at = ${ANSWER_DUE}
  FROM head, lock l
  WHERE k.id = head.id AND l.hotel_id = $1 AND l.id = k.lock_id AND k.state = 'queued'
    AND k.next_try_at <= $3::timestamptz AND (k.expires_at IS NULL OR k.expires_at > $3::timestamptz) AND ${mayTry("$4")}
  RETURNING ${CLAIMED}`;

/**
 * Takes the first command of a lock's row if it is due. Two workers never hold one: whoever comes second finds it sent.
 * The rest of the row waits until this one has ended.
 */
export async function claimNext(
  scope: Scope,
  lockId: number,
  drivers: readonly LockDriverName[],
): Promise<Claimed | undefined> {
  const [claimed] = await scope.sql.rows<Claimed>(CLAIM, lockId, scope.now().toISOString(), drivers);
  return claimed;
}

/** Only locks of our own protocol do a command once however often it comes. Not one more try: the lock did not hear the first. */
const CLAIM_AGAIN = `
  UPDATE lock_command k SET sent_at = $3::timestamptz, next_try_at = ${ANSWER_DUE}
  FROM lock l
  WHERE k.hotel_id = $1 AND k.lock_id = $2 AND l.hotel_id = $1 AND l.id = k.lock_id AND k.state = 'sent' AND l.driver = 'mqtt'
    AND k.next_try_at > $3::timestamptz AND (k.expires_at IS NULL OR k.expires_at > $3::timestamptz) AND ${mayTry("$4")}
  RETURNING ${CLAIMED}`;

/** Takes the command that a lock was sent and has not answered yet, while it still may. */
export async function claimAgain(
  scope: Scope,
  lockId: number,
  drivers: readonly LockDriverName[],
): Promise<Claimed | undefined> {
  const [claimed] = await scope.sql.rows<Claimed>(CLAIM_AGAIN, lockId, scope.now().toISOString(), drivers);
  return claimed;
}

/** Ids of a lock's commands that ran out or were not answered in time. */
export async function overdueOf(scope: Scope, lockId: number): Promise<string[]> {
  const rows = await scope.sql.rows<{ id: string }>(
    `SELECT k.id FROM lock_command k WHERE k.hotel_id = $1 AND k.lock_id = $2 AND ${overdue("$3")}`,
    lockId,
    scope.now().toISOString(),
  );
  return rows.map(({ id }) => id);
}

const DUE = `
  SELECT DISTINCT k.hotel_id AS "hotelId", k.lock_id AS "lockId"
  FROM lock_command k JOIN lock l ON l.id = k.lock_id
  WHERE k.state IN ('queued', 'sent') AND (${overdue("$1")}
    OR (k.state = 'queued' AND k.next_try_at <= $1::timestamptz AND ${mayTry("$2")}
      AND NOT EXISTS (SELECT FROM lock_command b WHERE b.lock_id = k.lock_id AND ${goesBefore("b", "k")} AND b.state IN ('queued', 'sent'))))
  ORDER BY 1, 2`;

/** Locks of all hotels that have something to do now. */
export async function locksDue(
  pool: pg.Pool,
  now: Date,
  drivers: readonly LockDriverName[],
): Promise<{ hotelId: number; lockId: number }[]> {
  const { rows } = await pool.query<{ hotelId: number; lockId: number }>(DUE, [now.toISOString(), drivers]);
  return rows;
}
