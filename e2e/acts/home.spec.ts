import { call, createRoom } from "../support/desk.ts";
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
  await expect(main.getByRole("heading", { name: t("nav.home") })).toBeVisible();
  await expect(main.getByRole("heading", { name: t("home.tonight") })).toBeVisible();
  await expect(main.getByRole("heading", { name: t("home.revenue.today") })).toBeVisible();
  await expectAccessible();
  await picture("home");
  await main.getByRole("link", { name: t("status.vacant") }).click();
  await expect(page).toHaveURL(/\/room\?status=vacant/);
  await page.goBack();
  await main.getByRole("link", { name: t("home.arrivals.title") }).click();
  await expect(page).toHaveURL(/\/room\?status=arriving/);
});

test("a change at another desk appears at once", async ({ page, t, tag, enter }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: t("home.tonight") })).toBeVisible();
  const read = page.waitForResponse((answer) => answer.url().includes("home.overview"), { timeout: 5000 });
  const guests = [{ name: `Guest ${tag}` }];
  const stay = { roomId, unit: "hour", startsAt: inHours(0), endsAt: inHours(2), guests, agreedTotalMinor: 5000 };
  await call(page, "mutation", "stays.checkIn", stay);
  expect((await read).ok()).toBe(true);
});
