import type { Locator, Page } from "@playwright/test";
import { call, chooseRoomAction, createRoom, findStay } from "../support/desk.ts";
import { expect, type Translate, test } from "../support/test.ts";

/** Which rooms are free for some dates, and what is offered instead of a room that is taken. */
const HOUR_MS = 3_600_000;
const inHours = (hours: number): string =>
  new Date(Math.floor(Date.now() / 60_000) * 60_000 + hours * HOUR_MS).toISOString();

/** Creates two rooms of a group; the first is reserved for the days from `from` hours from now. */
async function createKind(page: Page, tag: string, from = 1): Promise<{ taken: number; free: number }> {
  const { id: groupId } = await call<{ id: number }>(page, "mutation", "groups.save", { name: `Kind ${tag}`, sort: 1 });
  const [taken, free] = [await createRoom(page, `${tag}a`, 10_000), await createRoom(page, `${tag}b`, 12_000)];
  await call(page, "mutation", "rooms.assignGroup", { roomIds: [taken, free], groupId });
  const period = { startsAt: inHours(from), endsAt: inHours(from + 96) };
  const guests = [{ name: `Earlier ${tag}` }];
  await call(page, "mutation", "stays.reserve", { roomId: taken, unit: "day", ...period, guests });
  return { taken, free };
}

const groupOf = (dialog: Locator, tag: string): Locator =>
  dialog.getByRole("group", { name: `Kind ${tag}`, exact: true });
const book = async (page: Page, t: Translate, guest: string): Promise<void> => {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: t("guest.name"), exact: true }).fill(guest);
  await page.keyboard.press("Tab");
  await dialog.locator("button[type=submit]").click();
  await expect(dialog).toBeHidden();
};

test("a room is found by dates and kind, and its booking opens filled in", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const { free } = await createKind(page, tag);
  await page.goto("/room");
  await page.getByRole("button", { name: t("board.findRoom"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: t("board.findRoom") });
  await dialog.getByRole("button", { name: t("stay.longer"), exact: true }).click();
  await expect(groupOf(dialog, tag).getByRole("button")).toHaveCount(1);
  await expect(groupOf(dialog, tag)).toContainText("240");
  await picture("find-room");
  await expectAccessible();
  await groupOf(dialog, tag)
    .getByRole("button", { name: `${tag}b` })
    .click();

  await expect(page.getByRole("dialog", { name: t("stay.reserveRoom", { room: `${tag}b` }) })).toBeVisible();
  await book(page, t, `Found ${tag}`);
  const stay = await findStay(page, `Found ${tag}`);
  expect(stay).toMatchObject({ state: "reserved", room: { id: free }, money: { chargedMinor: 24_000 } });
});

test("an occupied room is reserved from its guests' departure on", async ({ page, t, tag, enter }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const endsAt = inHours(72);
  const guests = [{ name: `Here ${tag}` }];
  await call(page, "mutation", "stays.checkIn", { roomId, unit: "day", startsAt: inHours(0), endsAt, guests });
  await chooseRoomAction(page, t, tag, "reserve");
  await book(page, t, `Next ${tag}`);
  const [next] = (
    await call<{ rows: { startsAt: string }[] }>(page, "query", "guests.list", { keyword: `Next ${tag}` })
  ).rows;
  const hoursLater = (Date.parse(next?.startsAt ?? "") - Date.parse(endsAt)) / HOUR_MS;
  expect(hoursLater).toBeGreaterThan(0);
  expect(hoursLater).toBeLessThanOrEqual(25);
});

test("rooms that are free instead of a taken one are offered before anything is typed, and one click takes one", async ({
  page,
  t,
  tag,
  enter,
  picture,
}) => {
  await enter();
  const { free } = await createKind(page, tag);
  await chooseRoomAction(page, t, `${tag}a`, "reserve");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(t("stay.takenTitle", { room: `${tag}a` }))).toBeVisible();
  await picture("free-instead");
  await groupOf(dialog, tag)
    .getByRole("button", { name: `${tag}b` })
    .click();
  await expect(page.getByRole("dialog", { name: t("stay.reserveRoom", { room: `${tag}b` }) })).toBeVisible();
  await expect(dialog.getByText(t("stay.takenTitle", { room: `${tag}a` }))).toBeHidden();
  await book(page, t, `Instead ${tag}`);
  expect(await findStay(page, `Instead ${tag}`)).toMatchObject({ room: { id: free } });
});

test("a guest who can't stay longer in the room changes rooms and stays longer there", async ({
  page,
  t,
  tag,
  enter,
}) => {
  await enter();
  const { taken, free } = await createKind(page, tag, 30);
  const period = { startsAt: inHours(0), endsAt: inHours(24) };
  const guests = [{ name: `Longer ${tag}` }];
  await call(page, "mutation", "stays.checkIn", { roomId: taken, unit: "day", ...period, guests });

  await chooseRoomAction(page, t, `${tag}a`, "renew");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(t("stay.takenTitle", { room: `${tag}a` }))).toBeVisible();
  await groupOf(dialog, tag)
    .getByRole("button", { name: `${tag}b` })
    .click();
  await expect(dialog.getByRole("radio", { name: `${tag}b` })).toBeChecked();
  await dialog.locator("button[type=submit]").click();
  await expect(dialog.getByRole("heading", { name: t("stay.renew"), exact: true })).toBeVisible();
  await dialog.locator("button[type=submit]").click();
  await expect(dialog).toBeHidden();
  const stay = await findStay(page, `Longer ${tag}`);
  const endsAt = new Date(Date.parse(period.endsAt) + 24 * HOUR_MS).toISOString();
  expect(stay).toMatchObject({ state: "checked_in", room: { id: free }, endsAt });
});
