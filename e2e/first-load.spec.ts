import type { Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";

/**
 * Limits on the scripts that a fresh browser loads before the page is usable, in bytes on the wire including headers.
 */
// The texts about an unavailable server belong to the first page, because they couldn't be loaded when they are needed.
const LOGIN_BYTES = 167_900;
const BOARD_BYTES = 269_300;

interface Script {
  requestedMs: number;
  bytes: number | null;
}

/** The page preloads what people may click next when it has been open for so long, however slow the machine is. */
const PRELOADED_AFTER_MS = 3000;

/**
 * Returns the bytes of the scripts requested before the element was visible. Scripts preloaded for later clicks don't
 * count, so their timers never fire.
 */
async function scriptsBefore(page: Page, path: string): Promise<() => Promise<number>> {
  // An event of another desk loads the schema of events, which is no part of the first load.
  await page.route("**/api/events", () => undefined);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.clearBrowserCache");
  const scripts = new Map<string, Script>();
  network.on("Network.requestWillBeSent", ({ requestId, request, wallTime }) => {
    if (new URL(request.url).pathname.endsWith(".js"))
      scripts.set(requestId, { requestedMs: wallTime * 1000, bytes: null });
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const script = scripts.get(requestId);
    if (script) script.bytes = encodedDataLength;
  });
  await page.addInitScript((preloadedAfter) => {
    const set = window.setTimeout.bind(window);
    const early = (...[run, delay, ...rest]: Parameters<typeof set>) =>
      (delay ?? 0) >= preloadedAfter ? 0 : set(run, delay, ...rest);
    window.setTimeout = early as typeof window.setTimeout;
  }, PRELOADED_AFTER_MS);
  await page.addInitScript((selector) => {
    const look = (): void => {
      if (document.querySelector(selector)) document.documentElement.dataset.thereAt = String(Date.now());
      else requestAnimationFrame(look);
    };
    look();
  }, path);
  return async () => {
    const there = page.locator("html[data-there-at]");
    await expect(there).toHaveCount(1);
    const thereAtMs = Number(await there.getAttribute("data-there-at"));
    const needed = () => [...scripts.values()].filter(({ requestedMs }) => requestedMs <= thereAtMs);
    await expect.poll(() => needed().filter(({ bytes }) => bytes === null).length).toBe(0);
    return needed().reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  };
}

test("the login page loads within its size limit", async ({ page, t }) => {
  const bytes = await scriptsBefore(page, "form button[type=submit]");
  await page.goto("/login");
  await expect(page.getByRole("button", { name: t("auth.login"), exact: true })).toBeVisible();
  expect(await bytes()).toBeGreaterThan(0);
  expect(await bytes()).toBeLessThan(LOGIN_BYTES);
});

test("the board loads within its size limit", async ({ page, enter }) => {
  await enter();
  await page.goto("about:blank");
  const bytes = await scriptsBefore(page, "[data-room]");
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  expect(await bytes()).toBeGreaterThan(0);
  expect(await bytes()).toBeLessThan(BOARD_BYTES);
});
