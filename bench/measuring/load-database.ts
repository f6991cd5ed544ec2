import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { migrate } from "../../apps/server/src/adapters/postgres/migrate.ts";
import { seedLoadHotel } from "../../prisma/seed/load.ts";
import { OWNER } from "./owner.ts";

export interface LoadHotel {
  url: string;
  dataDir: string;
  hotelId: number;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Runs `measure` on a temporary PostgreSQL with a hotel of 500 rooms, to which `fill` may add data. */
export async function withLoadHotel(
  fill: (database: Database, hotelId: number) => Promise<void>,
  measure: (hotel: LoadHotel) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: console.warn } });
  try {
    await migrate(postgres.url, path("../../prisma/migrations"));
    const database = connectDatabase(postgres.url, 2, () => undefined, null);
    const clock = { now: () => new Date() };
    const hotelId = await seedLoadHotel({ database, clock, rooms: 500, stays: 350, owner: OWNER });
    await fill(database, hotelId);
    await database.pool.query("VACUUM ANALYZE");
    await database.close();
    await measure({ url: postgres.url, dataDir, hotelId });
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export const machine = (): string =>
  `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
