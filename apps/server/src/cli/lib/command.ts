import { join, resolve } from "node:path";
import { stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import { DomainError, fieldMessages } from "@innkey/shared/errors";
import { newPassword } from "@innkey/shared/schemas/fields";
import pg from "pg";
import { connectDatabase, type Database } from "../../adapters/postgres/client.ts";
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded-postgres.ts";
import { prepareDatabase } from "../../adapters/postgres/prepare.ts";
import { type Config, loadConfig } from "../../config.ts";
import { BackupRuns } from "../../domain/compliance/backups/make-backup.ts";
import { systemClock } from "../../kernel/clock.ts";
import { type ScopeFactory, scopeFactory, secretsOf } from "../../kernel/scope.ts";
import { translator } from "../../kernel/translate.ts";

export interface LocatedDatabase {
  /** URL with the server's role */
  serverUrl: string;
  /** URL with the owner's role; the same if there is only one role */
  url: string;
  /** Stops the embedded PostgreSQL if it was started for this command. */
  close(): Promise<void>;
}

/**
 * Returns the database's URLs without connecting. Starts the embedded PostgreSQL if none is configured and it doesn't
 * run. `share`: use the one of a running server instead of refusing.
 */
export async function locateDatabase(config: Config, { share }: { share: boolean }): Promise<LocatedDatabase> {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl: serverUrl, databaseMigrationUrl: url = serverUrl } = config;
    return { serverUrl, url, close: async () => undefined };
  }
  const log = { info: () => undefined, warn: console.warn };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, share });
  return { serverUrl: postgres.serverUrl, url: postgres.url, close: () => postgres.stop() };
}

/** Provides the records of backups; null if the database's version has none. */
export async function withBackupRuns<T>(url: string, use: (runs: BackupRuns | null) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: "innkey backup" });
  pool.on("error", () => undefined); // The query that needs the connection throws this error
  try {
    const { rows } = await pool.query<{ exists: boolean }>(
      "SELECT to_regclass('public.backup_run') IS NOT NULL AS exists",
    );
    return await use(rows[0]?.exists ? new BackupRuns({ pool }) : null);
  } finally {
    await pool.end();
  }
}

/** Runs an operator's command and ends the process with its result, or with 1 and the error message. */
export async function endWith(work: () => Promise<number>): Promise<never> {
  let code = 1;
  try {
    code = await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  process.exit(code);
}

/** Dependencies of an operator's command. */
interface CommandDeps {
  config: Config;
  database: Database;
  openScope: ScopeFactory;
}

const POOL_SIZE = 4;

/**
 * Runs a command of the server's operator, with or without a running server. `root` is the repository. Ends the
 * process with the result of `work`, or with 1 and the error message.
 */
export async function runCommand(root: string, work: (deps: CommandDeps) => Promise<number>): Promise<never> {
  const closing: (() => Promise<unknown>)[] = [];
  let code = 1;
  try {
    const config = loadConfig(process.env, []);
    const { serverUrl, url, close } = await locateDatabase(config, { share: true });
    closing.push(close);
    await prepareDatabase({
      databaseUrl: serverUrl,
      migrationUrl: url === serverUrl ? undefined : url,
      prismaDir: join(resolve(root), "prisma"),
      withQueue: config.redisUrl === undefined,
    });
    const database = connectDatabase(serverUrl, POOL_SIZE, (error) => console.error(error.message), null);
    closing.push(() => database.close());
    const secrets = secretsOf(config.secretKey, config.previousSecretKeys);
    code = await work({ config, database, openScope: scopeFactory({ database, clock: systemClock, secrets }) });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  for (const close of closing.reverse()) await close();
  process.exit(code);
}

/** Reads a password from one line of standard input. @throws invalid_input if the password isn't allowed */
export async function readPassword(): Promise<string> {
  if (stdin.isTTY) process.stdout.write("Password (more than 6 characters): ");
  const lines = createInterface({ input: stdin, terminal: false });
  for await (const line of lines) {
    lines.close();
    const password = newPassword.safeParse(line);
    if (!password.success) throw new DomainError("invalid_input", {}, fieldMessages(password.error.issues));
    return password.data;
  }
  throw new Error("no password");
}

/** Returns the reason of a refusal in English. */
export function reasonOf({ code, fields = {} }: DomainError): string {
  const translate = translator("en");
  const reasons = Object.values(fields).map(({ key, params }) => translate(key, params));
  return reasons.join("\n") || code;
}
