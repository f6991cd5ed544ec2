import { call } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

test("a business day is reviewed and closed once", async ({ page, t, tag, enter, picture, expectAccessible }) => {
  await enter();
  // Each run of the test uses a different day in the distant past, because a day can be closed only once.
  const { date: ending } = await call<{ date: string }>(page, "query", "nightAudit.read", {});
  const days = 40 + (Number.parseInt(tag, 36) % 2_000);
  const date = new Date(Date.parse(ending) - days * 86_400_000).toISOString().slice(0, 10);
  await page.goto("/nightAudit");
  await expect(page.getByRole("heading", { level: 1, name: t("nav.nightAudit") })).toBeVisible();
  await expect(page.getByRole("heading", { name: t("nightAudit.doors") })).toBeVisible();
  await picture("night-audit");
  await expectAccessible();

  await page.goto(`/nightAudit?date=${date}`);
  await page.getByRole("button", { name: t("nightAudit.close") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("nightAudit.note")).fill(`Quiet ${tag}`);
  await expect(dialog.getByText(t("nightAudit.revenue"))).toBeVisible();
  await dialog.getByRole("button", { name: t("nightAudit.close") }).click();
  await expect(dialog.getByText(t("validation.checkFigures"))).toBeVisible();
  await dialog.getByRole("checkbox", { name: t("nightAudit.checked") }).click();
  await picture("close-day");
  await dialog.getByRole("button", { name: t("nightAudit.close") }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(t("nightAudit.closed"), { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: t("nightAudit.close") })).toBeHidden();
  await expect(page.getByRole("listitem").filter({ hasText: `Quiet ${tag}` })).toBeVisible();
});
