import { call, createRoom, createStay, openLive } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

test("the overview shows the state of the hotel, and each part links to its list", async ({
  page,
  t,
  enter,
  expectAccessible,
  picture,
}) => {
  await enter();
  await page.goto("/home");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: t("nav.home") })).toBeVisible();
  await expect(main.getByRole("heading", { name: t("home.occupancy") })).toBeVisible();
  await expect(main.getByRole("heading", { name: t("home.revenue.today") })).toBeVisible();
  // Other tests check guests in and out meanwhile, so what the page shows is held against a count of the same moment.
  await expect(async () => {
    const { rooms } = await call<{ rooms: Record<string, number> }>(page, "query", "home.overview", undefined);
    const lettable = Object.values(rooms).reduce((sum, count) => sum + count, 0) - (rooms.maintenance ?? 0);
    const taken = t("home.taken", { taken: String(rooms.checked_in), rooms: String(lettable) });
    await expect(main.getByRole("img", { name: taken })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
  await expectAccessible();
  await picture("home");
  await main.getByRole("link", { name: t("status.vacant") }).click();
  await expect(page).toHaveURL(/\/room\?status=vacant/);
  await page.goto("/room?status=leaving");
  await page.getByRole("link", { name: t("board.byTime") }).click();
  await expect(page).toHaveURL(/\/home\?list=departures/);
  await expect(main.getByRole("tab", { name: t("home.lists.departures"), selected: true })).toBeVisible();
});

test("a guest is checked in and out from the lists of today", async ({ page, t, tag, enter }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const guest = `Guest ${tag}`;
  await createStay(page, "reserve", { roomId, guest });
  await page.goto("/home");
  const main = page.getByRole("main");
  const row = main.getByRole("tabpanel").getByRole("listitem").filter({ hasText: guest });
  await expect(row).toContainText(tag);
  await expect(row).toContainText(t("home.row.noDocument"));
  await row.getByRole("button", { name: t("home.row.act", { act: t("board.checkIn"), guest, room: tag }) }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("board.checkIn") }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toBeHidden();

  await main.getByRole("tab", { name: t("home.lists.inHouse") }).click();
  await row.getByRole("button", { name: t("home.row.act", { act: t("board.checkOut"), guest, room: tag }) }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: t("stay.checkOut") })).toBeVisible();
});

test("a change at another desk appears at once", async ({ page, t, tag, enter }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  await openLive(page, "/home?list=inHouse");
  await expect(page.getByRole("heading", { name: t("home.occupancy") })).toBeVisible();
  const guests = [{ name: `Guest ${tag}` }];
  const stay = { roomId, unit: "hour", startsAt: inHours(0), endsAt: inHours(2), guests, agreedTotalMinor: 5000 };
  await call(page, "mutation", "stays.checkIn", stay);
  await expect(page.getByRole("tabpanel").getByText(`Guest ${tag}`)).toBeVisible();
});
