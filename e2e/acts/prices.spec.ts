import { call, createRoom } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

interface RoomPrices {
  prices: { dates: { date: string; priceMinor: number }[] } | null;
}

test("a special price that was typed survives a change of tab, and is saved with the rest", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  await page.goto(`/room/${roomId}?tab=prices`);
  const night = page.locator("td button:enabled").last();
  await night.click();
  const amount = page.locator("#night-price");
  await amount.fill("150");

  await page.getByRole("tab", { name: t("room.status"), exact: true }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText(t("stay.discardTitle"));
  await picture("question");
  await expectAccessible();
  await question.getByRole("button", { name: t("stay.keepEditing") }).click();
  await expect(page.getByRole("tab", { name: t("room.prices"), exact: true })).toHaveAttribute("aria-selected", "true");

  await page.getByRole("button", { name: t("prices.save", { count: 1 }) }).click();
  await expect(page.getByText(t("prices.saved", { count: 1 }))).toBeVisible();
  const { prices } = await call<RoomPrices>(page, "query", "rooms.detail", { roomId });
  expect(prices?.dates.map(({ priceMinor }) => priceMinor)).toEqual([15_000]);
  await picture("saved");

  // There are no unsaved changes any more, so the tab opens without a question.
  await page.getByRole("tab", { name: t("room.status"), exact: true }).click();
  await expect(page.getByRole("tab", { name: t("room.status"), exact: true })).toHaveAttribute("aria-selected", "true");
  await expect(question).toHaveCount(0);
});
