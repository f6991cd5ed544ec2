import { createOperator } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** A user ends a session that is still logged in on another browser. */
test("a session on another device is listed and ended", async ({ page, t, tag, enter, openDesk, expectAccessible }) => {
  await enter();
  const { account, password } = await createOperator(page, tag, { capabilities: ["rooms.view"], roomIds: [] });
  const elsewhere = await openDesk(account, password);
  const here = await openDesk(account, password);
  await here.goto("/center/personalCenter");
  await expect(here.getByRole("heading", { name: t("sessions.title") })).toBeVisible();
  await expect(here.getByText(t("sessions.current"), { exact: true })).toHaveCount(1);
  const end = here.getByRole("button", { name: t("sessions.end"), exact: false });
  await expect(end).toHaveCount(1);
  await end.click();
  await here
    .getByRole("alertdialog")
    .getByRole("button", { name: t("sessions.end"), exact: true })
    .click();
  await expect(here.getByText(t("sessions.ended"))).toBeVisible();
  await expect(end).toHaveCount(0);
  await elsewhere.goto("/center/personalCenter");
  await expect(elsewhere).toHaveURL(/\/login/);
  await page.goto("/center/personalCenter");
  await expect(page.getByRole("heading", { name: t("sessions.title") })).toBeVisible();
  await expectAccessible();
});
