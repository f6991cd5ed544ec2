import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface BrokerPorts {
  /** for locks and links */
  port: number;
  /** for the same, encrypted */
  tlsPort: number;
  /** for the server's own account */
  serverPort: number;
}

const CONFIGURATION = join(import.meta.dirname, "../../../../deploy/mosquitto.conf");
const PLUGIN = "mosquitto_dynamic_security.so";
/** Where distributions put it; the image has it in the first. */
const FOLDERS = ["/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/opt/homebrew/lib"];

/**
 * A real Mosquitto with the configuration that is delivered; only paths and ports are this machine's. `data` holds the
 * plugin's file. Answers how it is stopped. @throws Error that says what is missing
 */
export async function startDeliveredMosquitto(
  data: string,
  { port, tlsPort, serverPort }: BrokerPorts,
): Promise<() => Promise<void>> {
  const plugin = FOLDERS.map((folder) => join(folder, PLUGIN)).find((path) => existsSync(path));
  if (!plugin) throw new Error("Install Mosquitto 2 with its dynamic security plugin (apt-get install mosquitto).");
  const here = readFileSync(CONFIGURATION, "utf8")
    .replace(`/usr/lib/${PLUGIN}`, plugin)
    .replaceAll("/mosquitto/data", data)
    .replace("listener 1883", `listener ${port} 127.0.0.1`)
    .replace("listener 8883", `listener ${tlsPort} 127.0.0.1`)
    .replace("listener 1884", `listener ${serverPort} 127.0.0.1`);
  const settings = join(data, "mosquitto.conf");
  // Started as root it would become a user who may not read what is ours.
  writeFileSync(settings, `${here}\nuser root\n`);
  const broker = spawn("mosquitto", ["-c", settings], { stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  broker.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  for (const awaited of [port, tlsPort, serverPort]) {
    while (!(await listens(awaited))) {
      if (broker.exitCode !== null) throw new Error(`Mosquitto does not start: ${said.join("")}`);
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
