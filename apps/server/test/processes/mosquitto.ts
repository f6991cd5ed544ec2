import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";

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
