import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "@innkey/shared/errors";
import type { Database } from "./adapters/postgres/client.ts";
import type { Config } from "./config.ts";
import { requireUnguessable } from "./domain/identity/login/passwords.ts";
import type { Setup } from "./domain/identity/login/setup.ts";
import { translator } from "./kernel/translate.ts";

const DEMO_ACCOUNTS = [
  ["owner", "13800000001"],
  ["administrator", "13800000002"],
  ["staff", "13800000003"],
] as const;

/** The second line of the password's file, if the password is not ours. */
const CHOSEN = "set in DEMO_PASSWORD";

const passwordFile = ({ dataDir }: Config): string => join(dataDir, "demo-password");

/** @throws Error if the password is easily guessed, because the demo is reachable like any hotel */
async function requireStrong(password: string): Promise<void> {
  try {
    await requireUnguessable(password, DEMO_ACCOUNTS.flat());
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const reasons = Object.values(error.fields ?? {}).map(({ key, params }) => translator("en")(key, params));
    throw new Error(`DEMO_PASSWORD: ${reasons.join(" ")}`);
  }
}

/**
 * Creates the demo hotel in an empty database, unless the demo is off. Its password is stored in the data directory.
 */
export async function seedDemoOnFirstStart(deps: {
  config: Config;
  database: Database;
  say: (line: string) => void;
  createDemo: (password: string) => Promise<unknown>;
}): Promise<void> {
  const { config, database, say, createDemo } = deps;
  if (config.empty || (await database.prisma.hotel.count()) > 0) return;
  if (config.demoPassword !== undefined) await requireStrong(config.demoPassword);
  say("Creating the demo hotel …");
  const password = config.demoPassword ?? randomBytes(6).toString("base64url");
  // We store the password first, so that a crash can't leave a hotel whose password no one knows.
  const lines = config.demoPassword === undefined ? [password] : [password, CHOSEN];
  writeFileSync(passwordFile(config), `${lines.join("\n")}\n`, { mode: 0o600 });
  await createDemo(password);
}

/**
 * Returns lines for the terminal that explain how to log in. They leave out a password that somebody chose, because
 * terminals are recorded.
 */
export async function demoLogins(config: Config, setup: Pick<Setup, "isNeeded">): Promise<string[]> {
  if (await setup.isNeeded()) return ["There is no hotel yet: open the address to create it."];
  if (!existsSync(passwordFile(config))) return [];
  const [password, origin] = readFileSync(passwordFile(config), "utf8").split("\n");
  const isChosen = origin === CHOSEN || config.demoPassword !== undefined;
  return [
    "Demo logins:",
    ...DEMO_ACCOUNTS.map(([role, account]) => `  ${account}  ${role}`),
    `  password  ${isChosen ? "as set in DEMO_PASSWORD" : password}`,
    "Its locks are set up by: npm run simulators -- --locks 60",
  ];
}
