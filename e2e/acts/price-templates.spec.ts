import { call, createRoom } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

interface RoomPrices {
  prices: { usualMinor: number; weekendMinor: number; depositMinor: number } | null;
}

test("a price template is created, applied to a room after a preview, and detached by a manual change", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const [roomId, other] = [await createRoom(page, tag, 10_000), await createRoom(page, `${tag}b`, 9_000)];
  const name = `Fair ${tag}`;
  const pricesOf = async (id: number) => (await call<RoomPrices>(page, "query", "rooms.detail", { roomId: id })).prices;

  await page.goto("/priceTemplates");
  await page
    .getByRole("button", { name: t("priceTemplates.add") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("common.save") }).click();
  await expect(dialog.getByText(t("validation.required")).first()).toBeVisible();
  await dialog.getByLabel(t("priceTemplates.name"), { exact: true }).fill(name);
  await dialog.getByLabel(t("prices.usual"), { exact: true }).fill("90");
  await dialog.getByLabel(t("prices.weekend"), { exact: true }).fill("120");
  await dialog.getByLabel(t("prices.deposit"), { exact: true }).fill("50");
  await picture("template");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("common.save") }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText(t("priceTemplates.noRooms"));

  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("priceTemplates.putOn") }).click();
  await dialog.getByRole("searchbox").fill(tag);
  await dialog.getByRole("button", { name: tag, exact: true }).click();
  await dialog.getByRole("button", { name: `${tag}b`, exact: true }).click();
  await dialog.getByRole("button", { name: t("priceTemplates.preview") }).click();
  await expect(dialog.getByRole("status")).toContainText(t("priceTemplates.changing", { count: 2 }));
  await picture("preview");
  await expectAccessible();
  expect(await pricesOf(roomId)).toMatchObject({ usualMinor: 10_000 });
  await dialog.getByRole("button", { name: t("priceTemplates.put", { count: 2 }) }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText(`${tag}b`);
  for (const id of [roomId, other]) {
    expect(await pricesOf(id)).toMatchObject({ usualMinor: 9_000, weekendMinor: 12_000, depositMinor: 5_000 });
  }

  await page.goto(`/room/${roomId}?tab=prices`);
  await expect(page.getByText(t("priceTemplates.from", { name }))).toBeVisible();
  await picture("room");
  await page.getByLabel(t("prices.usual"), { exact: true }).fill("95");
  await page.getByRole("button", { name: t("prices.save", { count: 1 }) }).click();
  await expect(page.getByText(t("priceTemplates.byHand"))).toBeVisible();

  await page.getByRole("button", { name: t("priceTemplates.use") }).click();
  await dialog.getByRole("combobox", { name: t("priceTemplates.choose") }).click();
  await page.getByRole("option", { name }).click();
  await dialog.getByRole("button", { name: t("priceTemplates.put", { count: 1 }) }).click();
  await expect(page.getByText(t("priceTemplates.from", { name }))).toBeVisible();
  await expect(page.getByLabel(t("prices.usual"), { exact: true })).toHaveValue(/90/);
});

test("a price template is copied and deleted; rooms keep its prices", async ({ page, t, tag, enter }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const prices = { depositMinor: 0, usualMinor: 7_000, weekendMinor: 8_000 };
  const name = `Low ${tag}`;
  const { templateId } = await call<{ templateId: number }>(page, "mutation", "priceTemplates.save", { name, prices });
  await call(page, "mutation", "priceTemplates.putOn", { templateId, roomIds: [roomId] });
  await page.goto("/priceTemplates");
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  await row(name)
    .getByRole("button", { name: t("common.actions") })
    .click();
  await page.getByRole("menuitem", { name: t("priceTemplates.duplicate") }).click();
  const copy = t("priceTemplates.copyName", { name });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel(t("priceTemplates.name"), { exact: true })).toHaveValue(copy);
  await dialog.getByRole("button", { name: t("common.save") }).click();
  await expect(row(copy)).toContainText(t("priceTemplates.noRooms"));

  await row(name)
    .filter({ hasText: tag })
    .filter({ hasNotText: copy })
    .getByRole("button", { name: t("common.actions") })
    .click();
  await page.getByRole("menuitem", { name: t("priceTemplates.remove") }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("priceTemplates.remove") })
    .click();
  await expect(row(name)).toHaveCount(1);
  await page.goto(`/room/${roomId}?tab=prices`);
  await expect(page.getByText(t("priceTemplates.byHand"))).toBeVisible();
  await expect(page.getByLabel(t("prices.usual"), { exact: true })).toHaveValue(/70/);
});
