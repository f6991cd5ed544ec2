import type { Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";

/** What a browser that was never here fetches of scripts before there is something to do: bytes on the wire, heads included. */
const LOGIN_BYTES = 120_000;
const BOARD_BYTES = 220_000;

async function scriptsOf(page: Page): Promise<{ bytes: () => number; underWay: () => number }> {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.clearBrowserCache");
  const asked = new Set<string>();
  let bytes = 0;
  network.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (new URL(request.url).pathname.endsWith(".js")) asked.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (asked.delete(requestId)) bytes += encodedDataLength;
  });
  return { bytes: () => bytes, underWay: () => asked.size };
}

test("the login is light", async ({ page, t }) => {
  const scripts = await scriptsOf(page);
  await page.goto("/login");
  await expect(page.getByRole("button", { name: t("auth.login"), exact: true })).toBeVisible();
  await expect.poll(scripts.underWay).toBe(0);
  expect(scripts.bytes()).toBeGreaterThan(0);
  expect(scripts.bytes()).toBeLessThan(LOGIN_BYTES);
});

test("the board is light", async ({ page, enter }) => {
  await enter();
  await page.goto("about:blank");
  const scripts = await scriptsOf(page);
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  await expect.poll(scripts.underWay).toBe(0);
  expect(scripts.bytes()).toBeGreaterThan(0);
  expect(scripts.bytes()).toBeLessThan(BOARD_BYTES);
});
