import type { Page } from "@playwright/test";
import { call } from "./support/desk.ts";
import { test } from "./support/own-server.ts";
import { expect, OWNER, STAFF } from "./support/test.ts";

test.use({ serviceWorkers: "allow" });

const keptCaches = (page: Page): Promise<string[]> => page.evaluate(async () => (await caches.keys()).sort());

/** Opens the board and waits until it is kept. */
async function keepBoard(page: Page): Promise<void> {
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  await expect.poll(() => keptCaches(page)).toEqual(["innkey-board", "innkey-files"]);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

const keptText = (page: Page): Promise<string> =>
  page.evaluate(async () => (await caches.match("/kept-board"))?.text() ?? "");

test("without the server the last board is shown, read-only and with surnames only", async ({
  page,
  server,
  enter,
  picture,
  t,
}) => {
  await enter();
  await keepBoard(page);
  const { rooms } = (await (await page.request.get("/api/board")).json()) as {
    rooms: { name: string; current: { guestName: string } | null }[];
  };
  const names = rooms.flatMap(({ current }) => (current ? [current.guestName] : []));
  const fullNames = names.filter((name) => name.includes(" "));
  expect(fullNames.length).toBeGreaterThan(3);
  const text = await keptText(page);
  for (const name of fullNames) expect(text).not.toContain(name);
  expect(text).not.toMatch(/mobile|stayId|guestCount|note/);

  await server.kill();
  await page.goto("/guests");
  const board = page.locator("[data-kept-board]");
  await expect(board).toBeVisible();
  await expect(board.getByRole("listitem")).toHaveCount(rooms.length);
  await expect(board.getByText(t("board.keptText"))).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(1);
  await expect(page.getByRole("link")).toHaveCount(0);
  await picture("kept-board");

  await server.restart();
  await page.getByRole("button", { name: t("common.retry") }).click();
  await expect(board).toBeHidden();
  await expect(page.locator("main h1")).toBeVisible();
});

test("nothing is kept after signing out", async ({ page, enter, t }) => {
  await enter();
  await keepBoard(page);
  await page.getByRole("button", { name: t("shell.userMenu", { name: "" }).trim() }).first().click();
  await page.getByRole("menuitem", { name: t("shell.signOut") }).click();
  await page.waitForURL(/\/login/);
  expect(await keptCaches(page)).toEqual([]);
});

test("nothing is kept after the operator was frozen", async ({ page, openDesk, enter }) => {
  await enter(STAFF);
  await keepBoard(page);
  const owner = await openDesk(OWNER);
  const { rows } = await call<{ rows: { id: number; mobile: string | null }[] }>(owner, "query", "staff.list", {
    keyword: STAFF,
    page: 1,
    pageSize: 20,
  });
  const staff = rows.find(({ mobile }) => mobile === STAFF);
  await call(owner, "mutation", "staff.setFrozen", { operatorId: staff?.id, frozen: true });
  await page.waitForURL(/\/login/);
  await expect.poll(() => keptCaches(page)).toEqual([]);
});
