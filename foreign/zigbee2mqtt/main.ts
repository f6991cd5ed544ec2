import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OPENINGS, REFUSALS, usersOfMake } from "../../apps/server/src/drivers/zigbee2mqtt/zigbee-words.ts";
import { launchServer } from "../../e2e/support/server.ts";

// npm run zigbee2mqtt-test: tests the console with the real zigbee2mqtt, with virtual locks in place of its radio
// (run.cjs).
const here = fileURLToPath(new URL(".", import.meta.url));
const packages = fileURLToPath(new URL("../../.tmp/zigbee2mqtt", import.meta.url));
const SOON_MS = 40_000;
/** The owner of the demo hotel. */
const OWNER = "13800000001";

interface Facts {
  name: string;
  ieee: string;
  address: number;
  endpoint: number;
  maker: string;
  model: string;
  tellsOfProgramming?: boolean;
  stateFirst?: boolean;
}

const makes: Omit<Facts, "ieee" | "address">[] = [
  { name: "Yale", endpoint: 1, maker: "Yale", model: "YRD256 TSDB" },
  { name: "Danalock", endpoint: 1, maker: "Danalock", model: "V3-BTZB", stateFirst: true },
  { name: "Schlage", endpoint: 1, maker: "Schlage", model: "BE468", tellsOfProgramming: false },
  { name: "ID Lock", endpoint: 1, maker: "DatekID", model: "ID Lock 150", stateFirst: true },
  { name: "Nimly", endpoint: 11, maker: "Onesti Products AS", model: "NimlyPRO" },
  { name: "Wyze", endpoint: 1, maker: "Yunding", model: "Ford" },
];
const locks: Facts[] = makes.map((one, at) => ({ ...one, ieee: `0x00158d000000000${at + 1}`, address: 4_660 + at }));

