import { readFileSync } from "node:fs";

/**
 * `env` with each NAME that is given as NAME_FILE read from that file, without the line's end. @throws Error that names the
 * setting, for a file that can't be read and for one that is given both ways
 */
export function withFiles(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const copy = { ...env };
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === "") continue;
    if (env[name] !== undefined && env[name] !== "") {
      throw new Error(`Settings are not usable:\n  ${name}: given twice, also as ${name}_FILE`);
    }
    try {
      copy[name] = readFileSync(path, "utf8").trimEnd();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Settings are not usable:\n  ${name}_FILE: ${reason}`);
    }
  }
  return copy;
}
