import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Desk } from "../clients/desk.ts";
import { DeviceClient } from "../clients/device-client.ts";
import { photograph } from "../harness/portraits.ts";
import { addRoom, checkIn, OWNER, openHotel, ServerProcess } from "../processes/cluster.ts";
import { freePort } from "../processes/foreign-servers.ts";

/** The built server and commands, restored from one backup after the machine was lost. */
const CLI = fileURLToPath(new URL("../../dist/cli", import.meta.url));
const UID = "04A1B2C3";
const LOCK_EVENTS = 20;
/** Fields of the board that a restart alone changes. */
const BY_RESTART = new Set(["lockOnline", "online", "version"]);

const run = promisify(execFile);
let folder: string;
let lost: Installation;
let fresh: Installation;
let hotel: Awaited<ReturnType<typeof seedHotel>>;
let backup: string;
let before: Snapshot;

/** A machine: its data directory and the broker's port. */
interface Installation {
  dataDir: string;
  mqttPort: number;
}

interface CommandResult {
  code: number;
  out: string;
}

/** Answers to people, programs and locks. */
type Snapshot = Awaited<ReturnType<typeof look>>;

async function prepareInstallation(name: string): Promise<Installation> {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  return { dataDir, mqttPort: await freePort() };
}

const settings = ({ dataDir, mqttPort }: Installation) => ({
  DATA_DIR: dataDir,
  MQTT_PORT: String(mqttPort),
  LOG_LEVEL: "fatal",
});

const start = (at: Installation): Promise<ServerProcess> => ServerProcess.start(settings(at));

async function command(
  at: Installation,
  name: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const options = { env: { PATH: process.env.PATH, ...settings(at), ...env } };
  const running = run(process.execPath, [join(CLI, `${name}.js`), ...args], options);
  running.child.stdin?.end(env.TYPED ?? "");
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}

const keyFile = ({ dataDir }: Installation): string => join(dataDir, "backup-key");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "innkey-restored-"));
  lost = await prepareInstallation("lost");
  fresh = await prepareInstallation("fresh");
  const server = await start(lost);
  try {
    hotel = await seedHotel(server, lost);
    backup = await backUpWhileWriting(server);
    before = await look(server, lost);
  } finally {
    await server.stop();
  }
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function seedHotel(server: ServerProcess, { mqttPort }: Installation) {
  const desk = await openHotel(server);
  const roomId = await addRoom(desk, server, "101");
  const prices = { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 12_000 };
  await desk.call(server, "rooms.setPrices", { roomIds: [roomId], prices });
  const { lockId } = await desk.call<{ lockId: number }>(server, "locks.save", { mac: "A4C138000001", roomId });
  const access = await desk.call<LockAccess>(server, "locks.connect", { lockId });
  const lock = await connectLock(access, mqttPort);
  await lock.subscribe(`${access.topic}/command`);
  await lock.publish(`${access.topic}/status`, { state: "online" }, true);
  await answerCommands(desk, server, lock, access.topic);
  const at = new Date().toISOString();
  const events = Array.from({ length: LOCK_EVENTS }, (_, seq) => ({
    seq: seq + 1,
    at,
    style: "inside",
    success: true,
  }));
  await lock.subscribe(`${access.topic}/event/ack`);
  await lock.publish(`${access.topic}/event`, { log: "9f31c05a", events });
  await lock.next("the acknowledgement", ({ text }) => text.includes(String(LOCK_EVENTS)));
  await lock.end();
  const stayId = await checkIn(desk, server, roomId, "Ada Marlow");
  const card = await desk.call<Card>(server, "cards.prepare", { stayId, uid: UID, note: "" });
  await desk.call(server, "cards.confirm", { cardId: card.cardId, readBack: card.data });
  const door = { type: "air", roomIds: [roomId], person: "the plumber" };
  const passcode = await desk.call<{ passcodeId: number; code: string }>(server, "passcodes.create", door);
  const fileId = await bringFace(desk, server);
  await desk.call(server, "faces.enrol", { fileId, note: "Ada", consent: true });
  const key = { name: "Cleaning plan", scopes: ["rooms.view"], expiresAt: null };
  const { token } = await desk.call<{ token: string }>(server, "integrations.createKey", key);
  return { desk, roomId, stayId, access, card, passcode, fileId, token };
}

/** Completes the commands to a new lock, because a hotel in use has finished commands whose arguments were deleted. */
async function answerCommands(desk: Desk, server: ServerProcess, lock: DeviceClient, topic: string): Promise<void> {
  for (const type of ["configure", "read_back"]) {
    const { text } = await lock.next(type, (message) => {
      return message.topic === `${topic}/command` && JSON.parse(message.text).type === type;
    });
    const answer = { id: JSON.parse(text).id, ok: true };
    await lock.publish(`${topic}/ack`, type === "read_back" ? { ...answer, held: [] } : answer);
  }
  const waiting = async () =>
    (await desk.ask<{ locks: { commandsWaiting: number } }>(server, "system.status")).locks.commandsWaiting;
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 10_000 });
}

