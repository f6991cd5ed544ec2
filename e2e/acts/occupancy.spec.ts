import { call } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

test("occupancy is shown for any nights by day, week or month, with its figures and as a file", async ({
  page,
  t,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/occupancy");
  await expect(page.getByRole("heading", { name: t("nav.occupancy"), level: 1 })).toBeVisible();
  await page.getByRole("button", { name: t("occupancy.lastMonth"), exact: true }).click();
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-01/);
  const { searchParams } = new URL(page.url());
  const [from, to] = [searchParams.get("from"), searchParams.get("to")];
  const { rows } = await call<{ rows: { sold: number; rooms: number }[] }>(page, "query", "reports.occupancy", {
    ...{ from, to, by: "month" },
  });
  expect(rows).toHaveLength(1);
  await page.getByRole("radio", { name: t("occupancy.spanOf.month"), exact: true }).click();
  await expect(page.getByRole("region", { name: t("occupancy.table") }).getByRole("row")).toHaveCount(2);
  await picture("occupancy");
  await expectAccessible();
});
