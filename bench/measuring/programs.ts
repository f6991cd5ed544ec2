import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ROOT } from "./folders.ts";
import type { LoadPlan, LoadResult } from "./load.ts";

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

export interface Program {
  url: string;
  pid: number;
  /** resident memory in MB, after a moment to settle */
  memory(): Promise<number>;
  /** CPU time used so far, in milliseconds, of all threads */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a server in a separate process and waits until it prints its address. */
export async function startProgram(args: string[], env: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /ready at (http:\S+)/.exec(line)?.[1];
      if (address) resolve(address.replace("localhost", "127.0.0.1"));
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    async cpuMs() {
      const stat = await readFile(`/proc/${child.pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
    },
    stop: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

export async function load(plan: LoadPlan): Promise<LoadResult> {
  const script = fileURLToPath(new URL("load.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, JSON.stringify(plan)], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) printed += chunk;
  return JSON.parse(printed) as LoadResult;
}
