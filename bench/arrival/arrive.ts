import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { chromium, type Page } from "@playwright/test";
import { CHROMIUM, CHROMIUM_ARGS } from "../../e2e/support/browser.ts";

/**
 * Durations in milliseconds. `totalMs` runs from `npm start` to the paint of the first rooms, without human typing
 * time.
 */
export interface Arrival {
  installMs: number;
  buildMs: number;
  /** from the end of the build to the printed address: starting the database, its schema and the demo hotel */
  startMs: number;
  /** from opening the address to the paint of the login screen; null without a browser */
  loginMs: number | null;
  /** from the click on "Log in" to the paint of the rooms; null without a browser */
  boardMs: number | null;
  totalMs: number;
}

const INSTALLING = "Installing packages";
const MAX_START_MS = 600_000;

/** Starts the console in a clone, opens its board and stops it again. */
export async function arrive(
  clone: string,
  env: Record<string, string>,
  { withBrowser }: { withBrowser: boolean },
): Promise<Arrival> {
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], {
    ...{ cwd: clone, detached: true, stdio: ["ignore", "pipe", "inherit"] as const },
    env: { ...process.env, ...env, PORT: "0", MQTT_PORT: "0" },
  });
  try {
    const output = await readOutput(child);
    const ready = performance.now();
    const visited = withBrowser ? await visit(output) : { loginMs: null, boardMs: null };
    const totalMs = ready - startedAt + (visited.loginMs ?? 0) + (visited.boardMs ?? 0);
    const steps = (of: (title: string) => boolean): number =>
      output.steps.reduce((sum, [title, seconds]) => sum + (of(title) ? seconds * 1000 : 0), 0);
    const installMs = steps((title) => title === INSTALLING);
    const buildMs = steps((title) => title !== INSTALLING);
    const startMs = ready - startedAt - installMs - buildMs;
    return { installMs, buildMs, startMs, ...visited, totalMs };
  } finally {
    await stop(child);
  }
}

interface Printed {
  url: string;
  account: string;
  password: string;
  steps: [title: string, seconds: number][];
}

/** Resolves with the address and login printed in the terminal, once all of it has appeared. */
function readOutput(child: ChildProcess): Promise<Printed> {
  const report: Partial<Printed> & Pick<Printed, "steps"> = { steps: [] };
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error("no output to read");
    const timer = setTimeout(() => reject(new Error("not ready in time")), MAX_START_MS);
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const step = /^(.+) … ([\d.]+) s$/.exec(line);
      if (step) report.steps.push([step[1] ?? "", Number(step[2])]);
      report.url ??= /ready at (http:\S+)/.exec(line)?.[1];
      report.account ??= /^\s*(\S+)\s+owner$/.exec(line)?.[1];
      report.password ??= /^\s*password\s+(\S+)$/.exec(line)?.[1];
      const { url, account, password, steps } = report;
      if (!url || !account || !password) return;
      clearTimeout(timer);
      resolve({ url, account, password, steps });
    });
  });
}

/** Logs in and opens the board with a fresh browser profile. */
async function visit({ url, account, password }: Printed): Promise<{ loginMs: number; boardMs: number }> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en" });
    const opened = performance.now();
    await page.goto(url);
    const submit = page.locator("form button[type=submit]");
    await submit.waitFor();
    await waitForPaint(page);
    const loginMs = performance.now() - opened;
    await page.locator("form input").first().fill(account);
    await page.locator("form input[type=password]").fill(password);
    const clicked = performance.now();
    await submit.click();
    await page.waitForURL((at) => !at.pathname.startsWith("/login"));
    if (!new URL(page.url()).pathname.startsWith("/room")) await page.goto(new URL("/room", url).href);
    await page.locator("[data-room]").first().waitFor();
    await waitForPaint(page);
    return { loginMs, boardMs: performance.now() - clicked };
  } finally {
    await browser.close();
  }
}

/** Waits for the second animation frame, by which time the first has been painted. */
const waitForPaint = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

/** Stops the whole process group: npm, its shell and the server. */
function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return Promise.resolve();
  child.removeAllListeners("exit");
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  process.kill(-child.pid, "SIGINT");
  return ended;
}
