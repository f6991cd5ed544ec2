import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

export const REPOSITORY = join(import.meta.dirname, "../../../..");

/** A service in Compose's output: merged, with variables filled in, in the long form. */
export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  pull_policy?: string;
  profiles?: string[];
  entrypoint: string[] | null;
  command: string[] | null;
  user?: string;
  restart?: string;
  init?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  networks?: Record<string, null>;
  network_mode?: string;
  ports?: { host_ip?: string; target: number; published: string; protocol: string }[];
  environment?: Record<string, string | null>;
  stop_grace_period?: string;
  healthcheck?: { disable?: boolean; test?: string[]; retries?: number };
  depends_on?: Record<string, { condition: string }>;
  volumes?: { type: string; source: string; target: string; read_only?: boolean }[];
  deploy?: { resources?: { limits?: { cpus?: number; memory?: string; pids?: number } } };
  logging?: { driver: string; options: Record<string, string> };
}

export interface ComposeFile {
  name: string;
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
}

const run = promisify(execFile);
const FILE = join(REPOSITORY, "docker-compose.yml");

/** Returns the path of Docker Compose's plugin in each supported version; downloads missing ones. */
export async function composePlugins(): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join(REPOSITORY, "scripts/lib/compose-plugins.mjs")]);
  return stdout.trim().split("\n");
}

/**
 * Runs Compose's `config` with the settings of a `.env`; returns its output and warnings. @throws if Compose refuses
 */
export function composeConfig(
  plugin: string,
  settings: Record<string, string>,
  ...options: string[]
): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, ...settings };
  const args = ["--env-file", "/dev/null", "--file", FILE, "--profile", "*", "config", ...options];
  return run(plugin, args, { env, maxBuffer: 1e8 });
}

/** Returns docker-compose.yml as Compose reads it, with the services of all profiles. */
export async function readCompose(plugin: string, settings: Record<string, string> = {}): Promise<ComposeFile> {
  return JSON.parse((await composeConfig(plugin, settings, "--format", "json")).stdout);
}

export const composeText = (): string => readFileSync(FILE, "utf8");

/** Returns a service's mounts as `[source, target]`; files of the repository begin with `./`. */
export function mountsOf({ volumes = [] }: Pick<ComposeService, "volumes">): [string, string][] {
  return volumes.map(({ source, target }) => [source.replace(`${REPOSITORY}/`, "./"), target]);
}
