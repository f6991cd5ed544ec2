import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

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
