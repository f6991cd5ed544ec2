import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { runInSpan } from "../adapters/telemetry/tracing.ts";
import { asDomainError, isTransient } from "./errors.ts";
import type { HotelDatabase, HotelSql, HotelWrites } from "./hotel-database.ts";

const MAX_TRIES = 5;

/**
 * Runs a whole transaction again if it lost a race for locks, after a pause that varies so that two transactions don't
 * collide again. `run` gets the number of the attempt, from 1. @throws what the last attempt threw
 */
async function retryLostRaces<T>(run: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(attempt);
    } catch (error) {
      if (attempt >= MAX_TRIES || !isTransient(error)) throw error;
      await delay(10 * attempt * (1 + Math.random()));
    }
  }
}

/**
 * Runs `work` in one transaction on a connection of its own, for plain SQL about more than one hotel; a write of one
 * hotel uses `scope.write`. Retries if it lost a race for locks. @throws database errors unchanged
 */
export function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return retryLostRaces(() => tryTransaction(pool, work));
}

async function tryTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollbackError: Error) => {
      connectionError = rollbackError;
    });
    throw error;
  } finally {
    // With an error the connection is closed instead of going back to the pool in the middle of a transaction.
    client.release(connectionError);
  }
}

/** An act of a person or the system. `before` and `after` contain only relevant fields, secrets masked. */
export interface AuditEntry {
  action: string;
  entity: string;
  entityId: number | string;
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

/** A write in progress: a required argument of every function that changes data. */
export interface Transaction {
  readonly db: HotelWrites;
  readonly sql: HotelSql;
  /** Adds an audit entry; it is chained and committed with the transaction. @throws never */
  audit(entry: AuditEntry): void;
  /** Says which rooms this write changes on the board; desks get these anew. None: the board gets a new version only */
  boardChanged(roomIds: readonly number[]): void;
  /** Says that the board changes as a whole: its groups, its order, or which rooms it has. Desks read all of it again */
  wholeBoardChanged(): void;
  /**
   * Runs `callback` after the commit, and never after a rollback. It is not run if the process ends before, so required
   * work must not depend on it
   */
  committed(callback: () => void): void;
}

/** Author of a write, as recorded in the audit log. */
interface Author {
  readonly hotelId: number;
  readonly actor: { readonly kind: string; readonly id: number | null; readonly name: string };
  readonly channel: string;
  readonly address: string | null;
  readonly requestId: string | null;
  now(): Date;
}

interface BoardChange {
  changed: boolean;
  whole: boolean;
  roomIds: Set<number>;
}

/**
 * Runs `work` in one transaction, ends it with commit_write (prisma/migrations), and retries if it lost a race for
 * locks. @throws DomainError for errors of the database
 */
export async function runTransaction<T>(
  scope: Author,
  database: HotelDatabase,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await retryLostRaces((attempt) =>
      runInSpan("transaction", { "innkey.hotel.id": scope.hotelId, "innkey.attempt": attempt }, () =>
        transaction(scope, database, work),
      ),
    );
  } catch (error) {
    throw asDomainError(error);
  }
}

async function transaction<T>(
  scope: Author,
  database: HotelDatabase,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const callbacks: (() => void)[] = [];
  const result = await database.transaction(async (db, sql) => {
    const entries: AuditEntry[] = [];
    const board: BoardChange = { changed: false, whole: false, roomIds: new Set() };
    const result = await work({
      db,
      sql,
      audit: (entry) => entries.push(entry),
      boardChanged: (roomIds) => {
        board.changed = true;
        for (const roomId of roomIds) board.roomIds.add(roomId);
      },
      wholeBoardChanged: () => {
        board.changed = true;
        board.whole = true;
      },
      committed: (callback) => callbacks.push(callback),
    });
    await commit(scope, sql, entries, board);
    return result;
  });
  for (const callback of callbacks) callback();
  return result;
}

async function commit(scope: Author, sql: HotelSql, entries: readonly AuditEntry[], board: BoardChange): Promise<void> {
  const actor = {
    kind: scope.actor.kind,
    id: scope.actor.id,
    name: scope.actor.name,
    door: scope.channel,
    address: scope.address,
    requestId: scope.requestId,
  };
  const rows = entries.map((entry) => ({ ...entry, entityId: String(entry.entityId) }));
  await sql.prepared(
    "commit-write",
    "SELECT commit_write($1::int, $2::timestamptz, $3::jsonb, $4::jsonb, $5::boolean, $6::int[])::text",
    scope.now(),
    JSON.stringify(actor),
    JSON.stringify(rows),
    board.changed,
    board.whole ? null : [...board.roomIds],
  );
}

/** Draws the id of a row before it is written, because a secret box is bound to its row. */
export async function nextId(
  tx: Transaction,
  table: "card_profile" | "guest" | "guest_link" | "passcode" | "webhook",
): Promise<number> {
  const [row] = await tx.sql.prepared<{ id: number }>(
    "next-id",
    "SELECT nextval(pg_get_serial_sequence($2, 'id'))::int AS id WHERE $1::int IS NOT NULL",
    table,
  );
  if (!row) throw new Error(`${table} has no sequence for its ids`);
  return row.id;
}

type Values = Readonly<Record<string, unknown>>;
type Changes = Required<Pick<AuditEntry, "before" | "after">>;

const MASK = "***";

/**
 * Texts in which people write about guests. They can be erased on request, but audit entries can't, so the audit
 * records only that they changed.
 */
export const FREE_TEXTS = ["bulletin", "description", "note", "notice", "text"];

/** Returns the values with those in `secrets` masked; empty ones stay, to show whether a value was set or cleared. */
export function masked(values: Values, secrets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, secrets.includes(key) && value ? MASK : value]),
  );
}

/** Returns a change without undefined fields, so that those stay as they are. */
export function withoutUndefined<Change extends object>(
  change: Change,
): { [Key in keyof Change]: Exclude<Change[Key], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never;
}

/**
 * Returns what an edit changed, for the audit: only the fields of `after` that differ from `before`, with those in
 * `secrets` masked. Returns null if nothing changed, so that saving an unchanged form adds no entry.
 */
export function changesOf(before: Values, after: Values, secrets: readonly string[] = []): Changes | null {
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  if (changed.length === 0) return null;
  const pick = (values: Values) => masked(Object.fromEntries(changed.map((key) => [key, values[key]])), secrets);
  return { before: pick(before), after: pick(after) };
}
