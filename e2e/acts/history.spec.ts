import { call, createRoom, createStay, findStay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

test("the history shows who arrived and left and who did it, and links to the guest", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "checkIn", { roomId, guest: `Early ${tag}` });
  const { guests } = await findStay(page, `Early ${tag}`);
  await call(page, "mutation", "stays.checkOut", { stayId, channel: "cash" });
  await createStay(page, "reserve", { roomId, guest: `Never ${tag}` });
  const { name } = await call<{ name: string }>(page, "query", "auth.me", undefined);

  await page.goto("/history");
  await page.getByRole("searchbox", { name: t("history.search") }).fill(tag);
  await expect(page).toHaveURL(/q=/);
  const row = page.getByRole("row").filter({ hasText: `Early ${tag}` });
  await expect(row.getByText(name)).toHaveCount(2);
  await expect(page.getByRole("row").filter({ hasText: `Never ${tag}` })).toHaveCount(0);
  await expectAccessible();
  await picture("history");

  await page.getByRole("radio", { name: t("room.range.yesterday") }).click();
  await expect(page.getByText(t("history.noneFound"))).toBeVisible();
  await page.getByRole("radio", { name: t("room.range.today") }).click();
  await expect(row).toBeVisible();
  await page.getByRole("combobox", { name: t("board.room") }).click();
  await page.getByRole("option", { name: tag }).click();
  await expect(page).toHaveURL(new RegExp(`room=${roomId}`));
  await row.click();
  await expect(page).toHaveURL(new RegExp(`id=${guests[0]?.stayGuestId}`));
});
