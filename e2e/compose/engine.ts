import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export const root = join(import.meta.dirname, "../..");
/** Below the checkout, because an engine elsewhere may see no other folder of this machine. */
export const work = join(root, ".tmp/compose-test");
const settingsFile = join(work, "env");
const DOCKER = (process.env.DOCKER ?? "docker").split(" ");
const MINUTE_MS = 60_000;

export interface Output {
  stdout: string;
  stderr: string;
}

interface Options {
  /** standard input */
  input?: string;
  limitMs?: number;
}

/** Runs a docker command. @throws Error with everything that the command wrote, if it fails */
export function docker(
  args: readonly string[],
  { input = "", limitMs = 15 * MINUTE_MS }: Options = {},
): Promise<Output> {
  const [command = "", ...prefix] = DOCKER;
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...prefix, ...args], { cwd: root, timeout: limitMs });
    const output: Output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else {
        const all = `${output.stdout}${output.stderr}`.slice(-6_000);
        reject(new Error(`docker ${args.join(" ")} ended with ${signal ?? code}\n${all}`));
      }
    });
  });
}

/**
 * Runs a compose command as the guides do, with the settings of this test in place of `.env`. @throws Error also if
 * Compose warns
 */
export async function compose(args: string | readonly string[], options?: Options): Promise<Output> {
  const parts = typeof args === "string" ? args.split(" ") : args;
  const output = await docker(["compose", "--env-file", settingsFile, ...parts], options);
  const warning = output.stderr.split("\n").find((line) => /warn|obsolete|not set|dangling/i.test(line));
  if (warning) throw new Error(`docker compose ${parts.join(" ")} warns: ${warning}`);
  return output;
}

export function writeSettings(settings: Record<string, string>): void {
  mkdirSync(work, { recursive: true });
  writeFileSync(
    settingsFile,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
}

export interface Container {
  id: string;
  service: string;
  state: string;
  health: string;
  exitCode: number;
  pid: number;
  startedAt: string;
  restarts: number;
  host: {
    ReadonlyRootfs: boolean;
    CapDrop: string[] | null;
    PidsLimit: number | null;
    Memory: number;
    NanoCpus: number;
  };
  user: string;
}

export async function containers(): Promise<Container[]> {
  const { stdout } = await compose("ps --all --quiet --no-trunc");
  const ids = stdout.split("\n").filter((line) => line !== "");
  if (ids.length === 0) return [];
  const states = JSON.parse((await docker(["inspect", ...ids])).stdout) as {
    Id: string;
    RestartCount: number;
    HostConfig: Container["host"];
    Config: { Labels: Record<string, string>; User: string };
    State: { Status: string; ExitCode: number; Pid: number; StartedAt: string; Health?: { Status: string } };
  }[];
  return states.map(({ Id, RestartCount, HostConfig, Config, State }) => ({
    id: Id,
    service: Config.Labels["com.docker.compose.service"] ?? "",
    state: State.Status,
    health: State.Health?.Status ?? "",
    exitCode: State.ExitCode,
    pid: State.Pid,
    startedAt: State.StartedAt,
    restarts: RestartCount,
    host: HostConfig,
    user: Config.User,
  }));
}

/** Returns the containers of services that keep running. */
export const longRunningContainers = async (): Promise<Container[]> =>
  (await containers()).filter(({ service }) => !["secrets", "migrate", "bucket", "restore"].includes(service));

/** @throws Error that names the containers that are not healthy in time */
export async function allHealthy(count: number, limitMs = 3 * MINUTE_MS): Promise<Container[]> {
  let containers: Container[] = [];
  const areHealthy = await until(async () => {
    containers = await longRunningContainers();
    return (
      containers.length === count &&
      containers.every(({ health, state }) => state === "running" && health === "healthy")
    );
  }, limitMs);
  if (!areHealthy) {
    throw new Error(
      `not all ${count} are healthy: ${containers.map((container) => `${container.service} ${container.state} ${container.health}`)}`,
    );
  }
  return containers;
}

export async function until(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await delay(250)) if (await condition()) return true;
  return false;
}

/** Removes the whole installation, including its data. */
export async function removeInstallation(): Promise<void> {
  await docker(["compose", "--env-file", settingsFile, "--profile", "*", "down", "--volumes", "--remove-orphans"]);
}

export function clearWorkFolder(): void {
  rmSync(work, { recursive: true, force: true });
  writeSettings({});
}
