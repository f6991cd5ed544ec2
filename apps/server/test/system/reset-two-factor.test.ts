import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "../harness/browser.ts";
import type { TestOperator } from "../harness/people.ts";
import { createTestServer, TEST_PASSWORD, type TestServer } from "../harness/server.ts";
import { firstStep, someFactors, withApp } from "../harness/two-step.ts";

/** The built command, run beside a running server. */
const COMMAND = fileURLToPath(new URL("../../dist/cli/reset-two-factor.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "innkey-reset-"));

let server: TestServer;
let owner: TestOperator;
let desk: Browser;
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createOperator(await server.createHotel(), { role: "owner" });
  desk = await server.loginAs(owner);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface CommandResult {
  code: number;
  out: string;
}

async function command(...words: string[]): Promise<CommandResult> {
  const env = {
    ...{ PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: server.url },
    SECRET_KEY: Buffer.from(server.rootKey).toString("hex"),
  };
  return promisify(execFile)(process.execPath, [COMMAND, ...words], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, out: stdout + stderr }),
  );
}

it("removes every second factor of the named owner and of nobody else, and records it", async () => {
  const other = await server.createOperator(await server.createHotel(), { role: "owner" });
  await someFactors(server, other.id, randomUUID());
  await withApp(server, desk);
  await firstStep(server.visitor(), owner.account);

  const done = await command("--account", owner.account);
  expect(done, done.out).toEqual({
    code: 0,
    out: expect.stringContaining(`${owner.account} logs in with the password alone`),
  });
  const { next } = await server.visitor().api.auth.login.mutate({ account: owner.account, password: TEST_PASSWORD });
  expect(next).not.toBe("second_factor");
  await firstStep(server.visitor(), other.account);
  const entry = await server.database.prisma.auditEntry.findFirst({ where: { requestId: "reset-two-factor" } });
  expect(entry).toMatchObject({ hotelId: owner.hotelId, door: "system", entityId: String(owner.id) });
}, 60_000);

it("reports an account without a second factor, an unknown account and a missing one", async () => {
  expect(await command("--account", owner.account)).toEqual({
    ...{ code: 1, out: expect.stringContaining("logs in without a second factor") },
  });
  expect(await command("--account", "nobody@hotel.example")).toEqual({ code: 1, out: "Nobody has this account.\n" });
  expect(await command()).toEqual({ code: 2, out: expect.stringContaining("--account <account>") });
}, 60_000);
