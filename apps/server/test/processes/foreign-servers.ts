import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { generate } from "selfsigned";

/** Returns a free port, for servers that can't choose one or must restart on the same one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Starts a real broker that accepts everyone. The caller deletes `directory`. */
export async function startMosquitto(directory: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const settings = join(directory, "mosquitto.conf");
  await writeFile(settings, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_dest none\n`);
  const broker = spawn("mosquitto", ["-c", settings], { stdio: "ignore" });
  await whenListening(port, broker);
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async stop() {
      const ended = once(broker, "exit");
      broker.kill();
      await ended;
    },
  };
}

async function whenListening(port: number, broker: ChildProcess): Promise<void> {
  for (;;) {
    if (broker.exitCode !== null) throw new Error(`mosquitto ended with ${broker.exitCode}`);
    const socket = connect(port, "127.0.0.1");
    const up = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (up) return;
    await delay(20);
  }
}

export interface BrokerPorts {
  /** For locks and links */
  port: number;
  /** For locks and links with TLS */
  tlsPort: number;
  /** For the server's own account */
  serverPort: number;
}

const CONFIGURATION = join(import.meta.dirname, "../../../../deploy/mosquitto.conf");
const PLUGIN = "mosquitto_dynamic_security.so";
/** Folders where distributions install the plugin; the container image uses the first. */
const FOLDERS = ["/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/opt/homebrew/lib"];

/**
 * Starts a real Mosquitto with the delivered configuration; only paths and ports differ. `data` contains the plugin's
 * file. Returns a function that stops it. @throws Error that says what is missing
 */
export async function startDeliveredMosquitto(
  data: string,
  { port, tlsPort, serverPort }: BrokerPorts,
): Promise<() => Promise<void>> {
  const plugin = FOLDERS.map((folder) => join(folder, PLUGIN)).find((path) => existsSync(path));
  if (!plugin) throw new Error("Install Mosquitto 2 with its dynamic security plugin (apt-get install mosquitto).");
  const localConfiguration = readFileSync(CONFIGURATION, "utf8")
    .replace(`/usr/lib/${PLUGIN}`, plugin)
    .replaceAll("/mosquitto/data", data)
    .replace("listener 1883", `listener ${port} 127.0.0.1`)
    .replace("listener 8883", `listener ${tlsPort} 127.0.0.1`)
    .replace("listener 1884", `listener ${serverPort} 127.0.0.1`);
  const settings = join(data, "mosquitto.conf");
  // Otherwise Mosquitto, started as root, would change to a user that can't read our files.
  writeFileSync(settings, `${localConfiguration}\nuser root\n`);
  const broker = spawn("mosquitto", ["-c", settings], { stdio: ["ignore", "ignore", "pipe"] });
  const output: string[] = [];
  broker.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  for (const listeningPort of [port, tlsPort, serverPort]) {
    while (!(await listens(listeningPort))) {
      if (broker.exitCode !== null) throw new Error(`Mosquitto does not start: ${output.join("")}`);
      await delay(20);
    }
  }
  return () => end(broker);
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

export async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A real redis-server without persistence: it is empty after a restart. */
export class RedisServer {
  readonly url: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  private constructor(port: number) {
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const settings = ["--port", String(this.#port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    this.#process = spawn("redis-server", settings, { stdio: "ignore" });
    const client = new Redis(this.url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
    client.on("error", () => undefined); // Not up yet
    await client.ping();
    client.disconnect();
  }

  async kill(): Promise<void> {
    const ended = this.#process && once(this.#process, "exit");
    this.#process?.kill("SIGKILL");
    await ended;
    this.#process = undefined;
  }

  /** Suspends the process: connections stay open without answers. */
  freeze(): void {
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process?.kill("SIGCONT");
  }
}

/** Creates a self-signed certificate for localhost, with its key. */
export async function selfSigned(expiresAt: Date): Promise<{ cert: string; key: string }> {
  const subject = [
    { shortName: "O", value: "Innkey test" },
    { shortName: "CN", value: "localhost" },
  ];
  const { cert, private: key } = await generate(subject, {
    keyType: "ec",
    notAfterDate: expiresAt,
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  return { cert, key };
}
