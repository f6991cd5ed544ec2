import type { Locator, Page } from "@playwright/test";
import { call, createRoom, newMac } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/**
 * The timeline of rooms and days: what is drawn is previewed with its price and its effect on the locks before it is
 * saved.
 */
const DAY_MS = 86_400_000;
const DAYS = 14;
/** One moment for all dates, because a test may run across midnight. */
const NOW_MS = Date.now();

/** Returns the date some days from now; noon UTC falls on the same hotel-local date in the demo hotels. */
const dateIn = (days: number): string => new Date(NOW_MS + days * DAY_MS).toISOString().slice(0, 10);
const at = (days: number, hour: number): string => `${dateIn(days)}T${String(hour).padStart(2, "0")}:00:00.000Z`;

async function reserve(page: Page, roomId: number, guest: string, from: number, to: number): Promise<number> {
  const input = { roomId, unit: "day", startsAt: at(from, 8), endsAt: at(to, 3), guests: [{ name: guest }] };
  return (await call<{ stayId: number }>(page, "mutation", "stays.reserve", input)).stayId;
}

const stayOf = (page: Page, stayId: number) =>
  call<{ room: { id: number }; startsAt: string; endsAt: string; money: { chargedMinor: number } }>(
    page,
    "query",
    "stays.detail",
    { stayId },
  );

