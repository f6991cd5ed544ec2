import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startEmbeddedPostgres } from "../../src/adapters/postgres/embedded-postgres.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const log = { info: () => {}, warn: () => {} };
let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "innkey-postgres-"));
  dataDir = join(folder, "data");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmaster(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8"), 10);
}

for (const mode of [0o700, 0o755]) {
  test(`below a directory of mode ${mode.toString(8)} it starts, recovers from kill -9 at the same address, and stops`, async () => {
    await chmod(folder, mode);
    const database = await startEmbeddedPostgres({ dataDir, log });
    try {
      expect((await stat(join(dataDir, "postgres.password"))).mode & 0o777).toBe(0o600);
      expect((await stat(dataDir)).mode & 0o067).toBe(0);
      expect(await query(database.url, "SELECT current_setting('fsync') AS fsync")).toEqual([{ fsync: "on" }]);
      await query(database.url, "CREATE TABLE kept AS SELECT 1 AS one");
      process.kill(await postmaster(), "SIGKILL");
      const rows = await vi.waitUntil(() => query(database.url, "SELECT one FROM kept").catch(() => undefined), 10_000);
      expect(rows).toEqual([{ one: 1 }]);
    } finally {
      await database.stop();
    }
    await expect(stat(join(dataDir, "postgres/postmaster.pid"))).rejects.toThrow();
  });
}

test("takes over the database of a killed server, and refuses that of a running one", async () => {
  await mkdir(dataDir);
  const code = `import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "../../src/adapters/postgres/embedded-postgres.ts"))};
    const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: { info() {}, warn() {} } });
    console.log(url); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", code], { cwd: root });
  const [line] = await once(other.stdout, "data");
  const url = String(line).trim();
  await query(url, "CREATE TABLE kept AS SELECT 1 AS one");

  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/Another Innkey server/);
  expect((await startEmbeddedPostgres({ dataDir, log, share: true })).url).toBe(url);

  const formerPid = await postmaster();
  other.kill("SIGKILL");
  await once(other, "exit");
  const database = await startEmbeddedPostgres({ dataDir, log });
  try {
    expect(await postmaster()).not.toBe(formerPid);
    expect(await query(database.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
  } finally {
    await database.stop();
  }
});
