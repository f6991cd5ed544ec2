import { DomainError } from "@innkey/shared/errors";
import type pg from "pg";
import { type Database, PLAIN_TYPES } from "../adapters/postgres/client.ts";
import { Prisma, type PrismaClient } from "../adapters/postgres/generated/client.ts";
import { copyRows, readBatches } from "../adapters/postgres/long-reads.ts";
import { withTransactionConnection } from "../adapters/postgres/transaction-connection.ts";

/** Models that belong to no hotel; a scope can't reach them. */
const GLOBAL_MODELS: ReadonlySet<string> = new Set([
  "Operator",
  "Captcha",
  "RecoveryCode",
  "RateLimit",
  "Session",
  "RequestOnce",
  "ProcessHeartbeat",
  "ServerPulse",
  "AuditCheck",
  "AuditHead",
  "OperatorTotp",
  "OperatorPasskey",
  "SecondFactorCode",
  "LoginChallenge",
  "KnownDevice",
]);
/** This model's hotel is its own id */
const HOTEL_MODEL = "Hotel";

type Args = Record<string, unknown> & { where?: Record<string, unknown>; data?: unknown };

function scopedArgs(model: string, operation: string, args: Args, hotelId: number): Args {
  if (GLOBAL_MODELS.has(model)) throw new Error(`${model} belongs to no hotel: use the accounts' own store`);
  const column = model === HOTEL_MODEL ? "id" : "hotelId";
  if (operation === "create" || operation === "createMany" || operation === "createManyAndReturn") {
    const rows = Array.isArray(args.data) ? args.data : [args.data];
    for (const row of rows as Record<string, unknown>[]) {
      if (row[column] !== hotelId) throw new Error(`${model} would be written into another hotel`);
    }
    return args;
  }
  if (operation === "upsert") throw new Error("upsert can't be restricted to a hotel: use create or update");
  return { ...args, where: { ...args.where, [column]: hotelId } };
}

function restrictToHotel(prisma: PrismaClient, hotelId: number) {
  return prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          return query(scopedArgs(model, operation, args as Args, hotelId) as typeof args);
        },
      },
    },
  });
}

type HotelClient = ReturnType<typeof restrictToHotel>;
type HotelTransactionClient = Parameters<Parameters<HotelClient["$transaction"]>[0]>[0];
type RawAccess = "$queryRaw" | "$queryRawUnsafe" | "$executeRaw" | "$executeRawUnsafe" | "$extends";

/** Prisma for reads of one hotel. */
export type HotelReads = Omit<HotelClient, RawAccess | "$transaction" | "$connect" | "$disconnect">;
/** Prisma inside a write of one hotel. */
export type HotelWrites = Omit<HotelTransactionClient, RawAccess>;

/** Plain SQL for one hotel: `$1` is the hotel's id, further parameters follow from `$2`. */
export interface HotelSql {
  rows<T>(text: string, ...params: unknown[]): Promise<T[]>;
  /**
   * As `rows`, but planned once per connection, for very frequent statements: planning one costs more than running it. A
   * `name` must always have the same text. In a transaction, instants are ISO texts here, but Dates from `rows`.
   */
  prepared<T>(name: string, text: string, ...params: unknown[]): Promise<T[]>;
}

/** A statement for one hotel with its parameters from `$2` on. */
export interface HotelQuery {
  text: string;
  values: unknown[];
}

/** A page of a list; pages begin at 1. */
export interface Paging {
  page: number;
  pageSize: number;
}

/** Returns LIMIT and OFFSET of a page; without a page, of all rows. */
export const limits = (page: Paging | undefined): [limit: number | null, offset: number] =>
  page ? [page.pageSize, (page.page - 1) * page.pageSize] : [null, 0];

/** Plain SQL outside a write. */
export interface HotelReadSql extends HotelSql {
  /**
   * Returns rows of one snapshot in batches, in constant memory. It occupies a connection until the last batch is read
   * or the loop ends.
   */
  batches<T>(query: HotelQuery, part?: { skip: number; take: number }): AsyncGenerator<T[]>;
  /**
   * Returns the rows as PostgreSQL's CSV without headings, for files of millions of rows. Occupies a connection like
   * `batches`.
   */
  copied(query: HotelQuery): AsyncGenerator<Buffer>;
}

/**
 * The database restricted to one hotel. Prisma calls get the hotel in every `where`, and rows of another hotel are
 * refused; plain SQL must use `$1` for the hotel's id. A scope gives no other access, so a service can't forget the hotel.
 */