/** Returns the middle of a day on a room's line, in pixels; time runs the other way in right-to-left languages. */
async function dayPosition(page: Page, roomId: number, day: number): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-room="${roomId}"] [data-days]`).boundingBox();
  if (!box) throw new Error("the line is not shown");
  const distance = (day / DAYS) * box.width;
  const rtl = (await page.locator("html").getAttribute("dir")) === "rtl";
  return { x: rtl ? box.x + box.width - distance : box.x + distance, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

const barOf = (page: Page, roomId: number): Locator => page.locator(`[data-room="${roomId}"] [data-bar]`);
const open = async (page: Page, tag: string, from = 1): Promise<void> => {
  await page.goto(`/timeline?days=${DAYS}&from=${dateIn(from)}&q=${tag}`);
};

test("dragging over free nights opens a booking with that room and those days", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  await open(page, tag);
  await expect(page.getByRole("grid")).toBeVisible();
  await expectAccessible();
  await drag(page, await dayPosition(page, roomId, 2.5), await dayPosition(page, roomId, 5.5));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: t("stay.reserveRoom", { room: tag }) })).toBeVisible();
  await picture("drawn");
  await dialog.getByLabel(t("guest.name")).fill(`Drawn ${tag}`);
  await dialog
    .getByRole("button", { name: t("stay.reserve") })
    .last()
    .click();
  await expect(dialog).toBeHidden();
  await expect(barOf(page, roomId)).toHaveCount(1);
  await expect(barOf(page, roomId)).toContainText(`Drawn ${tag}`);
  const { rows } = await call<{ rows: { stayId: number }[] }>(page, "query", "guests.list", {
    keyword: `Drawn ${tag}`,
  });
  const stay = await stayOf(page, rows[0]?.stayId ?? 0);
  expect(Date.parse(stay.endsAt) - Date.parse(stay.startsAt)).toBeLessThan(3 * DAY_MS);
  expect(stay.money.chargedMinor).toBe(30_000);
});

test("a departure is moved with the keyboard alone", async ({ page, t, tag, enter, language, expectAccessible }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await reserve(page, roomId, `Keys ${tag}`, 3, 5);
  await open(page, tag);
  const later = language === "Arabic" ? "ArrowLeft" : "ArrowRight";
  await page.locator(`[data-room="${roomId}"] [data-stop]:not([data-bar])`).first().focus();
  for (let n = 0; n < 4 && (await barOf(page, roomId).evaluate((bar) => bar !== document.activeElement)); n += 1) {
    await page.keyboard.press(later);
  }
  await expect(barOf(page, roomId)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: t("timeline.extend") })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(barOf(page, roomId)).toBeFocused();
  await page.keyboard.press("e");
  const mode = page.getByRole("toolbar", { name: t("timeline.mode.extend") });
  await expect(mode).toBeVisible();
  await page.keyboard.press(later);
  await page.keyboard.press(later);
  await expectAccessible();
  await page.keyboard.press("Escape");
  await expect(mode).toBeHidden();
  await expect(barOf(page, roomId)).toBeFocused();
  await page.keyboard.press("e");
  await page.keyboard.press(later);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  const submit = dialog.getByRole("button", { name: t("timeline.kind.move") });
  await expect(submit).toBeVisible();
  await submit.click();
  await expect(dialog).toBeHidden();
  const stay = await stayOf(page, stayId);
  expect(stay.money.chargedMinor).toBe(30_000);
  expect(stay.endsAt.slice(0, 10)).toBe(dateIn(6));
});

test("a reservation dragged to another room and day shows price and locks first, and can be undone", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const [one, two] = [`${tag}A`, `${tag}B`];
  const from = await createRoom(page, one, 10_000, newMac());
  const to = await createRoom(page, two, 12_000, newMac());
  const stayId = await reserve(page, from, `Moved ${tag}`, 3, 5);
  await call(page, "mutation", "passcodes.create", { type: "air", roomIds: [from], stayId, person: `Moved ${tag}` });
  await open(page, tag);
  await expect(barOf(page, from)).toBeVisible();
  await drag(page, await dayPosition(page, from, 3), await dayPosition(page, to, 4));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: t("timeline.kind.move") })).toBeVisible();
  await expect(dialog.getByRole("region", { name: t("stay.bill") })).toBeVisible();
  const locks = dialog.getByRole("region", { name: t("timeline.locks") });
  await expect(locks.getByText(t("board.roomNamed", { name: two }))).toBeVisible();
  await expect(locks).toContainText(`Moved ${tag}`);
  await picture("preview");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("timeline.kind.move") }).click();
  await expect(dialog).toBeHidden();
  await expect(barOf(page, to)).toBeVisible();
  expect(await stayOf(page, stayId)).toMatchObject({ room: { id: to }, money: { chargedMinor: 24_000 } });
  await page.getByRole("button", { name: t("common.undo") }).click();
  await expect(barOf(page, from)).toBeVisible();
  expect(await stayOf(page, stayId)).toMatchObject({ room: { id: from }, money: { chargedMinor: 20_000 } });
});

test("a move to an occupied room is refused and names the guest", async ({ page, t, tag, enter, picture }) => {
  await enter();
  const [from, to] = [await createRoom(page, `${tag}A`, 10_000), await createRoom(page, `${tag}B`, 10_000)];
  const stayId = await reserve(page, from, `Wants ${tag}`, 3, 5);
  await reserve(page, to, `Holds ${tag}`, 4, 7);
  await open(page, tag);
  await expect(barOf(page, to)).toBeVisible();
  await drag(page, await dayPosition(page, from, 3), await dayPosition(page, to, 3));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText(`Holds ${tag}`);
  await expect(dialog.getByRole("button", { name: t("timeline.kind.move") })).toHaveCount(0);
  await picture("refused");
  await dialog
    .getByRole("button", { name: t("common.close") })
    .last()
    .click();
  expect(await stayOf(page, stayId)).toMatchObject({ room: { id: from } });
});

test("a guest in the house who is moved ends with the keys of the new room", async ({ page, t, tag, enter }) => {
  await enter();
  const from = await createRoom(page, `${tag}A`, 10_000, newMac());
  const to = await createRoom(page, `${tag}B`, 10_000, newMac());
  const period = { startsAt: new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString(), endsAt: at(3, 3) };
  const guests = [{ name: `Moves ${tag}` }];
  const input = { roomId: from, unit: "day", ...period, guests };
  const { stayId } = await call<{ stayId: number }>(page, "mutation", "stays.checkIn", input);
  await open(page, tag, 0);
  await expect(barOf(page, from)).toBeVisible();
  await drag(page, await dayPosition(page, from, 2), await dayPosition(page, to, 2));
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("timeline.kind.changeRoom") })
    .click();
  await expect(page.getByRole("dialog", { name: t("keys.title", { room: `${tag}B` }) })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await stayOf(page, stayId)).toMatchObject({ room: { id: to } });
});
