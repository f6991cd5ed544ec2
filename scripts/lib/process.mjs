import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns the path of an executable that pnpm linked into a workspace package. */
export function bin(name, folder = "") {
  return join(root, folder, "node_modules", ".bin", name);
}

/** Exits with a message and no stack trace, for problems that the operator has to fix. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Runs a command quietly and resolves with its output; rejects with all of it when the command fails.
 * @param {string} command @param {string[]} args @param {{ cwd?: string, env?: object, show?: boolean }} [options]
 *   `show` also passes the output through as it comes.
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd = root, env = {}, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (show) process.stdout.write(text);
      });
    }
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(Object.assign(new Error(`${command} ${args.join(" ")} ended with ${signal ?? code}`), { output }));
    });
  });
}

/** Runs a long step and prints one line with its duration; on failure also everything the step printed. */
export async function step(title, work) {
  const since = Date.now();
  process.stdout.write(`${title} … `);
  try {
    const result = await work();
    console.log(`${((Date.now() - since) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log("failed");
    fail(`${error.message}\n\n${error.output ?? error.stack}`);
  }
}

/**
 * Replaces this script with a command as far as Node can: same terminal, forwarded signals, same exit code.
 * Ctrl-C reaches the whole process group including the child, so we forward only signals sent to this process alone.
 */
export function become(command, args, { cwd = root, env = {}, onExit = (code) => process.exit(code) } = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.on("SIGINT", () => {
    if (!process.stdin.isTTY) child.kill("SIGINT");
  });
  // npm sends SIGTERM only to its shell, which dies and leaves this process behind; we then stop the child too.
  const parent = process.ppid;
  const orphaned = () => process.ppid !== parent && child.kill("SIGTERM");
  if (process.env.npm_lifecycle_event) setInterval(orphaned, 500).unref();
  child.once("error", (error) => fail(error.message));
  child.once("exit", (code, signal) => onExit(code ?? 128 + constants.signals[signal]));
  return child;
}