export interface HotelDatabase {
  hotelId: number;
  reads: HotelReads;
  sql: HotelReadSql;
  transaction<T>(work: (writes: HotelWrites, sql: HotelSql) => Promise<T>): Promise<T>;
}

/** Tests set `onCall` to learn where in the source each statement comes from; see test/harness/record-sql.ts. */
export const sqlCalls: { onCall?: (text: string) => void } = {};

function checkSql(text: string): void {
  sqlCalls.onCall?.(text);
  if (!text.includes("$1")) throw new Error("SQL of a hotel must name the hotel as $1");
}

/** Queue limit per hotel; further calls fail with `unavailable`. */
const MAX_WAITING = 1_000;
/** The same limit as for a connection (adapters/postgres/client.ts). */
const MAX_WAIT_MS = 20_000;

/** Lets a limited number of jobs run at a time; the others wait in order of arrival. */
class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** @throws unavailable if too many jobs wait, or if this one waited too long */
  async run<T>(job: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await job();
    } finally {
      release();
    }
  }

  /** Waits for a slot and returns the function that frees it. @throws as `run` */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#waitForSlot();
    return () => {
      const [next] = this.#waiting;
      if (next) next();
      else this.#free += 1;
    };
  }

  #waitForSlot(): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new DomainError("unavailable"));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new DomainError("unavailable"));
      }, MAX_WAIT_MS);
      this.#waiting.add(begin);
    });
  }
}

/**
 * Shares of the connection pool that one hotel may use at a time, so that a hotel with many requests, or whose writes
 * wait for each other, leaves connections to the others. They are separate, so that a write may read outside its
 * transaction, and reads may be made while a cursor is open.
 */
class HotelSlots {
  readonly writes: Slots;
  readonly reads: Slots;
  /** For reads that occupy their connection for long */
  readonly cursors: Slots;

  constructor(poolSize: number) {
    const share = (part: number): Slots => new Slots(Math.max(1, Math.floor(poolSize * part)));
    this.writes = share(1 / 2);
    this.reads = share(1 / 2);
    this.cursors = share(1 / 4);
  }
}

/** Returns a view per hotel, cached per process, because extending a Prisma client is too slow for each request. */
export function hotelDatabases(database: Database): (hotelId: number) => HotelDatabase {
  const views = new Map<number, HotelDatabase>();
  return (hotelId) => {
    let view = views.get(hotelId);
    if (!view) {
      view = hotelDatabase(database, hotelId);
      views.set(hotelId, view);
    }
    return view;
  };
}

function hotelDatabase({ prisma, pool }: Database, hotelId: number): HotelDatabase {
  const client = restrictToHotel(prisma, hotelId);
  const { writes, reads, cursors } = new HotelSlots(pool.options.max);
  return {
    hotelId,
    reads: client,
    sql: {
      async rows<T>(text: string, ...params: unknown[]) {
        checkSql(text);
        const query: pg.QueryConfig = { text, values: [hotelId, ...params], types: PLAIN_TYPES };
        return (await reads.run(() => pool.query(query))).rows as T[];
      },
      async prepared<T>(name: string, text: string, ...params: unknown[]) {
        checkSql(text);
        const query: pg.QueryConfig = { name, text, values: [hotelId, ...params], types: PLAIN_TYPES };
        return (await reads.run(() => pool.query(query))).rows as T[];
      },
      batches<T>({ text, values }: HotelQuery, part?: { skip: number; take: number }) {
        checkSql(text);
        return inSlot(cursors, () => readBatches<T>(pool, { text, values: [hotelId, ...values] }, part));
      },
      copied({ text, values }: HotelQuery) {
        checkSql(text);
        return inSlot(cursors, () => copyRows(pool, { text, values: [hotelId, ...values] }));
      },
    },
    transaction: (work) =>
      writes.run(() =>
        withTransactionConnection((connection) =>
          client.$transaction((tx) => {
            const sql: HotelSql = {
              rows<T>(text: string, ...params: unknown[]) {
                checkSql(text);
                return tx.$queryRawUnsafe<T[]>(text, hotelId, ...params);
              },
              async prepared<T>(name: string, text: string, ...params: unknown[]) {
                checkSql(text);
                const query: pg.QueryConfig = { name, text, values: [hotelId, ...params], types: PLAIN_TYPES };
                return (await connection().query(query)).rows as T[];
              },
            };
            return work(tx, sql);
          }),
        ),
      ),
  };
}

async function* inSlot<T>(slots: Slots, read: () => AsyncIterable<T>): AsyncGenerator<T> {
  const release = await slots.take();
  try {
    yield* read();
  } finally {
    release();
  }
}

export { Prisma };
