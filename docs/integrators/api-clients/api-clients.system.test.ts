import { execFile, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { generateApi } from "swagger-typescript-api";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Desk } from "../../../apps/server/test/clients/desk.ts";
import { type Receiver, startReceiver } from "../../../apps/server/test/clients/receiver.ts";
import { openHotel } from "../../../apps/server/test/processes/cluster.ts";
import { type Street, startStreet } from "../../../apps/simulators/src/locks/street.ts";
import { launchServer, type Server } from "../../../e2e/support/server.ts";

/** Each client works at the built server, and a simulated lock at the door of the room that it books. */
const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const MAC = "D4:3A:00:00:00:01";
const START_MS = 120_000;
const LOCK_MS = 30_000;

let server: Server;
let owner: Desk;
let street: Street;
let receiver: Receiver;
let environment: NodeJS.ProcessEnv;
let folder: string;
let roomId: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "innkey-api-client-"));
  server = await launchServer({ args: ["--empty"], env: { WEBHOOK_ALLOW_LOCAL: "true" } });
  owner = await openHotel(server);
  const room = { name: "101", groupId: null, lock: { mac: MAC } };
  ({ roomId } = await owner.call<{ roomId: number }>(server, "rooms.save", room));
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
  await owner.call(server, "rooms.setPrices", { roomIds: [roomId], prices });
  await connectLock();
  receiver = await startReceiver();
  await owner.call(server, "integrations.saveWebhook", {
    ...{ name: "Test", url: receiver.url, events: ["unlock.opened"] },
  });
  const scopes = ["rooms.view", "stays.view", "stays.manage", "passcodes.view", "passcodes.issue", "unlocks.view"];
  const { token } = await owner.call<{ token: string }>(server, "integrations.createKey", {
    ...{ name: "Client", scopes, expiresAt: null },
  });
  environment = { ...process.env, INNKEY_URL: server.url, INNKEY_KEY: token };
}, START_MS);
afterAll(async () => {
  await street?.stop();
  await receiver?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

async function connectLock(): Promise<void> {
  const findLock = async () =>
    (await owner.ask<{ id: number; mac: string; configuredAt: string | null }[]>(server, "locks.list"))[0];
  const access = await owner.call<{ url: string; user: string; password: string; pairingSecret: string }>(
    ...([server, "locks.connect", { lockId: (await findLock())?.id }] as const),
  );
  const url = `mqtt://127.0.0.1:${new URL(access.url).port}`;
  street = startStreet({ locks: [{ ...access, url, hotelId: Number(access.user.split("/")[0]), mac: MAC }] });
  await street.awake(LOCK_MS);
  await vi.waitFor(async () => expect((await findLock())?.configuredAt).toEqual(expect.any(String)), LOCK_MS);
}

/** Runs a client; as soon as it prints the code, somebody enters it at the door. Returns what it printed. */
async function runClient(command: string, args: readonly string[]): Promise<string[]> {
  const child = spawn(command, args, { cwd: root, env: environment });
  let printed = "";
  let errors = "";
  let hasEntered = false;
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    const [, code] = /^code (\d{6})$/m.exec(printed) ?? [];
    if (code === undefined || hasEntered) return;
    hasEntered = true;
    expect(street.door(MAC)?.lock.enterCode(code)).toMatchObject({ opened: true });
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  expect([status, errors]).toEqual([0, ""]);
  return printed.trimEnd().split("\n");
}

/** Checks what the client printed and that the hotel's webhook heard of the opening, and frees the room. */
async function expectStay(lines: readonly string[]): Promise<void> {
  expect(lines).toEqual([
    "room 101",
    expect.stringMatching(/^stay \d+$/),
    expect.stringMatching(/^code \d{6}$/),
    "opened by Ada Lovelace",
  ]);
  const stayId = Number(lines[1]?.slice("stay ".length));
  const events = () => receiver.received.map(({ body }): unknown => JSON.parse(body));
  await expect.poll(events, { timeout: LOCK_MS }).toContainEqual({
    ...{ type: "unlock.opened", timestamp: expect.any(String) },
    data: expect.objectContaining({ stayId, roomName: "101", guestName: "Ada Lovelace" }),
  });
  await owner.call(server, "stays.checkOut", { stayId, channel: "cash" });
  await owner.call(server, "rooms.setStatus", { roomIds: [roomId], status: "vacant" });
}

it("a client that a public generator makes from the OpenAPI document compiles, books, issues a code and hears the door", async () => {
  const input = join(folder, "openapi.json");
  writeFileSync(input, await (await fetch(`${server.url}/api/v1/openapi.json`)).text());
  await generateApi({ input, output: folder, fileName: "innkey.ts", silent: true, addReadonly: false });
  const innkey = join(folder, "innkey.ts");
  // The generator switches the check off for projects with other settings; here it is on.
  writeFileSync(innkey, readFileSync(innkey, "utf8").replace("// @ts-nocheck", ""));
  copyFileSync(join(import.meta.dirname, "typescript/client.ts"), join(folder, "client.ts"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const strict = [
    "--strict",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--skipLibCheck",
    "--allowImportingTsExtensions",
  ];
  const target = ["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--types", "node"];
  const { stdout } = await run(join(root, "node_modules/.bin/tsc"), [...strict, ...target, "client.ts"], {
    cwd: folder,
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect(stdout).toBe("");
  await expectStay(await runClient(process.execPath, ["--import", "tsx", join(folder, "client.ts")]));
});

it.each([
  ["Python", "python3", "python/client.py"],
  ["shell", "sh", "shell/client.sh"],
])("the %s client books, issues a code and hears the door", async (_language, command, path) => {
  await expectStay(await runClient(command, [join(import.meta.dirname, path)]));
});
