import { call } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/**
 * The hotel's own money: a withdrawal account is named, money is deposited and withdrawn, and the statement and the
 * entries show it.
 */
test("money is deposited, withdrawn to the account, and listed in the statement", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/balance");
  const dialog = page.getByRole("dialog");
  const main = page.getByRole("main");

  await main
    .getByRole("button", { name: new RegExp(`${t("balance.setAccount")}|${t("balance.changeAccount")}`) })
    .click();
  await dialog.getByLabel(t("balance.holder")).fill(`Ada ${tag}`);
  await dialog.getByLabel(t("balance.number")).fill(`DE8937040044${tag}`);
  await expectAccessible();
  await dialog.getByRole("button", { name: t("common.save") }).click();
  await expect(dialog).toBeHidden();
  await expect(main).toContainText(`•••• ${tag.slice(-4)}`);
  await expect(main).not.toContainText("DE8937");

  await main.getByRole("button", { name: t("balance.recharge") }).click();
  await dialog.getByLabel(t("folio.amount")).fill("321");
  await dialog.getByLabel(t("folio.note")).fill(`In ${tag}`);
  await dialog.getByRole("button", { name: t("balance.recharge") }).click();
  await expect(dialog).toBeHidden();

  await main.getByRole("button", { name: t("balance.withdraw") }).click();
  const limit = /Up to €[\d,.]+ can be withdrawn/;
  await dialog.getByLabel(t("folio.amount"), { exact: true }).fill("99999999");
  await dialog.getByLabel(t("balance.repeat")).fill("99999999");
  await dialog.getByRole("button", { name: t("balance.withdraw") }).click();
  await expect(dialog.getByText(limit)).toBeVisible();
  await dialog.getByLabel(t("folio.amount"), { exact: true }).fill("21");
  await dialog.getByLabel(t("balance.repeat")).fill("210");
  await dialog.getByLabel(t("folio.note")).fill(`Out ${tag}`);
  await dialog.getByRole("button", { name: t("balance.withdrawAmount", { amount: "€21.00" }) }).click();
  await expect(dialog.getByText(t("validation.amountsDiffer"))).toBeVisible();
  await picture("withdraw");
  await expectAccessible();
  await dialog.getByLabel(t("balance.repeat")).fill("21");
  await dialog.getByRole("button", { name: t("balance.withdraw") }).click();
  await expect(dialog).toBeHidden();
  await picture("balance");
  await expectAccessible();

  const entries = await call<{ rows: { type: string; note: string; amountMinor: number; destination: string }[] }>(
    page,
    "query",
    "folio.list",
    { pageSize: 200 },
  );
  const mine = entries.rows.filter(({ note }) => note.endsWith(tag));
  expect(mine.map(({ type }) => type).sort()).toEqual(["recharge", "withdrawal"]);
  expect(mine.find(({ type }) => type === "withdrawal")?.destination).toMatch(/•••• \w{4}$/);

  // The newest day comes first and links to its entries.
  await main
    .getByRole("region", { name: t("balance.statement") })
    .getByRole("link")
    .first()
    .click();
  await expect(page).toHaveURL(/\/orders\?day=/);
  await expect(page.getByRole("main")).not.toContainText("{{");
  const table = page.getByRole("table");
  // Other tests take money meanwhile, which would push the row off the page.
  await page.goto(`${page.url()}&size=100`);
  await expect(table.getByText(t("folio.typeOf.withdrawal")).first()).toBeVisible();

  const row = table.getByRole("row", { name: new RegExp(`•••• ${tag.slice(-4)}`) });
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("balance.undoWithdrawal") }).click();
  await dialog.getByLabel(t("folio.reason")).fill(`Back ${tag}`);
  await picture("undo-withdrawal");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("balance.undoWithdrawal") }).click();
  await expect(dialog).toBeHidden();
  await expect(table.getByText(t("folio.typeOf.withdrawal_undone")).first()).toBeVisible();
});
