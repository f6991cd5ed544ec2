import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "@innkey/shared/errors";
import type { Config } from "./config.ts";
import type { Clock } from "./core/clock.ts";
import type { Secrets } from "./core/scope.ts";
import { translator } from "./core/translate.ts";
import type { Database } from "./infra/database/client.ts";
import type { Setup } from "./modules/auth/setup.ts";
import { requireUnguessable } from "./modules/auth/weak-passwords.ts";

const DEMO_ACCOUNTS = [
  ["owner", "13800000001"],
  ["administrator", "13800000002"],
  ["staff", "13800000003"],
] as const;

const passwordFile = ({ dataDir }: Config): string => join(dataDir, "demo-password");

/** @throws Error for a password that is guessed first: the demo is a door like any other */
async function requireStrong(password: string): Promise<void> {
  try {
    await requireUnguessable(password, DEMO_ACCOUNTS.flat());
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const reasons = Object.values(error.fields ?? {}).map(({ key, params }) => translator("en")(key, params));
    throw new Error(`DEMO_PASSWORD: ${reasons.join(" ")}`);
  }
}

/** Fills an empty database with the demo hotel, unless it is to stay empty. Its password is kept with the data. */
export async function seedDemoOnFirstStart(deps: {
  config: Config;
  database: Database;
  secrets: Secrets;
  clock: Clock;
  say: (line: string) => void;
}): Promise<void> {
  const { config, database, say } = deps;
  if (config.empty || (await database.prisma.hotel.count()) > 0) return;
  if (config.demoPassword !== undefined) await requireStrong(config.demoPassword);
  say("Creating the demo hotel …");
  const { seedDemo } = await import("../../../prisma/seed/demo.ts");
  const password = config.demoPassword ?? randomBytes(6).toString("base64url");
  // Kept first: a process that ends in between must not leave a hotel that nobody can enter.
  writeFileSync(passwordFile(config), `${password}\n`, { mode: 0o600 });
  await seedDemo({ ...deps, password, log: say });
}

/** What to tell the person at the terminal about getting in. */
export async function demoLogins(config: Config, setup: Setup): Promise<string[]> {
  if (await setup.needed()) return ["There is no hotel yet: open the address to create it."];
  if (!existsSync(passwordFile(config))) return [];
  const password = readFileSync(passwordFile(config), "utf8").trim();
  return [
    "Demo logins:",
    ...DEMO_ACCOUNTS.map(([role, account]) => `  ${account}  ${role}`),
    `  password  ${password}`,
  ];
}
