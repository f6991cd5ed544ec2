import type { Page } from "@playwright/test";
import { createRoom, createStay, newMac } from "../support/desk.ts";
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
  await createRoom(page, tag, 10_000);
  await createRoom(page, tag.slice(1), 10_000);
  await page.goto("/room");
  await expect(page.locator("li [data-room]").first()).toBeVisible();
  const [before] = new Set(await indents(page));
  expect(new Set(await indents(page)).size).toBe(1);
  await page.getByRole("button", { name: t("board.choose"), exact: true }).click();
  await expect(page.locator("li [data-room][aria-pressed]").first()).toBeVisible();
  expect([...new Set(await indents(page))]).toEqual([before]);
});

test("a card names the guest, says what is owed, and offers the act that comes next", async ({
  page,
  t,
  tag,
  enter,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 12_300, newMac());
  await createStay(page, "checkIn", { roomId, guest: `Ada Love${tag}` });
  await page.goto(`/room?q=${tag}`);
  const card = page.locator("li", { has: page.locator(`[data-room="${roomId}"]`) });
  await expect(card).toContainText(`Love${tag}`);
  await expect(card).not.toContainText("Ada");
  await expect(card.getByTitle(/123/)).toBeVisible();
  const name = card.locator("[data-room]");
  await expect(name).toHaveAccessibleName(new RegExp(`Ada Love${tag}.*123`));
  // The guest leaves within two hours, or in the first hours of tomorrow: then the card comes first.
  const act = card.getByRole("button", {
    name: new RegExp(`${t("board.short.checkOut")}|${t("board.short.writeCard")}`),
  });
  await expect(act).toHaveCSS("opacity", "0");
  await name.focus();
  await expect(act).toHaveCSS("opacity", "1");
  await act.click();
  await expect(page.getByRole("dialog")).toBeVisible();
});
