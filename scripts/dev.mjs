import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { buildClient } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { bin, root } from "./lib/process.mjs";

// Runs server and console from source: the server restarts on changes, the console reloads itself and forwards API
// calls to the server.
await install();
await buildClient();
const port = (await isFree(3001)) ? 3001 : await freePort();
const children = [
  start(
    "tsx",
    ["watch", "--clear-screen=false", "--exclude", "**/dist/**", "src/main.ts", ...process.argv.slice(2)],
    "apps/server",
    {
      PORT: String(port),
      NODE_ENV: "development",
    },
  ),
  start("vite", [], "apps/web", { INNKEY_API: `http://127.0.0.1:${port}` }),
];

let code = 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
await Promise.all(
  children.map((child) => new Promise((done) => child.once("exit", done).once("exit", () => stop("SIGTERM")))),
);
process.exit(code);

function start(name, args, folder, env) {
  const where = name === "tsx" ? "" : folder;
  // Each child has a separate process group, so that Ctrl-C reaches it only once, through this script, and PostgreSQL
  // stops after the server.
  const child = spawn(bin(name, where), args, {
    cwd: join(root, folder),
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  child.once("exit", (status) => {
    code ||= status ?? 0;
  });
  return child;
}

/** Stops each child only once, because a second signal makes tsx kill the server in the middle of its graceful stop. */
function stop(signal) {
  for (const child of children.splice(0)) child.kill(signal);
}

function isFree(port) {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => done(free));
    });
  });
}
