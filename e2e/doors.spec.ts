import type { Page } from "@playwright/test";
import { ConsoleApi } from "../apps/simulators/src/locks/connect-street.ts";
import { type Street, startStreet } from "../apps/simulators/src/locks/street.ts";
import { addDoorRecords } from "./support/database.ts";
import { createRoom, newMac, openLive } from "./support/desk.ts";
import { expect, OWNER, test } from "./support/test.ts";

/** Door events as the desk sees them live. */
const AWAKE_MS = 20_000;

let street: Street | undefined;
test.afterEach(async () => {
  await street?.stop();
  street = undefined;
});

/** Creates a room with an online lock. Returns the actions that people can take at its door. */
async function createRoomWithLock(page: Page, name: string) {
  const mac = newMac();
  const roomId = await createRoom(page, name, 10_000, mac);
  const hotel = await ConsoleApi.logIn(process.env.E2E_URL ?? "", OWNER, process.env.E2E_PASSWORD ?? "");
  const row = (await hotel.locks()).find((lock) => lock.mac === mac);
  if (!row) throw new Error(`no lock ${mac}`);
  street = startStreet({ locks: [await hotel.connect(row)] });
  await street.awake(AWAKE_MS);
  const lock = street.door(mac)?.lock;
  if (!lock) throw new Error(`no door ${mac}`);
  return { roomId, lockId: row.id, lock };
}

test("an opened door appears at once on the board and in the list of its room", async ({
  page,
  openDesk,
  t,
  tag,
  enter,
  expectAccessible,
  picture,
}) => {
  await enter();
  const { roomId, lock } = await createRoomWithLock(page, tag);
  const strip = page.getByRole("region", { name: t("doors.strip.title") });
  // Other doors of the hotel open meanwhile, so we look for this door's line anywhere in the list.
  const line = (text: string) => strip.getByRole("listitem").filter({ hasText: tag }).filter({ hasText: text }).first();
  await page.goto("/room");
  await expect(strip.getByRole("listitem").first()).toBeVisible();
  const desk = await openDesk(OWNER);
  await desk.goto(`/room/${roomId}?tab=unlocks`);
  const live = desk.getByRole("main").getByText(t("board.live"), { exact: true });
  await expect(live).toBeVisible();
  await expect(desk.getByText(t("room.noUnlocks"))).toBeVisible();

  lock.openInside();
  await expect(line(t("room.style.inside"))).toBeVisible();
  const rows = desk.getByRole("table", { name: t("room.unlocks") }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(t("room.style.inside"));

  lock.enterCode("739164");
  await expect(line(t("room.refused"))).toBeVisible();
  await expect(rows.first()).toContainText(t("doors.unlockReason.unknown"));
  await expectAccessible();
  await picture("strip");

  await desk.getByRole("button", { name: t("doors.pause") }).click();
  lock.turnKey();
  await expect(line(t("room.style.key"))).toBeVisible();
  await expect(rows).toHaveCount(2);
  await desk.getByRole("button", { name: t("doors.resume") }).click();
  await expect(rows).toHaveCount(3);

  await strip.getByRole("button", { name: t("doors.strip.hide") }).click();
  await expect(strip.getByRole("listitem")).toHaveCount(0);
  await page.reload();
  await strip.getByRole("button", { name: t("doors.strip.show") }).click();
  lock.turnKey();
  await expect(line(t("room.style.key"))).toBeVisible();
});

test("older records can be read while new ones arrive", async ({ page, t, tag, enter }) => {
  await enter();
  const { roomId, lock } = await createRoomWithLock(page, tag);
  // They are older than what other tests see at their doors; new ones would push those out of the board's list.
  await addDoorRecords(roomId, 45);
  await page.goto(`/room/${roomId}?tab=unlocks`);
  const rows = page.getByRole("table", { name: t("room.unlocks") }).locator("tbody tr");
  const more = page.getByRole("button", { name: t("common.loadMore") });
  await expect(rows).toHaveCount(20);
  await more.click();
  await expect(rows).toHaveCount(40);
  lock.turnKey();
  await expect(rows).toHaveCount(41);
  await expect(rows.first()).toContainText(t("room.style.key"));
  await more.click();
  await expect(rows).toHaveCount(46);
  await expect(more).toBeHidden();
});

test("a bar of the chart filters the list, also by keyboard", async ({ page, t, tag, enter, expectAccessible }) => {
  await enter();
  const { roomId, lock } = await createRoomWithLock(page, tag);
  const figures = (opened: number, refused: number): string =>
    t("doors.traffic.figures", { opened: String(opened), refused: String(refused) });
  await openLive(page, `/doors?room=${roomId}`);
  lock.openInside();
  lock.enterCode("739164");
  const plot = page.getByRole("figure");
  await expect(plot.getByRole("paragraph").first()).toHaveText(figures(1, 1), { timeout: AWAKE_MS });
  await expectAccessible();
  const bar = plot.getByRole("button", { name: figures(1, 1) });
  const forward = (await page.locator("html").getAttribute("dir")) === "rtl" ? "ArrowLeft" : "ArrowRight";
  await plot.getByRole("button").first().focus();
  for (let hour = 0; hour < 24 && !(await bar.evaluate((one) => one === document.activeElement)); hour += 1) {
    await page.keyboard.press(forward);
  }
  await page.keyboard.press("Enter");
  await expect(bar).toHaveAttribute("aria-pressed", "true");
  const rows = page.getByRole("table", { name: t("room.unlocks") }).locator("tbody tr");
  await expect(rows).toHaveCount(2);
  await bar.click();
  await expect(bar).toHaveAttribute("aria-pressed", "false");
  await page.getByRole("combobox", { name: t("room.unlockResult") }).click();
  await page.getByRole("option", { name: t("room.refused") }).click();
  await expect(page).toHaveURL(/result=refused/);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(t("doors.unlockReason.unknown"));
});

test("tampering with a lock raises a notification, which is read and deleted", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
  picture,
}) => {
  await enter();
  const { lock } = await createRoomWithLock(page, tag);
  await openLive(page, "/guests");
  const bell = page.getByRole("banner").getByRole("link", { name: new RegExp(t("alert.bell", { number: "" }).trim()) });
  lock.tamper();
  await expect(bell).toBeVisible();
  await bell.click();
  const row = page.getByRole("row").filter({ hasText: tag });
  await expect(row).toContainText(t("alert.kind.tamper"));
  await expect(row).toContainText(t("alert.unread"));
  await expectAccessible();
  await picture("messages");
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("alert.markRead") }).click();
  await expect(row).not.toContainText(t("alert.unread"));
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("alert.remove") }).click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: t("alert.remove") })
    .click();
  await expect(row).toBeHidden();
});