interface LockAccess {
  user: string;
  password: string;
  topic: string;
}

interface Card {
  cardId: number;
  sectorKey: string;
  data: string;
}

const connectLock = ({ user, password }: LockAccess, port: number): Promise<DeviceClient> =>
  DeviceClient.connect(`mqtt://127.0.0.1:${port}`, { username: user, password, clientId: user });

async function bringFace(desk: Desk, server: ServerProcess): Promise<string> {
  const picture = await photograph("man");
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(picture)], { type: "image/jpeg" }), "face.jpg");
  const { "content-type": _, ...headers } = desk.headers(server.url);
  const response = await fetch(`${server.url}/api/files?kind=face`, { method: "POST", headers, body: form });
  return ((await response.json()) as { id: string }).id;
}

/** Makes a first backup during writes, and a second one of the idle hotel, which the test restores. */
async function backUpWhileWriting(server: ServerProcess): Promise<string> {
  let busy = true;
  let written = 0;
  const desks = Array.from({ length: 4 }, async (_, desk) => {
    while (busy) {
      const roomId = await addRoom(hotel.desk, server, `${desk}-${written}`);
      await checkIn(hotel.desk, server, roomId, `Guest ${written}`);
      written += 1;
    }
  });
  const first = await command(lost, "backup", ["--verify"]);
  busy = false;
  await Promise.all(desks);
  expect(first, first.out).toMatchObject({ code: 0 });
  expect(first.out).toMatch(/A key was made for it/);
  expect(first.out).toMatch(/each table the same.*Audit logs are whole, money sums to zero/s);
  expect(written).toBeGreaterThan(0);
  const to = join(folder, "off-site");
  const second = await command(lost, "backup", ["--to", to]);
  expect(second, second.out).toMatchObject({ code: 0 });
  expect(second.out).not.toMatch(/A key was made/);
  const [name = ""] = await readdir(to);
  return join(to, name);
}

