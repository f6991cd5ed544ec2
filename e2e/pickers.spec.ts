import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";

/** Typing a room's number must select exactly that room: a code or face for another door would let a stranger in. */

interface Room {
  name: string;
  lock: object | null;
}

async function roomsOf(page: Page): Promise<Room[]> {
  const response = await page.request.get("/api/board");
  const { rooms } = (await response.json()) as { rooms: Room[] };
  // Other tests give their rooms longer names; the hotel's original rooms have three digits.
  return rooms.filter(({ name }) => /^\d{3}$/.test(name));
}

const isFirstInView = (option: Locator): Promise<boolean> =>
  option.evaluate((element) => {
    const list = element.closest("[role=listbox]")?.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    return list !== undefined && own.top >= list.top - 1 && own.top - list.top < own.height;
  });

/** Waits until a picker shows the right label, and returns its label. Notes it if it stays another one. */
async function labelOf(trigger: Locator, right: string, wrong: string[]): Promise<string> {
  await expect(trigger)
    .toHaveText(right)
    .catch(async () => wrong.push(`${right}: ${await trigger.textContent()}`));
  return (await trigger.textContent()) ?? "";
}

test("typing the number of any room of the hotel chooses that room for a new code", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/passcodes");
  const rooms = await roomsOf(page);
  expect(rooms.length).toBeGreaterThan(50);
  await page.getByRole("button", { name: t("passcode.new") }).click();
  const trigger = page.getByRole("dialog").getByRole("combobox", { name: t("passcode.rooms") });
  await trigger.click();
  const search = page.getByRole("combobox", { name: t("common.search"), exact: true });
  const wrong: string[] = [];
  for (const { name, lock } of rooms) {
    // The list is scrolled to its end before each search, as if the user had looked for the room by eye.
    await search.fill("");
    await page.getByRole("option").last().scrollIntoViewIfNeeded();
    await search.fill(name);
    const first = page.getByRole("option").first();
    if (!(await isFirstInView(first))) wrong.push(`${name}: the first room found is out of sight`);
    await search.press("Enter");
    const label = await labelOf(trigger, lock === null ? t("passcode.chooseRooms") : name, wrong);
    if (label !== t("passcode.chooseRooms")) await search.press("Enter");
  }
  expect(wrong).toEqual([]);
});

test("typing the number of any room of the hotel filters a list to that room", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/passcodes");
  const trigger = page.getByRole("main").getByRole("combobox", { name: t("board.room"), exact: true });
  const wrong: string[] = [];
  for (const { name } of await roomsOf(page)) {
    await trigger.click();
    await page.getByRole("combobox", { name: t("common.search"), exact: true }).fill(name);
    await page.keyboard.press("Enter");
    await labelOf(trigger, name, wrong);
  }
  expect(wrong).toEqual([]);
});
