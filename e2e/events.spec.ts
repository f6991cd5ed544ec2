import type { Page } from "@playwright/test";
import { call, createRoom, createStay, findStay, roomLink } from "./support/desk.ts";
import { test } from "./support/own-server.ts";
import { expect, OWNER } from "./support/test.ts";

/** Changes at one desk appear at another, and no page refetches what they don't affect. */
const LIVE = /\/api\/events$/;

/** Last request of every page: the bell is loaded once the page has been drawn. */
const BELL = /alerts\.unread/;

/** Opens an address at a desk and waits until its stream is open and its page has been read. */
async function openLive(desk: Page, address: string): Promise<void> {
  const responses = [desk.waitForResponse(LIVE), desk.waitForResponse(BELL)];
  await desk.goto(address);
  await Promise.all(responses);
  await desk.waitForLoadState("domcontentloaded");
}

/** Collects the names of the queries that a page sends from now on. */
function queriesOf(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/api/board") names.push("board");
    if (request.method() === "GET" && pathname.startsWith("/api/trpc/"))
      names.push(...pathname.slice("/api/trpc/".length).split(","));
  });
  return names;
}

test.beforeEach(async ({ enter }) => enter());

test("a check-in and a payment appear at another desk on the pages of guests, the room and money", async ({
  page,
  t,
  tag,
  openDesk,
}) => {
  const roomId = await createRoom(page, tag, 10_000);
  const guest = `Sophie Germain ${tag}`;
  const guests = await openDesk(OWNER);
  await openLive(guests, `/guests?q=${tag}`);
  await expect(guests.getByText(t("nav.guests")).first()).toBeVisible();
  const room = await openDesk(OWNER);
  await openLive(room, `/room/${roomId}`);
  await expect(room.getByRole("heading", { name: tag })).toBeVisible();
  const money = await openDesk(OWNER);
  await openLive(money, `/orders?q=${tag}`);
  await expect(money.getByText(t("nav.folio")).first()).toBeVisible();

  await createStay(page, "checkIn", { roomId, guest });
  await expect(guests.getByText(guest).first()).toBeVisible();
  await expect(room.getByText(guest).first()).toBeVisible();
  await expect(money.getByText(guest).first()).toBeVisible();

  const { id: stayId, money: before } = await findStay(page, guest);
  const readQueries = queriesOf(money);
  await call(page, "mutation", "folio.pay", { stayId, channel: "cash", amountMinor: before.owedMinor });
  await expect.poll(() => readQueries).toContain("folio.list");
});

test("a change on the board refreshes only the board, here and at another desk", async ({ page, t, tag, openDesk }) => {
  await createRoom(page, tag, 10_000);
  const staff = await openDesk(OWNER);
  await openLive(staff, "/staff");
  await expect(staff.getByRole("table", { name: t("nav.staff") })).toBeVisible();
  await openLive(page, `/room?q=${tag}`);
  await expect(page.getByText(t("board.live"), { exact: true }).first()).toBeVisible();
  const mark = async (as: "Dirty" | "Clean"): Promise<void> => {
    await roomLink(page, t, tag).click();
    await page.getByRole("button", { name: t(`board.mark${as}`) }).click();
    await page.keyboard.press("Escape");
  };
  const here = queriesOf(page);
  const there = queriesOf(staff);
  // By then the page's own first queries have been sent.
  await mark("Dirty");
  await expect.poll(() => here).toContain("board");
  await expect(page.getByRole("link", { name: t("status.dirty") })).toBeVisible();
  here.length = 0;

  await mark("Clean");
  await expect.poll(() => here).toContain("board");
  await call(page, "mutation", "staff.save", {
    name: `Desk ${tag}`,
    account: `events-${tag.toLowerCase()}@example.com`,
    password: `key-of-${tag}`,
    role: "administrator",
  });
  await expect.poll(() => there).toContain("staff.list");
  expect(there.filter((name) => name === "staff.list")).toHaveLength(1);
  expect(new Set(there.filter((name) => name !== "system.condition"))).toEqual(new Set(["staff.list"]));
  expect(new Set(here.filter((name) => name !== "system.condition"))).toEqual(new Set(["board"]));
});

test("changes made while a desk was disconnected appear when it reconnects", async ({ page, t, tag, openDesk }) => {
  const roomId = await createRoom(page, tag, 10_000);
  const guest = `Lise Meitner ${tag}`;
  const other = await openDesk(OWNER);
  await openLive(other, `/guests?q=${tag}`);
  await expect(other.getByText(t("nav.guests")).first()).toBeVisible();
  await other.context().setOffline(true);
  await expect(other.locator("#connection-lost")).toBeVisible({ timeout: 20_000 });
  await createStay(page, "checkIn", { roomId, guest });
  await other.context().setOffline(false);
  await expect(other.getByText(guest).first()).toBeVisible({ timeout: 30_000 });
});
