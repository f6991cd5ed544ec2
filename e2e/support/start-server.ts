import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
const READY_SECONDS = 60;

/** The built product with its demo hotel, on a free port and with data of its own. */
export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-e2e-"));
  process.env.E2E_PASSWORD = "brass-key-at-night";
  const server = spawn(process.execPath, [MAIN], {
    env: { ...process.env, PORT: "0", DATA_DIR: dataDir, DEMO_PASSWORD: process.env.E2E_PASSWORD, LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.env.E2E_URL = await address(server.stdout);
  return async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
}

function address(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(
      () => reject(new Error(`no address within ${READY_SECONDS} s:\n${seen}`)),
      READY_SECONDS * 1000,
    );
    let seen = "";
    output.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      const found = /http:\/\/[\w.:[\]]+/.exec(seen);
      if (!found) return;
      clearTimeout(giveUp);
      resolve(found[0]);
    });
  });
}
