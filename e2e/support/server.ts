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
  /** Kills the process and leaves its data, like a power failure. */
  halt: () => Promise<void>;
  /** Starts the server again at the same address with the same data. */
  restart: () => Promise<void>;
  /** Stops the server and deletes its data. */
  stop: () => Promise<void>;
}

/**
 * Starts the built product on a free port with separate data. It trusts the forwarded address, so that each test has a
 * different client address and does not use up another's login attempts.
 */
export async function launch(settings: { args?: string[]; env?: Record<string, string> } = {}): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-e2e-"));
  const secretKey = randomBytes(32).toString("hex");
  const own = {
    MQTT_PORT: "0",
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    TRUST_PROXY: "true",
    LOG_LEVEL: "error",
  };
  let end: () => Promise<void> = async () => undefined;
  const start = (port: string): Promise<string> => {
    const server = spawn(process.execPath, [MAIN, ...(settings.args ?? [])], {
      env: { ...process.env, ...own, ...settings.env, PORT: port },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => server.once("exit", resolve));
    end = async () => {
      server.kill("SIGTERM");
      await ended;
    };
    return address(server.stdout);
  };
  const stop = async (): Promise<void> => {
    await end();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = await start("0");
    const restart = async (): Promise<void> => void (await start(new URL(url).port));
    return { url, dataDir, secretKey, halt: () => end(), restart, stop };
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
      const address = /http:\/\/[\w.:[\]]+/.exec(seen);
      if (!address) return;
      clearTimeout(giveUp);
      resolve(address[0]);
    });
  });
}
