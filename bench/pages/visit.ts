import type { BrowserContext, CDPSession, Page } from "@playwright/test";

/** Chromium's "Fast 3G" and a processor four times as slow. Source: presets of Chromium's developer tools. */
export const SLOW = { latencyMs: 562.5, downloadKilobytesPerSecond: 180, uploadKilobytesPerSecond: 84, processor: 4 };

export interface Visit {
  /** until anything is painted */
  paintedMs: number;
  /** until what the page is opened for is painted */
  contentMs: number;
  /** requests, and bytes on the wire, that began until then */
  requests: number;
  kilobytes: number;
}

interface Transfer {
  beganMs: number;
  bytes: number;
}

/** Opens a page and waits until an element of its content is painted. `page` stays open. */
export async function visit(
  context: BrowserContext,
  { url, content, isSlow }: { url: string; content: string; isSlow: boolean },
): Promise<{ visit: Visit; page: Page }> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  if (isSlow) await slowDown(devtools);
  const transfers = await followTransfers(devtools);
  await page.addInitScript({ content: `(${WATCH_FOR})(${JSON.stringify(content)})` });
  await page.goto(url, { waitUntil: "commit", timeout: 120_000 });
  const seen = page.locator("html[data-content-at]");
  await seen.waitFor({ state: "attached", timeout: 120_000 });
  const contentMs = Number(await seen.getAttribute("data-content-at"));
  const { paintedMs, openedAtMs } = await page.evaluate(() => ({
    paintedMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    openedAtMs: performance.timeOrigin,
  }));
  const needed = [...transfers.values()].filter(({ beganMs }) => beganMs - openedAtMs <= contentMs);
  const bytes = needed.reduce((sum, transfer) => sum + transfer.bytes, 0);
  return { visit: { paintedMs, contentMs, requests: needed.length, kilobytes: bytes / 1000 }, page };
}

async function slowDown(devtools: CDPSession): Promise<void> {
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: SLOW.latencyMs,
    downloadThroughput: SLOW.downloadKilobytesPerSecond * 1000,
    uploadThroughput: SLOW.uploadKilobytesPerSecond * 1000,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW.processor });
}

async function followTransfers(devtools: CDPSession): Promise<Map<string, Transfer>> {
  const transfers = new Map<string, Transfer>();
  devtools.on("Network.requestWillBeSent", ({ requestId, request, wallTime }) => {
    if (request.url.startsWith("http")) transfers.set(requestId, { beganMs: wallTime * 1000, bytes: 0 });
  });
  devtools.on("Network.requestServedFromCache", ({ requestId }) => void transfers.delete(requestId));
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache) transfers.delete(requestId);
  });
  devtools.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId);
    if (transfer) transfer.bytes += encodedDataLength;
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId);
    if (transfer) transfer.bytes = encodedDataLength;
  });
  await devtools.send("Network.enable");
  return transfers;
}

// The programs for the page are texts, because tsx adds calls of its own to functions.

/** Notes when the element has been in two frames, the first of which is painted by then. */
const WATCH_FOR = `(selector) => {
  const look = () => {
    if (!document.querySelector(selector)) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      document.documentElement.dataset.contentAt = String(performance.now());
    });
  };
  look();
}`;

/** Makes a promise of the milliseconds from the next press until the element is painted. */
const WATCH_OPENING = `(selector) => {
  globalThis.opening = new Promise((resolve) => {
    const look = (pressedAt) => {
      if (!document.querySelector(selector)) return requestAnimationFrame(() => look(pressedAt));
      requestAnimationFrame(() => resolve(performance.now() - pressedAt));
    };
    addEventListener("pointerdown", ({ timeStamp }) => look(timeStamp), { capture: true, once: true });
  });
}`;

/** Returns the milliseconds from a press on the button until what it opens is painted. */
export async function measureOpening(page: Page, button: string, opened: string): Promise<number> {
  await page.locator(button).first().hover();
  await page.evaluate(`(${WATCH_OPENING})(${JSON.stringify(opened)})`);
  await page.mouse.down();
  await page.mouse.up();
  await page.locator(opened).waitFor();
  return page.evaluate<number>("globalThis.opening");
}
