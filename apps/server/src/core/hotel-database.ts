import type pg from "pg";
import { type Database, PLAIN_TYPES } from "../infra/database/client.ts";
import { Prisma, type PrismaClient } from "../infra/database/generated/client.ts";
import { copyRows, readBatches } from "../infra/database/long-reads.ts";

/**
 * The database as one hotel sees it. Prisma calls get the hotel added to every where and every row; plain SQL must say
 * `$1` for the hotel and gets its id there. A module can't forget the hotel, because nothing else is within its reach.
 */
const GLOBAL_MODELS: ReadonlySet<string> = new Set([
  "Operator",
  "Captcha",
  "RecoveryCode",
  "RateLimit",
  "Session",
  "RequestOnce",
  "ProcessHeartbeat",
  "AuditCheck",
  "AuditHead",
  "OperatorTotp",
  "OperatorPasskey",
  "SecondFactorCode",
  "LoginChallenge",
  "KnownDevice",
]);
/** their hotel is their own id */
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
  if (operation === "upsert") throw new Error("upsert is not scoped: say create or update");
  return { ...args, where: { ...args.where, [column]: hotelId } };
}

function extended(prisma: PrismaClient, hotelId: number) {
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

type Extended = ReturnType<typeof extended>;
type ExtendedTransaction = Parameters<Parameters<Extended["$transaction"]>[0]>[0];
type RawAccess = "$queryRaw" | "$queryRawUnsafe" | "$executeRaw" | "$executeRawUnsafe" | "$extends";

/** Prisma for reads of one hotel. */
export type HotelReads = Omit<Extended, RawAccess | "$transaction" | "$connect" | "$disconnect">;
/** Prisma inside a write of one hotel. */
export type HotelWrites = Omit<ExtendedTransaction, RawAccess>;

/** Plain SQL for one hotel: `$1` is the hotel's id, further parameters follow from `$2`. */
export interface HotelSql {
  rows<T>(text: string, ...params: unknown[]): Promise<T[]>;
}

/** A statement for one hotel with its parameters from `$2` on. */
export interface HotelQuery {
  text: string;
  values: unknown[];
}

/** Which page of a list; pages begin at 1. */
export interface Paging {
  page: number;
  pageSize: number;
}

/** LIMIT and OFFSET of a page; without one, of everything. */
export const limits = (page: Paging | undefined): [limit: number | null, offset: number] =>
  page ? [page.pageSize, (page.page - 1) * page.pageSize] : [null, 0];

/** Plain SQL outside a write. */
export interface HotelReadSql extends HotelSql {
  /** As `rows`, planned once for each connection: for what is read all the time. One `name` always has one text. */
  prepared<T>(name: string, text: string, ...params: unknown[]): Promise<T[]>;
  /**
   * Rows of one snapshot, a batch at a time, in constant memory. Holds a connection until the last batch is taken or the
   * loop is left.
   */
  batches<T>(query: HotelQuery, part?: { skip: number; take: number }): AsyncGenerator<T[]>;
  /** The rows as PostgreSQL's own CSV, without headings: for files of millions of rows. Holds a connection as `batches`. */
  copied(query: HotelQuery): AsyncGenerator<Buffer>;
}

export interface HotelDatabase {
  hotelId: number;
  reads: HotelReads;
  sql: HotelReadSql;
  transaction<T>(work: (writes: HotelWrites, sql: HotelSql) => Promise<T>): Promise<T>;
}

function checkSql(text: string): void {
  if (!text.includes("$1")) throw new Error("SQL of a hotel must name the hotel as $1");
}

/** One view per hotel and process; extending a client is too dear to do for each request. */
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
  const client = extended(prisma, hotelId);
  return {
    hotelId,
    reads: client,
    sql: {
      async rows<T>(text: string, ...params: unknown[]) {
        checkSql(text);
        const query: pg.QueryConfig = { text, values: [hotelId, ...params], types: PLAIN_TYPES };
        return (await pool.query(query)).rows as T[];
      },
      async prepared<T>(name: string, text: string, ...params: unknown[]) {
        checkSql(text);
        const query: pg.QueryConfig = { name, text, values: [hotelId, ...params], types: PLAIN_TYPES };
        return (await pool.query(query)).rows as T[];
      },
      batches<T>({ text, values }: HotelQuery, part?: { skip: number; take: number }) {
        checkSql(text);
        return readBatches<T>(pool, { text, values: [hotelId, ...values] }, part);
      },
      copied({ text, values }: HotelQuery) {
        checkSql(text);
        return copyRows(pool, { text, values: [hotelId, ...values] });
      },
    },
    transaction: (work) =>
      client.$transaction((tx) => {
        const sql: HotelSql = {
          rows<T>(text: string, ...params: unknown[]) {
            checkSql(text);
            return tx.$queryRawUnsafe<T[]>(text, hotelId, ...params);
          },
        };
        return work(tx, sql);
      }),
  };
}

export { Prisma };
