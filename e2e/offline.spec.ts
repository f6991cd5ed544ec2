import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { copyBuild } from "./support/copy-build.ts";
import { call, createRoom, createStay, logInThroughApi, newMac } from "./support/desk.ts";
import { test } from "./support/own-server.ts";
import { launchServer } from "./support/server.ts";
import { expect, OWNER, STAFF } from "./support/test.ts";

test.use({ serviceWorkers: "allow" });

/** The page asks for the server again after at most 12.5 seconds. */
const BACK_MS = 45_000;

const readCacheNames = (page: Page): Promise<string[]> => page.evaluate(async () => (await caches.keys()).sort());

/** Opens the board and waits until it is kept. */
async function keepBoard(page: Page): Promise<void> {
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  await expect.poll(() => readCacheNames(page)).toEqual(["innkey-board", "innkey-files"]);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

const readKeptFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const requests = await (await caches.open("innkey-files")).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });

const readKeptText = (page: Page): Promise<string> =>
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
  const text = await readKeptText(page);
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
  // The page that was asked for appears by itself.
  await expect(board).toBeHidden({ timeout: BACK_MS });
  await expect(page.locator("main h1")).toBeVisible();
});

test("without the server a card's end names the rooms that have such a card", async ({
  page,
  server,
  enter,
  t,
  tag,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "checkIn", { roomId, guest: `Anna Kept${tag}` });
  await call(page, "mutation", "locks.save", { mac: newMac(), roomId });
  const uid = `04${randomBytes(4).toString("hex").toUpperCase()}BEEF`;
  await call(page, "mutation", "cards.addOverTheAir", { uid, stayId });
  await keepBoard(page);
  await expect.poll(() => readKeptText(page)).toContain("BEEF");
  expect(await readKeptText(page)).not.toContain(uid.slice(-6));

  await server.kill();
  await page.goto("/room");
  const card = page.getByRole("textbox", { name: t("board.keptCard") });
  const answer = page.locator("[data-kept-board] section").filter({ has: card }).getByRole("status");
  await card.fill(uid);
  await expect(answer).toContainText(`Kept${tag}`);
  await expect(answer).not.toContainText("Anna");
  await card.fill("F00D");
  await expect(answer).toHaveText(t("board.keptCardNone"));
  await server.restart();
});

test("nothing is kept after signing out", async ({ page, enter, t }) => {
  await enter();
  await keepBoard(page);
  const { session } = await call<{ session: { name: string } }>(page, "query", "auth.status", undefined);
  await page.getByRole("button", { name: t("shell.userMenu", { name: session.name }) }).click();
  await page.getByRole("menuitem", { name: t("shell.signOut") }).click();
  await page.waitForURL(/\/login/);
  await expect.poll(() => readCacheNames(page)).toEqual([]);
});

test("nothing is kept after the operator was frozen", async ({ page, openDesk, enter }) => {
  await enter(STAFF);
  await keepBoard(page);
  const owner = await openDesk(OWNER);
  const members = await call<{ operatorId: number; mobile: string | null }[]>(owner, "query", "staff.list", undefined);
  const staff = members.find(({ mobile }) => mobile === STAFF);
  const freeze = (frozen: boolean) =>
    call(owner, "mutation", "staff.freeze", { operatorId: staff?.operatorId, frozen });
  await freeze(true);
  try {
    await page.waitForURL(/\/login/);
    await expect.poll(() => readCacheNames(page)).toEqual([]);
  } finally {
    await freeze(false);
  }
});

test("after an update only the new build runs and is kept", async ({ browser }) => {
  const build = await copyBuild();
  const password = process.env.E2E_PASSWORD ?? "";
  const server = await launchServer({ main: build.main, env: { DEMO_PASSWORD: password } });
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: "allow" });
  try {
    const page = await context.newPage();
    await logInThroughApi(page, OWNER, password);
    await keepBoard(page);
    const before = await readKeptFiles(page);
    await server.kill();
    const [oldFile, newFile] = await build.update();
    expect(before).toContain(oldFile);
    await server.restart();
    await page.goto("/room");
    const html = page.locator("html");
    await expect(html).toHaveAttribute("data-build", "second");
    await expect.poll(() => readKeptFiles(page)).toContain(newFile);
    await expect.poll(() => readKeptFiles(page)).not.toContain(oldFile);
    await server.kill();
    await page.goto("/room");
    await expect(page.locator("[data-kept-board]")).toBeVisible();
    await expect(html).toHaveAttribute("data-build", "second");
  } finally {
    await context.close();
    await server.stop();
    await build.remove();
  }
});
