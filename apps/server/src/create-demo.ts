import pg from "pg";
import { seedDemo } from "../../../prisma/seed/demo.ts";
import { systemClock } from "./kernel/clock.ts";
import { secretsOf } from "./kernel/scope.ts";

/** Writes the demo hotel into an empty database. */
export async function createDemo(
  { databaseUrl, secretKey, password }: { databaseUrl: string; secretKey: Uint8Array; password: string },
  say: (line: string) => void,
): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: "innkey" });
  pool.on("error", () => {}); // the statement reports it; without a listener it would throw
  const secrets = secretsOf(Buffer.from(secretKey));
  await seedDemo({ database: { pool }, secrets, clock: systemClock, password, log: say });
  await pool.end();
}
