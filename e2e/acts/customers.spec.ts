import { call, createOperator, createRoom } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

const HOUR_MS = 3_600_000;

test("a customer is created, found, shown with their stays and balance, and removed", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/customer/customer");
  await page.getByRole("button", { name: t("customer.create") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: t("customer.kindOf.company") }).click();
  await dialog.getByLabel(t("customer.companyName")).fill(`Travel ${tag}`);
  await dialog.getByLabel(t("customer.email")).fill(`desk-${tag}@travel.example`);
  await dialog.getByRole("button", { name: t("customer.create") }).click();
  await expect(dialog).toBeHidden();

  const { rows } = await call<{ rows: { id: number }[] }>(page, "query", "customers.list", { keyword: tag });
  const roomId = await createRoom(page, tag, 10_000);
  const now = Date.now();
  const { stayId } = await call<{ stayId: number }>(page, "mutation", "stays.checkIn", {
    roomId,
    unit: "day",
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + 2 * HOUR_MS).toISOString(),
    guests: [{ name: `Guest ${tag}` }],
    customerId: rows[0]?.id,
  });

  await page.getByRole("radio", { name: t("customer.kindsOf.company") }).click();
  await page.getByRole("searchbox", { name: t("customer.search") }).fill(tag);
  // The row may be there before the search, whose result would overtake the opened page.
  await expect(page).toHaveURL(/q=/);
  const row = page.getByRole("row").filter({ hasText: `Travel ${tag}` });
  await expect(row).toContainText(t("customer.inHouse"));
  await row.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Travel ${tag}`);
  const main = page.getByRole("main");
  await expect(main.getByText(t("customer.owe"))).toBeVisible();
  const stay = main.getByRole("row").filter({ hasText: `Guest ${tag}` });
  await expect(stay).toContainText(t("guest.state.in"));
  await picture("customer");
  await expectAccessible();

  const askToRemove = async (): Promise<void> => {
    await main.getByRole("button", { name: t("common.actions") }).click();
    await page.getByRole("menuitem", { name: t("customer.remove") }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: t("customer.remove") })
      .click();
  };
  await askToRemove();
  await expect(page.getByText(t("errors.in_house"))).toBeVisible();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("common.cancel") })
    .click();
  await call(page, "mutation", "stays.checkOut", { stayId, channel: "cash" });
  await page.reload();
  await expect(main.getByText(t("customer.settled"))).toBeVisible();
  await askToRemove();
  await expect(page).toHaveURL(/\/customer\/customer$/);
  await page.getByRole("searchbox", { name: t("customer.search") }).fill(tag);
  await expect(page.getByText(t("customer.noneFound"))).toBeVisible();
  const { customer } = await call<{ customer: { name: string } }>(page, "query", "stays.detail", { stayId });
  expect(customer.name).toBe(`Travel ${tag}`);
});

test("operators change their name and picture in the personal centre, and everybody sees it", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
  expectAccessible,
}) => {
  await enter();
  const clerk = await createOperator(page, tag);
  const own = await openDesk(clerk.account, clerk.password);
  await own.goto("/center/personalCenter");
  await own.getByRole("button", { name: t("common.edit") }).click();
  const dialog = own.getByRole("dialog");
  await dialog.getByLabel(t("center.name")).fill(`Ada ${tag}`);
  const url = await own.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 300, height: 300 });
    canvas.getContext("2d")?.fillRect(0, 0, 150, 300);
    return canvas.toDataURL("image/png");
  });
  const buffer = Buffer.from(url.split(",")[1] ?? "", "base64");
  await dialog.locator("input[type=file]").setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
  await expect(dialog.locator("img")).toHaveJSProperty("complete", true);
  await dialog.getByRole("button", { name: t("common.save") }).click();
  await expect(dialog).toBeHidden();
  const menu = own.getByRole("banner").getByRole("button", { name: t("shell.userMenu", { name: `Ada ${tag}` }) });
  await expect(menu.locator("img")).toHaveAttribute("src", /^\/files\//);

  await page.goto("/staff");
  const row = page.getByRole("row").filter({ hasText: `Ada ${tag}` });
  await expect(row.locator("img")).toHaveAttribute("src", /^\/files\//);
  await expect(row.locator("img")).toHaveJSProperty("complete", true);
  await expectAccessible();
});
