import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
const READY_SECONDS = 60;

export interface Server {
  url: string;
  dataDir: string;
  /** 64 hex digits */
  secretKey: string;
  stop: () => Promise<void>;
}

/**
 * The built product on a free port, with data of its own. It trusts the forwarded address, so that each test comes from
 * somewhere else and no test uses up another's attempts.
 */
export async function launch(settings: { args?: string[]; env?: Record<string, string> } = {}): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-e2e-"));
  const secretKey = randomBytes(32).toString("hex");
  const own = {
    PORT: "0",
    MQTT_PORT: "0",
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    TRUST_PROXY: "true",
    LOG_LEVEL: "error",
  };
  const server = spawn(process.execPath, [MAIN, ...(settings.args ?? [])], {
    env: { ...process.env, ...own, ...settings.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const stop = async (): Promise<void> => {
    server.kill("SIGTERM");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { url: await address(server.stdout), dataDir, secretKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function address(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = "";
    const fail = (why: string): void => reject(new Error(`${why}:\n${seen}`));
    const giveUp = setTimeout(() => fail(`no address within ${READY_SECONDS} s`), READY_SECONDS * 1000);
    output.on("end", () => {
      clearTimeout(giveUp);
      fail("the server ended");
    });
    output.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      const found = /http:\/\/[\w.:[\]]+/.exec(seen);
      if (!found) return;
      clearTimeout(giveUp);
      resolve(found[0]);
    });
  });
}
