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
  kill: () => Promise<void>;
  /** Starts the server again at the same address with the same data. */
  restart: () => Promise<void>;
  /** Stops the server and deletes its data. */
  stop: () => Promise<void>;
}

/**
 * Starts the built product on a free port with separate data. It trusts the forwarded address, so that each test has a
 * different client address and does not use up another's login attempts. `main` is another build's entry.
 */
export async function launchServer(
  settings: { args?: string[]; env?: Record<string, string>; main?: string } = {},
): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-e2e-"));
  const secretKey = randomBytes(32).toString("hex");
  const ownEnv = {
    MQTT_PORT: "0",
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    TRUST_PROXY: "true",
    LOG_LEVEL: "error",
  };
  let endProcess: () => Promise<void> = async () => undefined;
  const start = (port: string): Promise<string> => {
    const server = spawn(process.execPath, [settings.main ?? MAIN, ...(settings.args ?? [])], {
      env: { ...process.env, ...ownEnv, ...settings.env, PORT: port },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = new Promise((resolve) => server.once("exit", resolve));
    endProcess = async () => {
      server.kill("SIGTERM");
      await exit;
    };
    return address(server.stdout);
  };
  const stop = async (): Promise<void> => {
    await endProcess();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = await start("0");
    const restart = async (): Promise<void> => void (await start(new URL(url).port));
    return { url, dataDir, secretKey, kill: () => endProcess(), restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function address(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let outputText = "";
    const fail = (reason: string): void => reject(new Error(`${reason}:\n${outputText}`));
    const timer = setTimeout(() => fail(`no address within ${READY_SECONDS} s`), READY_SECONDS * 1000);
    output.on("end", () => {
      clearTimeout(timer);
      fail("the server ended");
    });
    output.on("data", (chunk: Buffer) => {
      outputText += chunk.toString();
      const address = /http:\/\/[\w.:[\]]+/.exec(outputText);
      if (!address) return;
      clearTimeout(timer);
      resolve(address[0]);
    });
  });
}
