import type { Page } from "@playwright/test";
import { createRoom, unfoldMenu } from "./support/desk.ts";
import { test } from "./support/own-server.ts";
import { expect } from "./support/test.ts";

/**
 * The server goes down and comes back: users keep what they see and have typed, and nothing is done that they did not
 * request.
 */
const NOTICED_MS = 20_000;
const BACK_MS = 45_000;

test.describe.configure({ mode: "serial", timeout: 180_000 });

/** Reports whether the page has not been reloaded, and collects the requests it sent that are not reads. */
async function watchPage(page: Page): Promise<{ isSamePage: () => Promise<boolean>; acts: string[] }> {
  await page.evaluate(() => Object.assign(window, { openedOnce: true }));
  const acts: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") acts.push(request.url());
  });
  const isSamePage = (): Promise<boolean> => page.evaluate(() => "openedOnce" in window);
  return { isSamePage, acts };
}

const bar = (page: Page) => page.locator("#connection-lost");

/**
 * Runs the page's clock forward by a minute, so that all timers of that time have fired. The final request makes sure
 * that the requests they caused have been recorded.
 */
async function passMinute(page: Page): Promise<void> {
  await page.clock.runFor(60_000);
  await page.evaluate(() => fetch("/healthz").catch(() => undefined));
}

test("the board stays when the server stops, says since when on every page, and recovers by itself", async ({
  page,
  server,
  t,
  enter,
}) => {
  await page.clock.install();
  await enter();
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  await expect(page.getByText(t("board.live"), { exact: true }).first()).toBeVisible();
  const { isSamePage, acts } = await watchPage(page);
  const firstCard = page.locator("[data-room]").first();
  await firstCard.focus();
  const act = page.locator("li").filter({ has: firstCard }).locator("button[title]").first();

  await server.kill();
  await expect(bar(page)).toBeVisible({ timeout: NOTICED_MS });
  await expect(bar(page)).toContainText(/\d:\d\d/);
  await expect(page.getByText(t("board.live"), { exact: true })).toHaveCount(0);
  await expect(act).toHaveAttribute("aria-disabled", "true");
  await expect(act).toHaveAttribute("aria-describedby", /connection-lost/);
  await firstCard.focus();
  for (const letter of ["c", "o", "v", "d"]) await page.keyboard.press(letter);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(bar(page)).toBeInViewport();
  await passMinute(page);
  await expect(page.locator("[data-room]").first()).toBeAttached();
  expect(await isSamePage()).toBe(true);

  await server.restart();
  await expect(bar(page)).toBeHidden({ timeout: BACK_MS });
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(page.getByText(t("board.live"), { exact: true }).first()).toBeVisible({ timeout: BACK_MS });
  await expect(act).not.toHaveAttribute("aria-disabled", "true");
  expect(await isSamePage()).toBe(true);
  expect(acts).toEqual([]);
});

test("an open check-in keeps its values during an outage, and sends nothing by itself during it or after", async ({
  page,
  server,
  t,
  tag,
  enter,
}) => {
  await page.clock.install();
  await enter();
  await page.goto("/room?status=vacant");
  const card = page.locator("[data-room]").first();
  await card.focus();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog");
  const name = dialog.getByRole("combobox").first();
  await name.fill(`Typed ${tag}`);
  const submit = dialog.locator("button[type=submit]");
  await expect(submit).toBeEnabled();
  const { isSamePage, acts } = await watchPage(page);

  await server.kill();
  await expect(bar(page)).toBeVisible({ timeout: NOTICED_MS });
  await expect(bar(page)).toBeInViewport();
  await expect(submit).toHaveAttribute("aria-describedby", /connection-lost/);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 700 });
  await expect
    .poll(async () => ((await dialog.boundingBox())?.y ?? 0) - ((await bar(page).boundingBox())?.height ?? 0))
    .toBeGreaterThanOrEqual(0);
  if (size) await page.setViewportSize(size);
  await name.press("Enter");
  await submit.click({ force: true });
  await expect(dialog.getByRole("button", { name: t("common.cancel"), exact: true })).not.toHaveAttribute(
    "aria-disabled",
  );
  await passMinute(page);
  expect(await isSamePage()).toBe(true);

  await server.restart();
  await expect(bar(page)).toBeHidden({ timeout: BACK_MS });
  await passMinute(page);
  await expect(name).toHaveValue(`Typed ${tag}`);
  expect(acts).toEqual([]);
  await submit.click();
  await expect(dialog.getByText(t("common.cancel"), { exact: true })).toBeHidden({ timeout: 20_000 });
  expect(acts).toHaveLength(1);
  expect(await isSamePage()).toBe(true);
});