async function look(server: ServerProcess, at: Installation) {
  const { desk, stayId, roomId, access, passcode, fileId, token } = hotel;
  const headers = { cookie: desk.cookie };
  const board = await (await fetch(`${server.url}/api/board`, { headers })).json();
  const face = await fetch(`${server.url}/files/${fileId}`, { headers });
  const program = await fetch(`${server.url}/api/trpc/rooms.page?input={}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const lock = await connectLock(access, at.mqttPort);
  await lock.end();
  const legacyKey = await command(at, "show-legacy-key");
  const chain = await command(at, "verify-audit");
  // A restarted broker has no connections: locks are shown as offline until they return, which changes the board's
  // version.
  const withoutPresence = (visibleFacts: unknown): object =>
    JSON.parse(JSON.stringify(visibleFacts, (name, value) => (BY_RESTART.has(name) ? undefined : value)));
  return {
    board: withoutPresence(board),
    face: { status: face.status, bytes: Buffer.from(await face.arrayBuffer()).toString("base64") },
    program: { status: program.status, rooms: await program.json() },
    stay: await desk.ask(server, "stays.detail", { stayId }),
    cards: withoutPresence(await desk.ask(server, "cards.ofStay", { stayId })),
    records: await desk.ask(server, "unlocks.list", { roomId }),
    entries: await desk.ask(server, "folio.ofStay", { stayId }).catch((error: Error) => error.message),
    code: await desk.call(server, "passcodes.reveal", { passcodeId: passcode.passcodeId }),
    legacyKey,
    chain: { ...chain, out: chain.out.replace(/\d+ entries/, "entries") },
  };
}

const roomsAt = async (server: ServerProcess): Promise<number> =>
  (await hotel.desk.ask<{ total: number }>(server, "rooms.page", {})).total;

describe("a restored system", () => {
  it("opens the same doors for the same people, programs and locks", async () => {
    const restored = await command(fresh, "restore", [backup, "--key", keyFile(lost)]);
    expect(restored, restored.out).toMatchObject({ code: 0, out: expect.stringMatching(/^Restored as of .*1 file\./) });
    expect(await readFile(join(fresh.dataDir, "secret-key"), "utf8")).toBe(
      await readFile(join(lost.dataDir, "secret-key"), "utf8"),
    );
    const server = await start(fresh);
    try {
      expect(await look(server, fresh)).toEqual(before);
      expect(before).toMatchObject({
        face: { status: 200 },
        program: { status: 200 },
        code: { code: hotel.passcode.code },
        chain: { code: 0 },
      });
      expect(JSON.stringify(before.records)).toMatch(/inside/);
      const owner = new Desk();
      await owner.call(server, "auth.login", OWNER);
      const again = await owner.call<Card>(server, "cards.prepare", { stayId: hotel.stayId, uid: UID, note: "" });
      expect(again.sectorKey, "the same key for the same card").toBe(hotel.card.sectorKey);
      const next = await addRoom(owner, server, "New since");
      expect(await checkIn(owner, server, next, "First after")).toBeGreaterThan(hotel.stayId);
    } finally {
      await server.stop();
    }
  }, 120_000);

  it("is overwritten only when that is confirmed with the name of its hotel", async () => {
    const plain = await command(fresh, "restore", [backup, "--key", keyFile(lost)]);
    expect(plain).toMatchObject({ code: 1, out: expect.stringMatching(/not empty/) });
    const other = await command(fresh, "restore", [backup, "--key", keyFile(lost), "--replace"], { TYPED: "Yes\n" });
    expect(other).toMatchObject({
      code: 1,
      out: expect.stringMatching(/given up for the backup: Twins.*Nothing was changed/s),
    });
    const server = await start(fresh);
    const live = await command(fresh, "restore", [backup, "--key", keyFile(lost), "--replace", "--yes"]);
    const rooms = await roomsAt(server);
    await server.stop();
    expect(live).toMatchObject({ code: 1, out: expect.stringMatching(/Another Innkey server/) });
    const restored = await command(fresh, "restore", [backup, "--key", keyFile(lost), "--replace"], {
      TYPED: "Twins\n",
    });
    expect(restored, restored.out).toMatchObject({ code: 0 });
    const back = await start(fresh);
    expect(await roomsAt(back), "without the room added since the backup").toBe(rooms - 1);
    await back.stop();
  }, 120_000);

  it("requires the right key, a complete file and, where it is set outside, the same SECRET_KEY", async () => {
    const target = await prepareInstallation("third");
    const stranger = join(folder, "stranger-key");
    const printed = await command(target, "backup-key", ["--to", stranger]);
    expect(printed).toMatchObject({ code: 0, out: expect.stringMatching(/BACKUP_RECIPIENT=age1/) });
    expect(await command(target, "restore", [backup, "--key", stranger])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/another key/),
    });
    const cut = join(folder, "cut.tar.gz.age");
    await writeFile(cut, (await readFile(backup)).subarray(0, -100));
    expect(await command(target, "restore", [cut, "--key", keyFile(lost)])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/damaged/),
    });
    const set = { SECRET_KEY: "ab".repeat(32) };
    const refused = await command(target, "restore", [backup, "--key", keyFile(lost)], set);
    expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/another SECRET_KEY/) });
    const secrets = join(folder, "secrets");
    const restored = await command(target, "restore", [backup, "--key", keyFile(lost), "--secrets-to", secrets]);
    expect(restored, restored.out).toMatchObject({ code: 0 });
    const secretKey = await readFile(join(secrets, "secret-key"), "utf8");
    expect(secretKey).toBe(await readFile(join(lost.dataDir, "secret-key"), "utf8"));
    const right = await command(target, "restore", [backup, "--key", keyFile(lost)], { SECRET_KEY: secretKey });
    expect(right, right.out).toMatchObject({ code: 0 });
  }, 120_000);

  it("can be tried anywhere with only the file and the key", async () => {
    const elsewhere = await prepareInstallation("elsewhere");
    await copyFile(keyFile(lost), join(folder, "key"));
    const trial = await command(elsewhere, "verify-backup", [backup, "--key", join(folder, "key")]);
    expect(trial, trial.out).toMatchObject({ code: 0, out: expect.stringMatching(/Restored for a try: .* rows/) });
    expect(await command(elsewhere, "verify-backup", [])).toMatchObject({ code: 2 });
    expect(await command(elsewhere, "restore", [])).toMatchObject({ code: 2 });
  }, 120_000);

  it("makes its first backup for a public key, and never sees the private one", async () => {
    const target = await prepareInstallation("sealed-for");
    const file = join(folder, "owners-key");
    const { out } = await command(target, "backup-key", ["--to", file]);
    const recipient = /BACKUP_RECIPIENT=(age1\S+)/.exec(out)?.[1] ?? "";
    const server = await start(target);
    await openHotel(server);
    await server.stop();
    const set = { BACKUP_RECIPIENT: recipient };
    const unverified = await command(target, "backup", ["--verify"], set);
    expect(unverified).toMatchObject({ code: 1, out: expect.stringMatching(/The backup is made.*--key/s) });
    expect(await readdir(target.dataDir)).not.toContain("backup-key");
    const [name = ""] = await readdir(join(target.dataDir, "backups"));
    const path = join(target.dataDir, "backups", name);
    expect(await command(target, "verify-backup", [path, "--key", file], set)).toMatchObject({ code: 0 });
  }, 120_000);
});
