import type { Page } from "@playwright/test";
import { createRoom, createStay, findStay, withholdChanges } from "./support/desk.ts";
import { expect, test } from "./support/test.ts";

/** A browser without HTTP/2 requests six files at once, so every further one may cost a round trip. */
const MAX_REQUESTS = 14;

/**
 * Limits on the scripts that a fresh browser loads before the page is usable, in bytes on the wire including headers.
 */
// The texts about an unavailable server belong to the first page, because they couldn't be loaded when they are needed.
const LOGIN_BYTES = 170_500;
const BOARD_BYTES = 270_000;

/** Fonts for names in Cyrillic, Polish and the like: whether they are needed depends on who stays in the demo hotel tonight. */
const FONT_OF_NAMES = /inter-(?!latin-wght)[\w-]+\.woff2$/;

interface Script {
  requestedMs: number;
  bytes: number | null;
}

/**
 * The page asks for what it doesn't show, such as the console's condition, and preloads what people may click next when
 * it has been open for so long. On a slow machine that may be before the content is there.
 */
const ASKED_LATER_MS = 1500;

/**
 * Returns the bytes of the scripts requested before the element was visible, and the number of all requests. What is
 * asked for later doesn't count, so its timers never fire.
 */
async function loadBefore(page: Page, selector: string): Promise<() => Promise<{ bytes: number; requests: number }>> {
  // An event of another desk loads the schema of events, which is no part of the first load.
  await withholdChanges(page);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.clearBrowserCache");
  const scripts = new Map<string, Script>();
  const requestedMs: number[] = [];
  network.on("Network.requestWillBeSent", ({ requestId, request, wallTime }) => {
    if (!request.url.startsWith("http") || FONT_OF_NAMES.test(request.url)) return;
    requestedMs.push(wallTime * 1000);
    if (new URL(request.url).pathname.endsWith(".js"))
      scripts.set(requestId, { requestedMs: wallTime * 1000, bytes: null });
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const script = scripts.get(requestId);
    if (script) script.bytes = encodedDataLength;
  });
  await page.addInitScript((askedLater) => {
    const set = window.setTimeout.bind(window);
    const early = (...[run, delay, ...rest]: Parameters<typeof set>) =>
      (delay ?? 0) >= askedLater ? 0 : set(run, delay, ...rest);
    window.setTimeout = early as typeof window.setTimeout;
  }, ASKED_LATER_MS);
  await page.addInitScript((searched) => {
    // At once and not in the next frame, which on a busy machine comes after requests that the shown page sends.
    const observer = new MutationObserver(() => {
      if (!document.querySelector(searched)) return;
      observer.disconnect();
      document.documentElement.dataset.thereAt = String(Date.now());
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  }, selector);
  return async () => {
    const there = page.locator("html[data-there-at]");
    await expect(there).toHaveCount(1);
    const thereAtMs = Number(await there.getAttribute("data-there-at"));
    const needed = () => [...scripts.values()].filter(({ requestedMs }) => requestedMs <= thereAtMs);
    await expect.poll(() => needed().filter(({ bytes }) => bytes === null).length).toBe(0);
    return {
      bytes: needed().reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      requests: requestedMs.filter((ms) => ms <= thereAtMs).length,
    };
  };
}

/** Returns what stands on the page instead of a text that it has not loaded. */
function keysOnPage(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [...document.querySelectorAll<HTMLElement>("body *")].flatMap((element) => [
      element.childElementCount === 0 ? element.textContent : null,
      ...["placeholder", "aria-label", "title"].map((name) => element.getAttribute(name)),
    ]);
    return texts.filter((text): text is string => text !== null && /^[a-z]+[A-Za-z]*(\.[A-Za-z]\w+)+$/.test(text));
  });
}

test("the login page loads within its limits", async ({ page, t }) => {
  const load = await loadBefore(page, "form button[type=submit]");
  await page.goto("/login");
  await expect(page.getByRole("button", { name: t("auth.login"), exact: true })).toBeVisible();
  const { bytes, requests } = await load();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LOGIN_BYTES);
  expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(await keysOnPage(page)).toEqual([]);
});

test("the board loads within its limits", async ({ page, enter }) => {
  await enter();
  await page.goto("about:blank");
  const load = await loadBefore(page, "[data-room]");
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  const { bytes, requests } = await load();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(BOARD_BYTES);
  expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
});

test("the board shows no text that is loaded after it", async ({ page, enter }) => {
  await enter();
  await page.goto("about:blank");
  // The other texts never arrive.
  await page.route("**/assets/en-*.js", async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    if (!body.includes("folio") || body.includes("signOut")) await route.fulfill({ response });
  });
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  expect(await keysOnPage(page)).toEqual([]);
});

for (const [path, content, maxRequests] of [
  ["/timeline", "[data-bar]", 17],
  ["/guests", "main tbody td", 16],
  ["/home", "main h2", 16],
] as const) {
  test(`${path} loads with few requests`, async ({ page, enter }) => {
    await enter();
    await page.goto("about:blank");
    const load = await loadBefore(page, content);
    await page.goto(path);
    await expect(page.locator(content).first()).toBeVisible();
    expect((await load()).requests).toBeLessThanOrEqual(maxRequests);
  });
}

test("a guest's page loads with few requests", async ({ page, tag, enter }) => {
  await enter();
  await createStay(page, "checkIn", { roomId: await createRoom(page, tag, 10_000), guest: `Ada ${tag}` });
  const [{ stayGuestId } = { stayGuestId: 0 }] = (await findStay(page, `Ada ${tag}`)).guests;
  await page.goto("about:blank");
  const load = await loadBefore(page, "main h2");
  await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
  await expect(page.locator("main h2").first()).toBeVisible();
  expect((await load()).requests).toBeLessThanOrEqual(25);
});
