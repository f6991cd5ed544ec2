import { join, resolve } from "node:path";
import { connectDatabase, type Database } from "../../adapters/postgres/client.ts";
import { prepareDatabase } from "../../adapters/postgres/prepare.ts";
import { type Config, loadConfig } from "../../config.ts";
import { systemClock } from "../../kernel/clock.ts";
import { secretsOf } from "../../kernel/scope.ts";
import { type ScopeFactory, scopeFactory } from "../../kernel/system-scope.ts";
import { openOwnerDatabase } from "./owner-database.ts";

/** What an operator's command works with. */
export interface CommandSetting {
  config: Config;
  database: Database;
  openScope: ScopeFactory;
}

const POOL = 4;

/**
 * Runs a command of the server's operator, with or without a running server. `root` is the repository. Ends the
 * process with the result of `work`, or with 1 and the error message.
 */
export async function runCommand(root: string, work: (setting: CommandSetting) => Promise<number>): Promise<never> {
  const closing: (() => Promise<unknown>)[] = [];
  let code = 1;
  try {
    const config = loadConfig(process.env, []);
    const { serverUrl, url, close } = await openOwnerDatabase(config, { share: true });
    closing.push(close);
    await prepareDatabase({
      databaseUrl: serverUrl,
      migrationUrl: url === serverUrl ? undefined : url,
      prismaDir: join(resolve(root), "prisma"),
      withQueue: config.redisUrl === undefined,
    });
    const database = connectDatabase(serverUrl, POOL, (error) => console.error(error.message), null);
    closing.push(() => database.close());
    const secrets = secretsOf(config.secretKey, config.previousSecretKeys);
    code = await work({ config, database, openScope: scopeFactory({ database, clock: systemClock, secrets }) });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  for (const close of closing.reverse()) await close();
  process.exit(code);
}
