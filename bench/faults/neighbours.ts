import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { cleanEnvironment, locateBinaries } from "../../apps/server/src/adapters/postgres/embedded/binaries.ts";
import { chooseIdentity } from "../../apps/server/src/adapters/postgres/embedded/identity.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { freePort, type Neighbour, neighbour } from "../soak/neighbours.ts";

const START_MS = 30_000;

/** Starts a PostgreSQL without a supervisor: once killed, it stays down until it is started again. */
export async function startPostgres(dataDir: string): Promise<Neighbour> {
  const server = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: console.warn } });
  await server.stop();
  const port = await freePort();
  const url = new URL(server.url);
  url.port = String(port);
  const binaries = locateBinaries();
  const identity = await chooseIdentity(resolve(dataDir), binaries);
  const settings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", timezone: "UTC" };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const launch = (): ChildProcess => {
    const { file, args } = identity.command(binaries.postgres, ["-D", join(dataDir, "postgres"), ...flags]);
    const how = { ...identity.spawnAs, cwd: dataDir, env: cleanEnvironment(), detached: true };
    return spawn(file, args, { ...how, stdio: "ignore" });
  };
  const postgres = neighbour(url.href, port, launch);
  await postgres.start();
  await waitForDatabase(url.href);
  return postgres;
}

/** Waits until the database accepts queries. @throws Error after START_MS */
export async function waitForDatabase(url: string): Promise<void> {
  for (const end = Date.now() + START_MS; ; await delay(100)) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Starts a broker like one that the operator runs, which stores sessions and messages on disk. */
export async function startMosquitto(dataDir: string): Promise<Neighbour> {
  const port = await freePort();
  const dir = join(dataDir, "mosquitto");
  await mkdir(dir, { recursive: true });
  const config = join(dir, "mosquitto.conf");
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    "persistence true",
    `persistence_location ${dir}/`,
    "autosave_interval 1",
    ...(process.getuid?.() === 0 ? ["user root"] : []),
  ];
  await writeFile(config, `${lines.join("\n")}\n`);
  const launch = (): ChildProcess => spawn("mosquitto", ["-c", config], { stdio: "ignore", detached: true });
  const broker = neighbour(`mqtt://127.0.0.1:${port}`, port, launch);
  await broker.start();
  return broker;
}
