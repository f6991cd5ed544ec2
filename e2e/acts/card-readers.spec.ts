import type { Page } from "@playwright/test";
import { call } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** Simulates a reader of type 1 at this desk that opens and reports its serial number. */
async function simulateReader(page: Page, serial: string): Promise<void> {
  await page.route("http://localhost:13570/reader", async (route) => {
    // The service sends JSON with the content type of a form.
    const { func } = JSON.parse(route.request().postData() ?? "{}") as { func: string };
    const data = func === "Sys_Open" ? { device_id: 1 } : { value: serial };
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    await route.fulfill({ headers, json: { code: 1, msg: "", func, retval: 0, data } });
  });
}

test("the desk's reader is added, bound to a colleague, then to a customer, and released", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const serial = Buffer.from(tag).toString("hex").toUpperCase();
  await simulateReader(page, serial);
  const { name: owner } = await call<{ name: string }>(page, "query", "auth.me", undefined);
  const customer = { kind: "company", name: `Travel ${tag}`, mobile: "", email: "" };
  await call(page, "mutation", "customers.save", customer);

  await page.goto("/bindCardReaderToUser");
  await expect(page).toHaveURL(/\/bindCardReaderToUser\/cardReaderAndUserList$/);
  await page.getByRole("button", { name: t("reader.find") }).click();
  await expect(page.getByText(t("cardReader.unknownHere"))).toBeVisible();
  await expect(page.getByText(serial)).toBeVisible();
  await page.getByRole("button", { name: t("cardReader.addThis") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel(t("cardReader.deviceNo"))).toHaveValue(serial);
  await dialog.getByLabel(t("cardReader.name")).fill(`Reader ${tag}`);
  await expectAccessible();
  await dialog.getByRole("button", { name: t("cardReader.add") }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(t("cardReader.unknownHere"))).toBeHidden();
  await page.getByRole("searchbox", { name: t("cardReader.search") }).fill(tag);
  await expect(page).toHaveURL(/q=/);
  const row = page.getByRole("row").filter({ hasText: `Reader ${tag}` });
  await expect(row).toContainText(t("cardReader.online"));
  await expect(row).toContainText(t("cardReader.here"));
  await picture("readers");
  await expectAccessible();

  await row.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Reader ${tag}`);
  const main = page.getByRole("main");
  const bind = main.getByRole("button", { name: t("cardReader.bind"), exact: true });
  await main.getByRole("combobox", { name: t("cardReader.holder.operator") }).click();
  await page.getByRole("option", { name: owner }).click();
  await bind.click();
  await expect(main.getByText(owner)).toBeVisible();

  await main.getByRole("radio", { name: t("cardReader.holder.customer") }).click();
  await main.getByRole("combobox", { name: t("cardReader.holder.customer") }).click();
  await page.getByPlaceholder(t("customer.search")).fill(tag);
  // Results of an earlier search are still listed for a moment but can't be chosen any more.
  await expect(page.locator("[cmdk-list][aria-busy=true]")).toHaveCount(0);
  await page.getByRole("option", { name: `Travel ${tag}` }).click();
  await bind.click();
  await expect(main.getByText(`Travel ${tag}`)).toBeVisible();
  await expect(main.getByText(owner)).toBeVisible();
  await picture("bound");
  await expectAccessible();

  const question = page.getByRole("alertdialog");
  for (const name of [owner, `Travel ${tag}`]) {
    await main.getByRole("button", { name: t("cardReader.unbindOne", { name }) }).click();
    await question.getByRole("button", { name: t("cardReader.unbind") }).click();
    await expect(question).toBeHidden();
  }
  await expect(main.getByText(t("cardReader.everybody"))).toBeVisible();
});

test("a reader's number is registered only once, and a reader is removed", async ({ page, t, tag, enter }) => {
  await enter();
  const { id } = await call<{ id: number }>(page, "mutation", "cardReaders.save", {
    deviceNo: `SN-${tag}`,
    name: `First ${tag}`,
    type: 2,
  });
  await page.goto(`/bindCardReaderToUser/cardReaderAndUserList?q=${tag}`);
  await page
    .getByRole("button", { name: t("cardReader.add") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("cardReader.deviceNo")).fill(`sn-${tag.toLowerCase()}`);
  await dialog.getByLabel(t("cardReader.name")).fill(`Second ${tag}`);
  await dialog.getByRole("button", { name: t("cardReader.add") }).click();
  await expect(dialog.getByText(t("errors.device_taken"))).toBeVisible();
  await dialog.getByLabel(t("cardReader.deviceNo")).fill(`sn-${tag.toLowerCase()}-2`);
  await dialog.getByRole("button", { name: t("cardReader.add") }).click();
  await expect(dialog).toBeHidden();

  const row = page.getByRole("row").filter({ hasText: `First ${tag}` });
  await expect(row).toContainText(t("cardReader.offline"));
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("cardReader.remove") }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("cardReader.remove") })
    .click();
  await expect(row).toBeHidden();
  await page.goto(`/bindCardReaderToUser/bindCardReaderToUser?id=${id}`);
  await expect(page.getByText(t("errors.not_found"))).toBeVisible();
});
