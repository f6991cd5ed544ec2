import { readFileSync } from "node:fs";

/**
 * Returns `env` with the value of each NAME read from the file in NAME_FILE, without the line end. @throws Error with
 * the setting's name if the file can't be read or both are set
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
