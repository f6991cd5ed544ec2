import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const REPOSITORY = join(import.meta.dirname, "../../../..");

export interface ComposeService {
  image?: string;
  build?: string;
  profiles?: string[];
  entrypoint?: string[];
  command?: string[];
  user?: string;
  restart?: string;
  init?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  networks?: string[];
  network_mode?: string;
  ports?: string[];
  environment?: Record<string, string>;
  stop_grace_period?: string;
  healthcheck?: { disable?: boolean; test?: string[]; interval?: string; timeout?: string; retries?: number };
  depends_on?: Record<string, { condition: string }>;
  volumes?: (string | { type: string; source: string; target: string })[];
  pids_limit?: number;
  deploy?: { resources?: { limits?: { cpus?: string; memory?: string } } };
  logging?: { driver: string; options: Record<string, string> };
}

export interface ComposeFile {
  name: string;
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
}

/** docker-compose.yml as Compose sees it with the settings of a `.env`. */
export function readCompose(settings: Record<string, string> = {}): ComposeFile {
  return parse(interpolated(composeText(), settings), { merge: true });
}

export const composeText = (): string => readFileSync(join(REPOSITORY, "docker-compose.yml"), "utf8");

/**
 * `${NAME}`, `${NAME:-otherwise}` and `${NAME:+instead}`, one in the other too. Source: Compose specification,
 * "Interpolation".
 */
export function interpolated(text: string, settings: Record<string, string>): string {
  const start = text.indexOf("${");
  if (start < 0) return text;
  let end = start + 2;
  for (let depth = 1; depth > 0; end += 1) {
    if (text.startsWith("${", end)) depth += 1;
    else if (text[end] === "}") depth -= 1;
    else if (end >= text.length) throw new Error("an interpolation does not end");
  }
  const [, name = "", act, word = ""] =
    /^([A-Z][A-Z0-9_]*)(?:(:-|:\+)([\s\S]*))?$/.exec(text.slice(start + 2, end - 1)) ?? [];
  if (name === "") throw new Error(`not an interpolation: ${text.slice(start, end)}`);
  const value = settings[name] ?? "";
  const chosen = act === ":-" ? value || word : act === ":+" ? value && word : value;
  return text.slice(0, start) + interpolated(chosen, settings) + interpolated(text.slice(end), settings);
}

/** Where a service's volumes and files are mounted: `[source, target]`. */
export function mountsOf({ volumes = [] }: ComposeService): [string, string][] {
  return volumes.map((volume) => {
    if (typeof volume !== "string") return [volume.source, volume.target];
    const [source = "", target = ""] = volume.split(":");
    return [source, target];
  });
}
