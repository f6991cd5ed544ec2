import type { Page } from "@playwright/test";
import { expireSessions } from "./support/database.ts";
import { call, createOperator, createRoom, unfoldMenu, withholdChanges } from "./support/desk.ts";
import { expect, OWNER, type Translate, test } from "./support/test.ts";

/** How a session ends while someone is working, and how the console reacts (source: specification, section 8). */
async function goTo(page: Page, t: Translate, entry: string): Promise<void> {
  const menu = page.getByRole("navigation", { name: t("shell.mainMenu") });
  await unfoldMenu(menu);
  await menu.getByRole("link", { name: t(`nav.${entry}`), exact: true }).click();
}

test("an expired session asks whether to log in again", async ({ page, t, tag, enter, openDesk }) => {
  const { operatorId, account, password } = await createOperator(await openDesk(OWNER), tag);
  await enter(account, password);
  // Otherwise the question may come with a change of another test, and cover the menu.
  await withholdChanges(page);
  await page.goto("/customer/customer");
  await expect(page.getByRole("table", { name: t("nav.customers") })).toBeVisible();
  await expireSessions(operatorId);

  await goTo(page, t, "folio");
  const box = page.getByRole("alertdialog", { name: t("shell.sessionExpiredTitle") });
  await expect(box).toContainText(t("shell.sessionExpiredText"));
  await box.getByRole("button", { name: t("common.cancel") }).click();
  await expect(box).toBeHidden();
  await expect(page).toHaveURL("/orders");

  await goTo(page, t, "audit");
  await box.getByRole("button", { name: t("shell.logInAgain") }).click();
  await expect(page).toHaveURL("/login?redirect=%2Faudit");
  await page.getByLabel(t("auth.account"), { exact: true }).fill(account);
  await page.getByLabel(t("auth.password"), { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/audit");
});

test("a form keeps its values when the session expires", async ({ page, t, tag, enter, openDesk }) => {
  const { operatorId, account, password } = await createOperator(await openDesk(OWNER), tag);
  await enter(account, password);
  await withholdChanges(page);
  await page.goto("/groups");
  await page.getByRole("button", { name: t("groups.add") }).click();
  const name = page.getByRole("dialog").getByLabel(t("groups.name"));
  await name.fill(`Annex ${tag}`);
  await expireSessions(operatorId);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("common.save") })
    .click();
  const box = page.getByRole("alertdialog", { name: t("shell.sessionExpiredTitle") });
  await box.getByRole("button", { name: t("common.cancel") }).click();
  await expect(name).toHaveValue(`Annex ${tag}`);
});

for (const screen of ["room", "customer/customer"]) {
  test(`a frozen operator sees a message, then is signed out: /${screen}`, async ({
    page,
    t,
    tag,
    enter,
    openDesk,
  }) => {
    const owner = await openDesk(OWNER);
    const { operatorId, account, password } = await createOperator(owner, tag);
    await enter(account, password);
    if (screen !== "room") await withholdChanges(page);
    await page.goto(`/${screen}`);
    if (screen === "room") await expect(page.getByText(t("board.live"), { exact: true })).toBeVisible();
    else await expect(page.getByRole("table", { name: t("nav.customers") })).toBeVisible();
    // The reason stands for a second, and a look at the page may come later than that. So the login page waits for it.
    let openLogin = (): void => undefined;
    const reasonSeen = new Promise<void>((resolve) => {
      openLogin = resolve;
    });
    await page.route("**/login?redirect=*", (route) => reasonSeen.then(() => route.continue()));
    await call(owner, "mutation", "staff.freeze", { operatorId, frozen: true });

    const toasts = page.getByRole("region", { name: t("common.notifications") });
    // The board learns of it at the hotel's next change, other pages at their next call.
    await Promise.all([
      expect(toasts.getByText(t("errors.session_revoked"))).toBeVisible(),
      screen === "room" ? createRoom(owner, tag, 9_000) : goTo(page, t, "guests"),
    ]);
    openLogin();
    await expect(page).toHaveURL(/\/login\?redirect=/);
  });
}

test("without a connection the console says so, and retries on request", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/customer/customer");
  await page.route("**/api/trpc/folio.list*", (route) => route.abort());
  await goTo(page, t, "folio");
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toContainText(t("errors.network"));
  await page.unroute("**/api/trpc/folio.list*");
  await failure.getByRole("button", { name: t("common.retry") }).click();
  await expect(page.getByRole("table", { name: t("nav.folio") })).toBeVisible();
});

test("a form whose answer was lost keeps its values, and is not sent twice", async ({ page, t, tag, enter }) => {
  await enter();
  let sent = 0;
  await page.route("**/api/trpc/groups.save*", (route) => {
    sent += 1;
    return route.abort();
  });
  await page.goto("/groups");
  await page.getByRole("button", { name: t("groups.add") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("groups.name")).fill(`Wing ${tag}`);
  await dialog.getByRole("button", { name: t("common.save") }).click();
  await expect(dialog.getByRole("alert")).toHaveText(t("errors.network"));
  await expect(dialog.getByLabel(t("groups.name"))).toHaveValue(`Wing ${tag}`);
  expect(sent).toBe(1);
});

test("a call that takes 40 seconds is aborted", async ({ page, t, enter }) => {
  await enter();
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    // The console's 40 s timeout becomes one second; all other timeouts never fire.
    AbortSignal.timeout = (milliseconds) => timeout(milliseconds === 40_000 ? 1_000 : 3_600_000);
  });
  await page.goto("/customer/customer");
  await page.route("**/api/trpc/folio.list*", () => {});
  await goTo(page, t, "folio");
  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("errors.timeout"));
});
