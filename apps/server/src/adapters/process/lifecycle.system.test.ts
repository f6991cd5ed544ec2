import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterEach, expect, it, vi } from "vitest";

const LIFECYCLE = JSON.stringify(pathToFileURL(join(import.meta.dirname, "lifecycle.ts")).href);
const WAIT = { timeout: 20_000, interval: 20 };
/** A process whose shutdown takes this long. */
const programOf = (shutdownMs: number): string => `import { createShutdown } from ${LIFECYCLE};
  const shutdown = createShutdown();
  shutdown.add("work", async () => { await new Promise((done) => setTimeout(done, ${shutdownMs})); console.log("closed"); });
  setInterval(() => {}, 1000);
  console.log("pid " + process.pid);`;

let started: ChildProcess | undefined;
afterEach(() => started?.kill("SIGKILL"));

const NODE = ["--import", "tsx", "--input-type=module", "-e"];

async function start(
  command: string,
  args: string[],
  env: object = {},
): Promise<{ child: ChildProcess; lines: string[] }> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } });
  started = child;
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await vi.waitFor(() => expect(lines.some((line) => line.startsWith("pid "))).toBe(true), WAIT);
  return { child, lines };
}

it("closes everything when Ctrl-C comes from the terminal and from npm", async () => {
  const { child, lines } = await start(process.execPath, [...NODE, programOf(1_000)]);
  child.kill("SIGINT");
  await vi.waitFor(() => expect(lines).toContain("Stopping …"), WAIT);
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(lines).toContain("closed");
});

it("ends at once at the second Ctrl-C of a person", async () => {
  const { child, lines } = await start(process.execPath, [...NODE, programOf(9_000)]);
  child.kill("SIGINT");
  await vi.waitFor(() => expect(lines).toContain("Stopping …"), WAIT);
  const ended = vi.fn();
  child.once("close", ended);
  await vi.waitFor(() => {
    child.kill("SIGINT");
    expect(ended).toHaveBeenCalledWith(1, null);
  }, WAIT);
  expect(lines).not.toContain("closed");
});

it("stops below npm start when npm is killed", async () => {
  const parent = `const { spawn } = require("node:child_process");
    spawn(process.execPath, ${JSON.stringify([...NODE, programOf(0)])}, { stdio: "inherit" });`;
  const { child, lines } = await start(process.execPath, ["-e", parent], { npm_lifecycle_event: "start" });
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(lines).toContain("closed"), WAIT);
});
