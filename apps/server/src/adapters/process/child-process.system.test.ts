import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const CHILD_PROCESS = JSON.stringify(pathToFileURL(join(import.meta.dirname, "child-process.ts")).href);
const WAIT = { timeout: 20_000, interval: 20 };

let folder: string;
let started: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "innkey-child-process-"));
  started = [];
});
afterEach(async () => {
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

/** Starts a process that runs a task in a child process, and returns the lines that it prints as they come. */
async function start(work: string, options = "{}"): Promise<{ process: ChildProcess; lines: string[] }> {
  const task = join(folder, "task.ts");
  await writeFile(task, `import { serveTask } from ${CHILD_PROCESS}; serveTask(async (task, say) => { ${work} });`);
  const parent = join(folder, "parent.ts");
  await writeFile(
    parent,
    `import { runInChildProcess } from ${CHILD_PROCESS};
     runInChildProcess(new URL(${JSON.stringify(pathToFileURL(task).href)}), { key: new Uint8Array([1, 2]) },
       { purpose: "tests", say: console.log, ...${options} }).then(
       (result) => console.log("result", JSON.stringify(result)),
       (error) => console.log("error", error.message),
     );`,
  );
  const child = spawn(process.execPath, ["--import", "tsx", parent], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return { process: child, lines };
}

async function linesOf(work: string, options?: string): Promise<string[]> {
  const { process: parent, lines } = await start(work, options);
  await once(parent, "close");
  return lines;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("passes on the lines and the result of a task", async () => {
  expect(await linesOf(`say("half"); say(String(task.key[1])); return [task.key.length];`)).toEqual([
    "half",
    "2",
    "result [2]",
  ]);
});

it("passes on the message of an error, and says when the process of the task is killed", async () => {
  expect(await linesOf(`throw new Error("no table");`)).toEqual(["error no table"]);
  expect(await linesOf(`process.kill(process.pid, "SIGKILL"); await new Promise(() => {});`)).toEqual([
    expect.stringMatching(/^error .*SIGKILL/),
  ]);
});

it("is ended by its signal, and has the environment that it is given", async () => {
  expect(
    await linesOf(
      `await new Promise((resolve) => setTimeout(resolve, 60_000));`,
      "{ signal: AbortSignal.timeout(300) }",
    ),
  ).toEqual([expect.stringMatching(/^error .*abort/i)]);
  expect(await linesOf(`return [process.env.A, process.env.PATH];`, `{ env: { A: "b" } }`)).toEqual([
    'result ["b",null]',
  ]);
});

it("ends with the process that it works for, and leaves signals to it", async () => {
  const { process: parent, lines } = await start(`say(String(process.pid)); setInterval(() => say("still here"), 20);
    await new Promise(() => {});`);
  await vi.waitFor(() => expect(lines).not.toEqual([]), WAIT);
  const pid = Number(lines[0]);
  process.kill(pid, "SIGINT");
  const before = lines.length;
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(before + 2), WAIT);
  parent.kill("SIGKILL");
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), WAIT);
});
