import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./adapters/postgres/client.ts";
import { loadConfig } from "./config.ts";
import { demoLogins, seedDemoOnFirstStart } from "./first-start.ts";

/** Tests the demo's password before its hotel is created; prisma/seed/demo.db.test.ts tests the hotel itself. */
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkey-first-start-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A database with a number of hotels. */
const database = (hotels: number) => ({ prisma: { hotel: { count: async () => hotels } } }) as unknown as Database;

const configWith = (password?: string) =>
  loadConfig({ DATA_DIR: directory, ...(password === undefined ? {} : { DEMO_PASSWORD: password }) }, []);

async function start(password: string | undefined, hotels = 0): Promise<string | null> {
  const config = configWith(password);
  const deps = { config, database: database(hotels), say: () => undefined, createDemo: async () => undefined };
  const failed = await seedDemoOnFirstStart(deps).then(
    () => null,
    (error: unknown) => String(error),
  );
  return failed?.includes("DEMO_PASSWORD") ? failed : null;
}

const storedPassword = (): string => readFileSync(join(directory, "demo-password"), "utf8").split("\n")[0] ?? "";

const WEAK = ["password1", "12341234", "Innkey-2026", "13800000001", "administrator"];

it.each(WEAK)("a weak demo password stops the start before anything is created: %s", async (password) => {
  expect(await start(password)).toMatch(/^Error: DEMO_PASSWORD: [A-Z].{20}/);
  expect(existsSync(join(directory, "demo-password"))).toBe(false);
});

it.each(["brass-key-at-night", "brass-key"])("any other password becomes the demo's: %s", async (password) => {
  expect(await start(password)).toBeNull();
  expect(storedPassword()).toBe(password);
});

it("where there is a hotel the password is not used, so any is accepted", async () => {
  expect(await start("password1", 1)).toBeNull();
  expect(existsSync(join(directory, "demo-password"))).toBe(false);
});

describe("the terminal", () => {
  const shown = async (password?: string): Promise<string> =>
    (await demoLogins(configWith(password), { isNeeded: async () => false })).join("\n");

  it("does not show a password that the operator chose, even at a start without the setting", async () => {
    await start("brass-key-at-night");
    expect(await shown("brass-key-at-night")).toContain("13800000001");
    expect(await shown("brass-key-at-night")).not.toContain("brass-key-at-night");
    expect(await shown()).not.toContain("brass-key-at-night");
  });

  it("shows a generated password", async () => {
    await start(undefined);
    expect(storedPassword()).toHaveLength(8);
    expect(await shown()).toContain(`password  ${storedPassword()}`);
  });

  it("says how the demo's locks are set up", async () => {
    await start(undefined);
    expect(await shown()).toContain("npm run simulators -- --locks 60");
  });
});
