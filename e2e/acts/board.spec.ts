import type { Page } from "@playwright/test";
import { createRoom } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** Returns the distance of each room number from the start edge of its card, in pixels. */
const indents = (page: Page): Promise<number[]> =>
  page.locator("li [data-room]").evaluateAll((numbers) =>
    numbers.map((number) => {
      const text = document.createRange();
      text.selectNodeContents(number);
      const [own, card] = [
        text.getBoundingClientRect(),
        number.closest("li")?.getBoundingClientRect() ?? new DOMRect(),
      ];
      return Math.round(document.dir === "rtl" ? card.right - own.right : own.left - card.left);
    }),
  );

test("room numbers are aligned, and don't move while rooms are selected", async ({ page, t, tag, enter }) => {
  await enter();
  // Numbers of different lengths: if they were centred, they would start at different places.
  await createRoom(page, `1${tag.slice(0, 3)}`, 10_000);
  await createRoom(page, tag[3] ?? "", 10_000);
  await page.goto("/room");
  await expect(page.locator("li [data-room]").first()).toBeVisible();
  const [before] = new Set(await indents(page));
  expect(new Set(await indents(page)).size).toBe(1);
  await page.getByRole("button", { name: t("board.choose"), exact: true }).click();
  await expect(page.locator("li [data-room][aria-pressed]").first()).toBeVisible();
  expect([...new Set(await indents(page))]).toEqual([before]);
});