test("buttons and menu items that change something are disabled while the server is unreachable, others aren't", async ({
  page,
  context,
  server,
  t,
  enter,
}) => {
  await enter();
  await page.goto("/guests?state=in");
  const rowMenu = page
    .getByRole("main")
    .getByRole("button", { name: t("common.actions"), exact: true })
    .first();
  await expect(rowMenu).toBeVisible();
  const board = await context.newPage();
  const drawerCode = board.waitForResponse(/room-drawer/);
  await board.goto("/room");
  const card = board.locator("[data-room]").first();
  const room = await context.newPage();
  const palette = room.waitForResponse(/command-palette/);
  await room.goto(`/room/${await card.getAttribute("data-room")}`);
  const openDoor = room.getByRole("main").getByRole("button", { name: t("board.openDoor"), exact: true });
  await expect(openDoor).toBeVisible();
  await palette;
  await drawerCode;

  await server.kill();
  for (const at of [page, board, room]) await expect(bar(at)).toBeVisible({ timeout: NOTICED_MS });
  await rowMenu.click();
  const acts = [t("stay.renew"), t("stay.changeRoom"), t("stay.checkOut")].map((name) =>
    page.getByRole("menuitem", { name, exact: true }),
  );
  for (const act of [...acts, openDoor]) {
    await expect(act).toHaveAttribute("aria-disabled", "true");
    await expect(act).toHaveAttribute("aria-describedby", /connection-lost/);
  }
  const cards = board.locator("li").filter({ has: board.locator("[data-room]") });
  await expect(cards.nth(1).locator("button[aria-disabled=true]").first()).toHaveCSS("opacity", "0");
  await card.click();
  const drawer = board.getByRole("dialog");
  await expect(drawer.getByRole("link", { name: t("board.openRoom"), exact: true })).toBeVisible();
  await expect(drawer.getByRole("button", { name: t("board.openDoor"), exact: true })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await room.keyboard.press("Control+k");
  await room.getByRole("combobox").fill(t("nav.keyCheck"));
  const keyCheck = room.getByRole("option", { name: t("nav.keyCheck"), exact: true });
  await expect(keyCheck).toHaveAttribute("aria-disabled", "true");
  await expect(keyCheck).toHaveAttribute("aria-describedby", /connection-lost/);
  await room.getByRole("combobox").fill(t("nav.guests"));
  await expect(room.getByRole("option", { name: t("nav.guests"), exact: true })).toHaveAttribute(
    "aria-disabled",
    "false",
  );
  await room.getByRole("combobox").fill("zzzz");
  await expect(room.getByRole("dialog").getByText(t("errors.network"), { exact: true })).toBeVisible();
  await room.keyboard.press("Escape");

  await server.restart();
  for (const at of [page, board, room]) await expect(bar(at)).toBeHidden({ timeout: BACK_MS });
  for (const act of [...acts, openDoor]) await expect(act).not.toHaveAttribute("aria-disabled");
});

test("a page that isn't loaded yet says so inside the frame during an outage, and opens afterwards", async ({
  page,
  server,
  t,
  enter,
}) => {
  await enter();
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  const { isSamePage } = await watchPage(page);
  await unfoldMenu(page.getByRole("navigation").first());
  await server.kill();
  for (const key of ["nav.timeline", "nav.nightAudit"] as const) {
    await page
      .getByRole("navigation")
      .getByRole("link", { name: t(key), exact: true })
      .first()
      .click();
    const main = page.getByRole("main");
    await expect(main.getByText(t("shell.notLoadedText"))).toBeVisible({ timeout: NOTICED_MS });
    await main.getByRole("button", { name: t("common.retry") }).click();
    await expect(main.getByText(t("shell.notLoadedText"))).toBeVisible();
    await expect(page.getByRole("navigation").getByRole("link").first()).toBeVisible();
    await expect(bar(page)).toBeVisible();
  }
  // The board was loaded before and remains readable.
  await page
    .getByRole("navigation")
    .getByRole("link", { name: t("nav.rooms"), exact: true })
    .first()
    .click();
  await expect(page.locator("[data-room]").first()).toBeVisible();
  await page
    .getByRole("navigation")
    .getByRole("link", { name: t("nav.timeline"), exact: true })
    .first()
    .click();
  await server.restart();
  await expect(page.getByRole("heading", { level: 1, name: t("nav.timeline") })).toBeVisible({ timeout: BACK_MS });
  await expect(page.getByText(t("board.live"), { exact: true }).first()).toBeVisible({ timeout: BACK_MS });
  expect(await isSamePage()).toBe(true);
});

test("a desk that loses its network says so at once, and doesn't send an attempted change later", async ({
  page,
  context,
  t,
  enter,
}) => {
  await page.clock.install();
  await enter();
  await page.goto("/room?status=dirty");
  const card = page.locator("[data-room]").first();
  await expect(card).toBeVisible();
  const { isSamePage, acts } = await watchPage(page);
  await context.setOffline(true);
  await expect(bar(page)).toBeVisible({ timeout: NOTICED_MS });
  await card.focus();
  await page.keyboard.press("v");
  await page.getByRole("button", { name: t("board.choose") }).click();
  await card.click();
  await page.getByRole("button", { name: t("board.markClean") }).click({ force: true });
  await passMinute(page);
  await context.setOffline(false);
  await expect(bar(page)).toBeHidden({ timeout: BACK_MS });
  await passMinute(page);
  expect(acts).toEqual([]);
  expect(await isSamePage()).toBe(true);
});

test("a server that answers only errors is not shown as live, and its errors are not shown as changes", async ({
  page,
  t,
  tag,
  enter,
}) => {
  await enter();
  await page.goto("/room");
  await expect(page.getByText(t("board.live"), { exact: true }).first()).toBeVisible();
  await page.route("**/api/board*", (route) => route.fulfill({ status: 500, json: { code: "internal" } }));
  // Another desk makes a change; this page is notified but can't read it.
  await createRoom(page, tag, 10_000);
  await expect(page.getByText(t("board.live"), { exact: true })).toHaveCount(0, { timeout: NOTICED_MS });
  await page.goto("/room");
  await expect(page.getByText(t("common.cannotShow"))).toBeVisible();
  await expect(page.getByText(t("errors.internal"))).toHaveCount(0);
});
