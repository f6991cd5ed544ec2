import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, TRIALS } from "../measuring/folders.ts";
import { parseResult } from "../measuring/result.ts";

/** Programs in folders of their own, with their arguments. The other faults vary these five. */
const IN_FOLDERS: Record<string, string[]> = {
  faults: [
    "bench/faults/main.ts",
    ...["postgres-killed", "redis-empty", "broker-killed", "storage-refuses", "files-disk-full"],
  ],
  soak: ["bench/soak/main.ts"],
};
/** Those that take longest, which therefore begin first. */
const LONG = ["faults", "pages", "growth", "soak"];
/** Those that need something from the Internet, which the tests don't use. */
const NEED_INTERNET = ["peer"];
const GIVE_UP_MS = 300_000;
const LAST_LINES = 12;
const MESSAGE_LENGTH = 500;

/** The names of all benches that are tested, in the order in which they are run. */
export const BENCHES: readonly string[] = [
  ...LONG,
  ...readdirSync(join(ROOT, "bench"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -3))
    .filter((name) => ![...LONG, ...NEED_INTERNET].includes(name)),
];

/**
 * Runs a bench with `--tiny` on a running PostgreSQL. Returns null if it ended well with a valid result, and else what
 * is wrong, with the last lines that it printed.
 */
export async function runTiny(name: string, postgresUrl: string): Promise<string | null> {
  const file = join(TRIALS, `${name}.json`);
  await rm(file, { force: true });
  const program = IN_FOLDERS[name] ?? [`bench/${name}.ts`];
  const flags = ["--tiny", `--json=${file}`];
  const { ending, output } = await runProgram([...program, ...flags], { BENCH_POSTGRES: postgresUrl });
  const problem = ending ?? (await problemOf(name, file));
  if (problem === null) return null;
  // Node prints a thrown error above its stack and its fields, which can fill the last lines.
  const thrown = /^\w*Error\b.*/m.exec(output)?.[0].slice(0, MESSAGE_LENGTH);
  const lastLines = output.trimEnd().split("\n").slice(-LAST_LINES);
  return [thrown ? `${problem}: ${thrown}` : problem, ...lastLines].join("\n");
}

async function problemOf(name: string, file: string): Promise<string | null> {
  try {
    const result = parseResult(await readFile(file, "utf8"));
    if (result.bench !== name) return `It wrote the result of ${result.bench}`;
    return result.isTiny ? null : "It ran in full in spite of --tiny";
  } catch (error) {
    return `It wrote no valid result: ${error instanceof Error ? error.message : error}`;
  }
}

interface Run {
  /** null if the program ended well */
  ending: string | null;
  output: string;
}

function runProgram(args: string[], env: Record<string, string>): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", ...args], {
      ...{ cwd: ROOT, env: { ...process.env, ...env } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, GIVE_UP_MS);
    child.once("error", (error) => resolve({ ending: error.message, output }));
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      const late = isLate ? `It did not end within ${GIVE_UP_MS / 1000} s` : null;
      resolve({ ending: late ?? (code === 0 ? null : `It ended with ${signal ?? code}`), output });
    });
  });
}