let passed = 0;
const failures: string[] = [];
async function check(what: string, work: () => Promise<void> | void): Promise<void> {
  const since = Date.now();
  try {
    await work();
    passed += 1;
    say(`  passed  ${what} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures.push(what);
    say(`  FAILED  ${what}: ${error instanceof Error ? error.message : error}`);
  }
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until<T>(
  what: string,
  read: () => Promise<T>,
  isExpected: (value: T) => boolean,
  ms = SOON_MS,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await read();
    if (isExpected(value)) return value;
    if (Date.now() > end) throw new Error(`${what}, but it is ${JSON.stringify(value)}`);
    await pause(150);
  }
}

/**
 * Installs zigbee2mqtt from the package registry, exactly as locked in the lockfile beside this file and outside the
 * product's packages.
 */
async function installPackages(): Promise<void> {
  const lockfile = await readFile(join(here, "package-lock.json"), "utf8");
  const stamp = createHash("sha256").update(lockfile).digest("hex");
  if ((await readFile(join(packages, "stamp"), "utf8").catch(() => "")) === stamp) return;
  say("Installing zigbee2mqtt …");
  await mkdir(packages, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) await copyFile(join(here, file), join(packages, file));
  // Install scripts stay off because we need no serial port. The exception is `node`, whose script installs the Node
  // binary.
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  run("npm", ["rebuild", "node"]);
  await writeFile(join(packages, "stamp"), stamp);
}

function run(command: string, args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd: packages, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stderr}`);
}

/** Returns a device entry as herdsman stores it after the device has joined and was interviewed. */
function joined({ ieee, address, endpoint, maker, model }: Facts, at: number): object {
  const clusters = [0, 1, 257];
  return {
    id: at + 2,
    type: "EndDevice",
    ieeeAddr: ieee,
    nwkAddr: address,
    manufId: 4_448,
    manufName: maker,
    powerSource: "Battery",
    modelId: model,
    epList: [endpoint],
    endpoints: {
      [endpoint]: {
        profId: 260,
        epId: endpoint,
        devId: 10,
        inClusterList: clusters,
        outClusterList: [],
        clusters: {},
        binds: [],
        configuredReportings: [],
        meta: {},
      },
    },
    interviewCompleted: true,
    interviewState: "SUCCESSFUL",
    meta: {},
    lastSeen: Date.now(),
  };
}

const COORDINATOR = {
  id: 1,
  type: "Coordinator",
  ieeeAddr: "0x00124b0000000000",
  nwkAddr: 0,
  manufId: 0,
  epList: [1],
  endpoints: {
    1: { profId: 260, epId: 1, devId: 5, inClusterList: [], outClusterList: [], clusters: {}, binds: [], meta: {} },
  },
  interviewCompleted: true,
  interviewState: "SUCCESSFUL",
  meta: {},
};

/** Returns the configuration of docs/integrators/locks.md, with the settings that the fake radio needs. */
function configuration(link: { url: string; user: string; password: string }): string {
  return [
    "mqtt:",
    "  base_topic: zigbee2mqtt",
    `  server: ${link.url}`,
    `  user: ${link.user}`,
    `  password: ${link.password}`,
    "  version: 4",
    "availability:",
    "  enabled: true",
    "device_options:",
    '  filtered_cache: ["^users$"]',
    "serial:",
    "  port: /dev/null",
    "  adapter: zstack",
    "advanced:",
    "  log_level: info",
    "  log_output: [console]",
    "  network_key: [1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10, 12, 13]",
    "  pan_id: 6754",
    "  ext_pan_id: [221, 221, 221, 221, 221, 221, 221, 221]",
    "  channel: 11",
    "version: 5",
    "devices:",
    ...locks.flatMap(({ ieee, name }) => [`  '${ieee}':`, `    friendly_name: ${name}`]),
    "",
  ].join("\n");
}

interface AtLock {
  users: { user: number; status: number; code: string }[];
  received: Record<string, number>;
}

/** The running zigbee2mqtt, and the actions at its locks. */
class Zigbee {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: AtLock) => void>();
  readonly lines: string[] = [];
  #requests = 0;

  constructor(folder: string) {
    this.#child = spawn(join(packages, "node_modules/.bin/node"), [join(here, "run.cjs")], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        ZIGBEE2MQTT_DATA: folder,
        PACKAGES: packages,
        LOCKS: JSON.stringify(locks),
        // Otherwise zigbee2mqtt would take this Git repository for its own and rebuild itself.
        GIT_DIR: "/nowhere",
        Z2M_ONBOARD_NO_SERVER: "1",
        NO_COLOR: "1",
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.lines.push(...text.split("\n").filter(Boolean)));
    }
    this.#child.on("message", ({ answer, ...rest }: AtLock & { answer: number }) => this.#waiting.get(answer)?.(rest));
  }

  at(
    lock: string,
    act: "look" | "type" | "deafen" = "look",
    more: { code?: string; deaf?: boolean } = {},
  ): Promise<AtLock> {
    this.#requests += 1;
    const ask = this.#requests;
    this.#child.send({ ask, lock, act, ...more });
    return new Promise((resolve) => this.#waiting.set(ask, resolve));
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}

/** A session of the console, used as a browser does. */
class Console {
  readonly #url: string;
  #cookie = "";

  constructor(url: string) {
    this.#url = url;
  }

  async call<T>(kind: "query" | "mutation", procedure: string, input?: unknown): Promise<T> {
    const query = kind === "query" && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
    const response = await fetch(`${this.#url}/api/trpc/${procedure}${query}`, {
      method: kind === "query" ? "GET" : "POST",
      headers: { "x-innkey": "1", "content-type": "application/json", origin: this.#url, cookie: this.#cookie },
      ...(kind === "mutation" && { body: JSON.stringify(input) }),
    });
    const set = response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
    if (set.length > 0) this.#cookie = set.join("; ");
    const body = (await response.json()) as { result?: { data: T } };
    if (!body.result) throw new Error(`${procedure}: ${JSON.stringify(body)}`);
    return body.result.data;
  }
}

interface Created {
  passcodeId: number;
}
interface Passcode {
  id: number;
  credentials: { state: string; failReason: string }[];
}
interface Opening {
  style: string;
  success: boolean;
  operatorName: string | null;
  source: string;
}
interface LockRow {
  id: number;
  online: boolean;
}

async function main(): Promise<void> {
  await installPackages();
  const password = "brass-key-at-night";
  const server = await launchServer({ env: { DEMO_PASSWORD: password, LOG_LEVEL: "warn" } });
  const folder = await mkdtemp(join(tmpdir(), "innkey-zigbee2mqtt-"));
  let zigbee: Zigbee | undefined;
  try {
    const desk = new Console(server.url);
    await desk.call("mutation", "auth.login", { account: OWNER, password });
    const link = await desk.call<{ url: string; user: string; password: string }>("mutation", "locks.saveLink", {
      kind: "zigbee2mqtt",
      baseTopic: "zigbee2mqtt",
    });
    await writeFile(join(folder, "configuration.yaml"), configuration(link));
    const database = [COORDINATOR, ...locks.map(joined)].map((entry) => JSON.stringify(entry));
    await writeFile(join(folder, "database.db"), `${database.join("\n")}\n`);
    const running = new Zigbee(folder);
    zigbee = running;
    await until(
      "zigbee2mqtt starts",
      async () => running.lines.join("\n"),
      (all) => /Zigbee2MQTT started!/.test(all),
    );
    await tryLocks(desk, running);
    await tryWords();
  } catch (error) {
    failures.push("the whole");
    say(`  FAILED  ${error instanceof Error ? error.stack : error}`);
  } finally {
    if (failures.length > 0) say((zigbee?.lines ?? []).slice(-60).join("\n"));
    await zigbee?.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  say(`\n${passed} passed, ${failures.length} failed`);
  process.exit(failures.length > 0 ? 1 : 0);
}

async function tryLocks(desk: Console, zigbee: Zigbee): Promise<void> {
  const rooms = new Map<string, { roomId: number; lockId: number }>();
  for (const [at, { name }] of locks.entries()) {
    const { roomId } = await desk.call<{ roomId: number }>("mutation", "rooms.save", { name: `Z${at}`, groupId: null });
    const mac = `A4:C1:38:00:09:0${at}`;
    const lock = { mac, roomId, driver: "zigbee2mqtt", address: name };
    const { lockId } = await desk.call<{ lockId: number }>("mutation", "locks.save", lock);
    rooms.set(name, { roomId, lockId });
  }
  await check("locks registered while zigbee2mqtt runs are online at once", async () => {
    const ids = [...rooms.values()].map(({ lockId }) => lockId);
    const online = async (): Promise<number> => {
      const rows = await desk.call<LockRow[]>("query", "locks.list");
      return rows.filter((row) => row.online && ids.includes(row.id)).length;
    };
    await until("all are online", online, (count) => count === ids.length, 5_000);
  });
  await Promise.all(
    locks
      .filter(({ name }) => name !== "Wyze")
      .map(({ name }, at) => tryLock(desk, zigbee, name, rooms.get(name)?.roomId ?? 0, at)),
  );
  await check("Wyze: a code is unsupported at once", async () => {
    const id = await giveCode(desk, rooms.get("Wyze")?.roomId ?? 0, "735192");
    const [row] = await until(
      "it has failed",
      () => credentials(desk, rooms.get("Wyze")?.roomId ?? 0, id),
      ([one]) => one?.state === "failed",
      3_000,
    );
    if (row?.failReason !== "unsupported") throw new Error(`it says ${row?.failReason}`);
  });
}

async function giveCode(desk: Console, roomId: number, code: string, from = 0): Promise<number> {
  const period = {
    validFrom: new Date(Date.now() + from).toISOString(),
    validTo: new Date(Date.now() + 86_400_000).toISOString(),
  };
  const input = { type: "custom", roomIds: [roomId], person: "Ann", code, ...period };
  return (await desk.call<Created>("mutation", "passcodes.create", input)).passcodeId;
}

async function credentials(desk: Console, roomId: number, id: number): Promise<Passcode["credentials"]> {
  for (const state of ["live", "ended"]) {
    const { rows } = await desk.call<{ rows: Passcode[] }>("query", "passcodes.list", { roomId, state });
    const stored = rows.find((row) => row.id === id);
    if (stored) return stored.credentials;
  }
  return [];
}

async function tryLock(desk: Console, zigbee: Zigbee, name: string, roomId: number, at: number): Promise<void> {
  const code = `24681${at}`;
  const records = async (): Promise<Opening[]> =>
    (await desk.call<{ records: Opening[] }>("query", "unlocks.list", { roomId })).records;
  const stateIs = (id: number, state: string) =>
    until(
      `the code is ${state}`,
      () => credentials(desk, roomId, id),
      ([one]) => one?.state === state,
    );
  let id = 0;
  await check(`${name}: a code is set, once, and confirmed`, async () => {
    id = await giveCode(desk, roomId, code);
    await stateIs(id, "confirmed");
    const { users, received } = await zigbee.at(name);
    if (!users.some((user) => user.code === code && user.status === 1))
      throw new Error(`the lock has ${JSON.stringify(users)}`);
    if (received.setPinCode !== 1) throw new Error(`it received setPinCode ${received.setPinCode} times`);
  });
  await check(`${name}: its use is recorded, and a wrong code is`, async () => {
    await zigbee.at(name, "type", { code });
    await stateIs(id, "used");
    await zigbee.at(name, "type", { code: "999999" });
    await until(
      "two records",
      records,
      (rows) => rows.length === 2 && rows.some((row) => !row.success && row.style === "passcode"),
    );
  });
  await check(
    `${name}: the desk opens the door while a code is unconfirmed, and the record names the operator`,
    async () => {
      await zigbee.at(name, "deafen", { deaf: true });
      const silent = await giveCode(desk, roomId, `35791${at}`);
      await stateIs(silent, "sent");
      await zigbee.at(name, "deafen", { deaf: false });
      const { commandId } = await desk.call<{ commandId: string }>("mutation", "locks.open", { roomId });
      await until(
        "it is open",
        () => desk.call<{ state: string }>("query", "locks.commandState", { commandId }),
        ({ state }) => state === "acknowledged",
        6_000,
      );
      await until("the record names somebody", records, (rows) =>
        rows.some((row) => row.style === "remote" && row.operatorName !== null),
      );
      await stateIs(silent, "confirmed");
    },
  );
  await check(`${name}: a future code is switched on when its period begins`, async () => {
    const later = await giveCode(desk, roomId, `46802${at}`, 6_000);
    const statusAt = async () => (await zigbee.at(name)).users.find((user) => user.code === `46802${at}`)?.status ?? 0;
    await until("it is there, switched off", statusAt, (status) => status === 3);
    await until("it is switched on", statusAt, (status) => status === 1);
    await stateIs(later, "confirmed");
  });
  await check(`${name}: a code is removed from the lock, and the removal is confirmed`, async () => {
    await desk.call("mutation", "passcodes.remove", { passcodeId: id });
    const hasCode = async () => (await zigbee.at(name)).users.some((user) => user.code === code);
    await until("the lock has removed it", hasCode, (there) => !there);
    const state = async () => (await credentials(desk, roomId, id))[0]?.state ?? "revoked";
    await until("the console has recorded it", state, (one) => one === "revoked");
  });
}

/**
 * Checks that the console knows the openings, refusals and number of users of every lock definition of the converters.
 */
async function tryWords(): Promise<void> {
  const script = `
    const z = require("zigbee-herdsman-converters");
    const all = require("zigbee-herdsman-converters/devices/index");
    const definitions = [];
    for (const raw of all.default ?? all) {
      let one;
      try { one = z.prepareDefinition(raw); } catch { continue; }
      let exposes = one.exposes;
      if (typeof exposes === "function") { try { exposes = exposes({ isDummyDevice: true }, {}); } catch { continue; } }
      const codes = exposes.some((e) => e.name === "pin_code");
      const actions = exposes.filter((e) => e.name === "action").flatMap((e) => e.values ?? []);
      const lock = exposes.some((e) => e.type === "lock") || (/lock/i.test(one.description) && actions.some((a) => /unlock|open/.test(a)));
      if (lock) definitions.push({ vendor: one.vendor, model: one.model, codes, users: one.meta?.pinCodeCount ?? null, actions });
    }
    console.log(JSON.stringify(definitions));`;
  const { stdout, stderr } = spawnSync(join(packages, "node_modules/.bin/node"), ["-e", script], {
    cwd: packages,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  const definitions = JSON.parse(stdout || "[]") as {
    vendor: string;
    model: string;
    codes: boolean;
    users: number | null;
    actions: string[];
  }[];
  await check(`the openings of all ${definitions.length} lock definitions are understood`, () => {
    if (definitions.length < 40) throw new Error(`only ${definitions.length} were found: ${stderr}`);
    const unknownActions = definitions.flatMap(({ vendor, model, actions }) =>
      actions
        .filter((one) => /(^|_)(unlock|open|opened)|not_match/.test(one) && !/^lock_failure/.test(one))
        .filter((one) => !Object.hasOwn(OPENINGS, one) && !Object.hasOwn(REFUSALS, one))
        .map((one) => `${vendor} ${model}: ${one}`),
    );
    if (unknownActions.length > 0) throw new Error(unknownActions.join(", "));
  });
  await check("the console has the right number of users for every definition", () => {
    const wrong = definitions
      .filter(({ codes, users, vendor, model }) => codes && users !== usersOfMake(vendor, model))
      .map(({ vendor, model, users }) => `${vendor} ${model}: ${users}`);
    if (wrong.length > 0) throw new Error(wrong.join(", "));
  });
}

await main();
