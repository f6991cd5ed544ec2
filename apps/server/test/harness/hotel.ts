import { randomBytes } from "node:crypto";
import type { ApiScope } from "@innkey/shared/capabilities";
import type { Role } from "@innkey/shared/enums";
import type { PricesInput } from "@innkey/shared/schemas/property/rooms";
import { expect } from "vitest";
import { connectDatabase, type Database } from "../../src/adapters/postgres/client.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { hotelDatabases } from "../../src/kernel/hotel-database.ts";
import { type Actor, actorOf, keyActor, Scope, type Secrets, secretsOf } from "../../src/kernel/scope.ts";
import { createTestDatabase } from "./database.ts";

/** A clock that only moves when a test sets it. */
export class StoppedClock implements Clock {
  #now: Date;
  constructor(now: string) {
    this.#now = new Date(now);
  }
  now(): Date {
    return new Date(this.#now);
  }
  set(now: string): void {
    this.#now = new Date(now);
  }
  advance(milliseconds: number): void {
    this.#now = new Date(this.#now.getTime() + milliseconds);
  }
}

export interface TestWorld {
  database: Database;
  clock: StoppedClock;
  secrets: Secrets;
  createHotel(options?: { timeZone?: string; currency?: string }): Promise<TestHotel>;
  close(): Promise<void>;
}

/** A hotel with scopes, to call services directly. */
export interface TestHotel {
  id: number;
  createRoom(name: string, prices?: Partial<PricesInput> | null): Promise<number>;
  scope(role?: Role, options?: { capabilities?: string[]; roomIds?: number[]; apiKeyAuth?: boolean }): Promise<Scope>;
  /** Returns the scope of a program with an API key. */
  keyScope(scopes: ApiScope[]): Scope;
}

/** Waits until a statement in the world's database waits for a row lock. */
export async function untilBlocked({ database }: Pick<TestWorld, "database">): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query<{ waiting: number }>(
        "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0]?.waiting;
    })
    .toBeGreaterThan(0);
}

export const TEST_PRICES = { depositMinor: 20_000, usualMinor: 10_000, weekendMinor: 15_000 };

/** Creates an empty, migrated database with a stopped clock. */
export async function createTestWorld(now: string): Promise<TestWorld> {
  const { url, drop } = await createTestDatabase();
  const database = connectDatabase(url, 8, () => {});
  const views = hotelDatabases(database);
  const clock = new StoppedClock(now);
  const rootKey = randomBytes(32);
  const secrets = secretsOf(rootKey);
  let serial = 0;

  const createHotel = async ({ timeZone = "Europe/Berlin", currency = "EUR" } = {}): Promise<TestHotel> => {
    const hotel = await database.prisma.hotel.create({
      data: {
        name: `Hotel ${++serial}`,
        timeZone,
        currency,
        state: { create: { auditHash: Buffer.alloc(32) } },
      },
    });
    const scopeOf = (actor: Actor): Scope =>
      new Scope({
        actor,
        hotel: { ...hotel, id: hotel.id },
        database: views(hotel.id),
        language: "en",
        channel: "console",
        address: "127.0.0.1",
        requestId: `test-${serial}`,
        clock,
        secrets,
      });
    return {
      id: hotel.id,
      async createRoom(name, prices = {}) {
        const room = await database.prisma.room.create({ data: { hotelId: hotel.id, name } });
        if (prices) {
          const { dates = [], ...usual } = prices;
          await database.prisma.roomPrice.create({
            data: { hotelId: hotel.id, roomId: room.id, ...TEST_PRICES, ...usual },
          });
          await database.prisma.roomPriceDate.createMany({
            data: dates.map(({ date, priceMinor }) => ({
              hotelId: hotel.id,
              roomId: room.id,
              date: new Date(date),
              priceMinor,
            })),
          });
        }
        return room.id;
      },
      async scope(role = "owner", { capabilities = [], roomIds = [], apiKeyAuth = false } = {}) {
        const operator = await database.prisma.operator.create({
          data: { name: `${role} ${++serial}`, email: `operator${serial}@example.test`, passwordHash: "-" },
        });
        const actor = actorOf({
          operatorId: operator.id,
          name: operator.name,
          role,
          capabilities,
          roomIds,
          apiKeyAuth,
        });
        return scopeOf(actor);
      },
      keyScope: (scopes) => scopeOf(keyActor({ id: 1, name: "Booking engine", scopes })),
    };
  };
  return {
    database,
    clock,
    secrets,
    createHotel,
    async close() {
      await database.close();
      await drop();
    },
  };
}
