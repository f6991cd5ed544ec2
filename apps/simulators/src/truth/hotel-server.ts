import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** The console refused the action, which therefore did not happen. The message is the console's. */
export class Refused extends Error {}
/** No answer came, so it is unclear whether the action happened. */
export class Unclear extends Error {}

const GIVE_UP_MS = 60_000;

/** A logged-in session that uses the same calls as the browser. */
export class DeskSession {
  private cookie = "";
  private readonly server: { readonly url: string };

  constructor(server: { readonly url: string }) {
    this.server = server;
  }

  /** @throws Refused, Unclear */
  change<T>(procedure: string, input: object): Promise<T> {
    return this.send<T>(procedure, { method: "POST", body: JSON.stringify(input) });
  }

  /** A query, which is safe to repeat. @throws Refused, Unclear */
  async read<T>(procedure: string, input?: object): Promise<T> {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return this.send<T>(`${procedure}${query}`, { method: "GET" });
  }

  private async send<T>(path: string, request: RequestInit): Promise<T> {
    const { url } = this.server;
    const headers = { "content-type": "application/json", "x-innkey": "1", origin: url, cookie: this.cookie };
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(GIVE_UP_MS);
      response = await fetch(`${url}/api/trpc/${path}`, { ...request, headers, signal });
      text = await response.text();
    } catch (error) {
      throw new Unclear(path, { cause: error });
    }
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.cookie = cookie.split(";", 1)[0] ?? "";
    const { result, error } = Object(jsonOf(text));
    if (response.ok && result) return result.data as T;
    const why = `${path.split("?", 1)[0]}: ${error?.data?.innkey?.code ?? error?.message ?? response.status}`;
    if (response.status >= 500) throw new Unclear(why);
    throw new Refused(why);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAIN = fileURLToPath(new URL("../../../server/dist/main.js", import.meta.url));

/** The built server with a separate database, broker and ports. It can be killed and restarted on the same data. */
export class HotelServer {
  readonly url: string;
  private readonly dataDir: string;
  private readonly env: NodeJS.ProcessEnv;
  private child: ChildProcess | undefined;

  private constructor(dataDir: string, port: number, mqttPort: number) {
    this.dataDir = dataDir;
    this.url = `http://127.0.0.1:${port}`;
    const own = { HOST: "127.0.0.1", PORT: `${port}`, MQTT_PORT: `${mqttPort}`, DATA_DIR: dataDir, LOG_LEVEL: "fatal" };
    this.env = { PATH: process.env.PATH, HOME: process.env.HOME, ...own };
  }

  static async start(): Promise<HotelServer> {
    if (!existsSync(MAIN)) throw new Error("build the server first: node scripts/build.mjs");
    const server = new HotelServer(await mkdtemp(join(tmpdir(), "innkey-truth-")), await freePort(), await freePort());
    try {
      await server.up();
    } catch (error) {
      await server.remove();
      throw error;
    }
    return server;
  }

  async up(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, "--empty"], { env: this.env, stdio: ["ignore", "pipe", "inherit"] });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (/http:\/\/[\w.]+:\d+/.test(output)) resolve();
      });
      child.once("exit", () => reject(new Error(`the server ended:\n${output}`)));
    });
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  /** Kills PostgreSQL alone; the server restarts it by itself. Returns false if it is just starting. */
  killDatabase(): boolean {
    try {
      const pid = Number.parseInt(readFileSync(join(this.dataDir, "postgres/postmaster.pid"), "utf8"), 10);
      return pid > 1 && process.kill(pid, "SIGKILL");
    } catch {
      return false;
    }
  }

  /**
   * Lets `hours` pass for one lock by moving its last_seen_at back. We change the database rather than the margin
   * setting, so that the browser's real rule applies to the field that it receives, and only a message from the lock
   * ends the silence.
   */
  async letHoursPass(lockId: number, hours: number): Promise<void> {
    await this.query("UPDATE lock SET last_seen_at = last_seen_at - make_interval(hours => $2) WHERE id = $1", [
      lockId,
      hours,
    ]);
  }

  /** Returns the number of each stored event of a lock, with the id of the lock memory it comes from. */
  storedEvents(lockId: number): Promise<{ log: string; seq: number }[]> {
    return this.query(
      `SELECT k.log, (u.lock_seq - k.base)::float8 AS seq FROM unlock_record u JOIN LATERAL (
         SELECT log, base FROM lock_log WHERE lock_id = u.lock_id AND base < u.lock_seq ORDER BY base DESC LIMIT 1
       ) k ON true WHERE u.lock_id = $1`,
      [lockId],
    );
  }

  /** Checks whether the console knows the lock's current memory id. */
  async knowsMemory(lockId: number, log: string): Promise<boolean> {
    return (await this.query("SELECT id FROM lock WHERE id = $1 AND event_log = $2", [lockId, log])).length === 1;
  }

  /** @throws Unclear while PostgreSQL is unavailable */
  private async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const password = readFileSync(join(this.dataDir, "postgres.password"), "utf8").trim();
    let client: pg.Client | undefined;
    try {
      const port = Number(readFileSync(join(this.dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3]);
      client = new pg.Client({ host: "127.0.0.1", port, user: "innkey", password, database: "innkey" });
      client.on("error", () => {});
      await client.connect();
      return (await client.query<Row>(text, [...values])).rows;
    } catch (error) {
      throw new Unclear("the database", { cause: error });
    } finally {
      await client?.end().catch(() => {});
    }
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    await this.end("SIGTERM");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
