import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

export const REPOSITORY = join(import.meta.dirname, "../../../..");

/** A service as Compose writes it out: everything merged, filled in and in the long form. */
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

/** Docker Compose's plugin in each version that the file has to do with, fetched when it isn't there. */
export async function composePlugins(): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join(REPOSITORY, "scripts/lib/compose-plugins.mjs")]);
  return stdout.trim().split("\n");
}

/** What Compose says of docker-compose.yml with the settings of a `.env`, and what it complains of. @throws if it refuses */
export function composeConfig(
  plugin: string,
  settings: Record<string, string>,
  ...options: string[]
): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, ...settings };
  const given = ["--env-file", "/dev/null", "--file", FILE, "--profile", "*", "config", ...options];
  return run(plugin, given, { env, maxBuffer: 1e8 });
}

/** docker-compose.yml as Compose understands it, services of all profiles included. */
export async function readCompose(plugin: string, settings: Record<string, string> = {}): Promise<ComposeFile> {
  return JSON.parse((await composeConfig(plugin, settings, "--format", "json")).stdout);
}

export const composeText = (): string => readFileSync(FILE, "utf8");

/** Where a service's volumes and files are mounted: `[source, target]`, files below the repository as `./…`. */
export function mountsOf({ volumes = [] }: Pick<ComposeService, "volumes">): [string, string][] {
  return volumes.map(({ source, target }) => [source.replace(`${REPOSITORY}/`, "./"), target]);
}
