import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { HOTEL } from "../../prisma/seed/hotel-plan.ts";

export interface PhpServer {
  url: string;
  pid: number;
  /** the folder of HotelDruid's database */
  dataDir: string;
  stop(): Promise<void>;
}

/** The folders that HotelDruid's package names, and those that its copy uses instead. */
const PLACES = { "/var/lib/hoteldruid/data": "data", "/var/lib/hoteldruid/pages": "app/pages" };
const STARTS_WITHIN_MS = 10_000;

/** Serves a copy of HotelDruid with PHP's own server, which caches compiled pages. */
export async function servePhp(source: string, folder: string): Promise<PhpServer> {
  const app = join(folder, "app");
  const dataDir = join(folder, "data");
  await cp(source, app, { recursive: true });
  await mkdir(join(app, "pages"), { recursive: true });
  await mkdir(dataDir);
  const databaseSettings = join(folder, "database.php");
  await writeFile(databaseSettings, "<?php\n");
  await edit(join(app, "costanti.php"), [
    ...Object.entries(PLACES).map(([from, to]): [string, string] => [from, join(folder, to)]),
    ["/etc/hoteldruid/database.php", databaseSettings],
  ]);
  // Debian skips the form for the rooms and names them 1, 2, 3; with this setting it is shown.
  await edit(join(app, "includes/costanti.php"), [
    [`define('C_UTILIZZA_SEMPRE_DEFAULTS',"AUTO")`, `define('C_UTILIZZA_SEMPRE_DEFAULTS',"NO")`],
  ]);
  const port = await findFreePort();
  const settings = [
    ...["opcache.enable=1", "opcache.enable_cli=1", "display_errors=0"],
    `date.timezone=${HOTEL.timeZone}`,
  ].flatMap((setting) => ["-d", setting]);
  const child = spawn("php", [...settings, "-S", `127.0.0.1:${port}`, "-t", app], { cwd: app, stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilServed(url, child);
  return { url, pid: child.pid ?? 0, dataDir, stop: () => stop(child) };
}

async function edit(file: string, changes: readonly [from: string, to: string][]): Promise<void> {
  let text = await readFile(file, "utf8");
  for (const [from, to] of changes) {
    if (!text.includes(from))
      throw new Error(`${file} has no ${from}: this HotelDruid is another than the bench knows`);
    text = text.replaceAll(from, to);
  }
  await writeFile(file, text);
}

const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

async function waitUntilServed(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`PHP's server ended with ${child.exitCode}`);
    const isServed = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isServed) return;
    await delay(50);
  }
  await stop(child);
  throw new Error("PHP's server doesn't answer");
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
