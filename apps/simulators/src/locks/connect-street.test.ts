import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LockRow } from "@innkey/shared/schemas/access/locks";
import type { Me } from "@innkey/shared/schemas/identity/auth";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bodyOf } from "../service.ts";
import { testBroker } from "./broker-under-test.ts";
import { type ConnectOptions, connectStreet } from "./connect-street.ts";
import type { Street } from "./street.ts";

const PASSWORD = "brass-key";
const HOTEL: Me["hotel"] = {
  id: 1,
  name: "Haus am See",
  timeZone: "Europe/Berlin",
  currency: "EUR",
  language: "de",
  hourFormat: "language",
  checkInTime: "15:00",
  checkOutTime: "11:00",
  dayStartTime: "06:00",
  weekendNights: [5, 6],
};
const ME: Me = {
  operatorId: 1,
  name: "Installer",
  mobile: null,
  email: null,
  avatarUrl: null,
  startPage: "customers",
  registeredAt: "2026-01-01T00:00:00.000Z",
  role: "owner",
  apiKeyAuth: false,
  capabilities: [],
  hotel: HOTEL,
  hotels: [HOTEL],
  gettingReady: false,
};

function row(id: number, more: Partial<LockRow> = {}): LockRow {
  return {
    id,
    mac: `D4:3A:2C:00:00:0${id}`,
    bluetoothName: "",
    driver: "mqtt",
    address: "",
    doorId: null,
    roomId: id,
    roomName: `10${id}`,
    power: null,
    online: false,
    firmware: "",
    lastSeenAt: null,
    driftSeconds: null,
    configuredAt: null,
    breakerOpenedAt: null,
    blockedOutAt: null,
    lastError: null,
    waiting: 0,
    weeksLeft: null,
    ...more,
  };
}

let hub: Awaited<ReturnType<typeof testBroker>>;
let console: Server;
let rows: LockRow[];
let connected: number[];
let dataDir: string;
let order: ConnectOptions;
let street: Street | undefined;

/** A fake console with the few calls that an installer makes; its answers follow the console's schemas. */
beforeEach(async () => {
  hub = await testBroker();
  rows = [row(1), row(2), row(3, { driver: "ttlock" }), row(4, { configuredAt: "2026-01-01T00:00:00.000Z" })];
  connected = [];
  console = createServer(async (request, response) => {
    const answer = (data: unknown, status = 200): void => {
      response.writeHead(status, { "set-cookie": "smart_lock_userinfo=token; Path=/; HttpOnly" });
      response.end(JSON.stringify(status === 200 ? { result: { data } } : { error: { message: data } }));
    };
    const input = Object(await bodyOf(request));
    const isSignedIn = request.headers.cookie === "smart_lock_userinfo=token" && request.headers["x-innkey"] === "1";
    if (request.url === "/api/trpc/auth.login")
      return input.password === PASSWORD ? answer(ME) : answer("wrong password", 401);
    if (!isSignedIn) return answer("log in first", 401);
    if (request.method === "GET" && request.url === "/api/trpc/locks.list") return answer(rows);
    if (request.url !== "/api/trpc/locks.connect") return answer("no such call", 404);
    connected.push(input.lockId);
    const mac = rows.find(({ id }) => id === input.lockId)?.mac ?? "";
    const { url, user, password, pairingSecret } = hub.access(mac, `key-${connected.length}`);
    answer({ lockId: input.lockId, url, user, password, pairingSecret, topic: `lockd/${user}` });
  });
  await new Promise<void>((resolve) => console.listen(0, "127.0.0.1", resolve));
  dataDir = await mkdtemp(join(tmpdir(), "street-"));
  await writeFile(join(dataDir, "demo-password"), `${PASSWORD}\n`);
  const server = `http://127.0.0.1:${(console.address() as AddressInfo).port}`;
  order = { locks: 10, server, dataDir, account: "13800000001", password: undefined, traffic: "off" };
});
afterEach(async () => {
  await street?.stop();
  street = undefined;
  await hub.close();
  await new Promise((resolve) => console.close(resolve));
  await rm(dataDir, { recursive: true });
});

async function wake(more: Partial<ConnectOptions> = {}): Promise<string[]> {
  ({ street } = await connectStreet({ ...order, ...more }));
  await street.awake(10_000);
  return street.doors.map(({ name, online }) => `${name} ${online}`);
}

it("connects only the locks that are not set up yet", async () => {
  expect(await wake()).toEqual(["101 true", "102 true"]);
  expect(connected).toEqual([1, 2]);
});

it("connects the requested number of locks", async () => {
  expect(await wake({ locks: 1 })).toEqual(["101 true"]);
});

it("reconnects with its old password and asks for a new one only if that is refused", async () => {
  await wake();
  await street?.stop();
  rows = rows.map((lock) => ({ ...lock, configuredAt: "2026-01-01T00:00:00.000Z" }));
  expect(await wake()).toEqual(["101 true", "102 true"]);
  expect(connected).toEqual([1, 2]);
  await street?.stop();
  hub.access("D4:3A:2C:00:00:02", "another");
  expect(await wake()).toEqual(["101 true", "102 true"]);
  expect(connected).toEqual([1, 2, 2]);
});

it("describes an error in words", async () => {
  await expect(connectStreet({ ...order, password: "guess" })).rejects.toThrow("The console refused: wrong password");
  await expect(connectStreet({ ...order, dataDir: join(dataDir, "none") })).rejects.toThrow("demo-password");
  await expect(connectStreet({ ...order, server: "http://127.0.0.1:9" })).rejects.toThrow("does not answer");
  await writeFile(join(dataDir, "simulated-locks.json"), "{");
  await expect(connectStreet(order)).rejects.toThrow("can't be read");
});
