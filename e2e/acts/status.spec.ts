import { createOperator, unfoldMenu } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** The status page that the owner sees. */
test("the owner sees the state of every part of the console", async ({ page, t, enter, expectAccessible }) => {
  await enter();
  await page.goto("/status");
  await expect(page.getByRole("heading", { name: t("nav.status"), level: 1 })).toBeVisible();
  const part = (name: string) => page.getByRole("region", { name: t(`system.part.${name}`), exact: true });
  const database = part("database");
  await expect(database.getByText(t("system.state.well"), { exact: true })).toBeVisible();
  await expect(database.getByText(/^PostgreSQL 1\d/)).toBeVisible();
  const locks = part("locks");
  await expect(locks.getByText(t("system.broker.embedded"), { exact: true })).toBeVisible();
  await expect(part("queue").getByText(t("system.state.away"), { exact: true })).toHaveCount(0);
  await expect(part("storage").getByText(t("system.fact.folder"), { exact: true })).toBeVisible();
  await expect(part("certificate").getByText(t("system.state.off"), { exact: true })).toBeVisible();
  const process = page.getByRole("listitem").filter({ hasText: t("system.role.all") });
  await expect(process.getByText(t("system.alive"), { exact: true })).toBeVisible();
  await expectAccessible();
});

test("nobody else can open the status page or see it in the menu", async ({ page, t, tag, enter, openDesk }) => {
  await enter();
  await page.goto("/room");
  await unfoldMenu(page.getByRole("navigation", { name: t("shell.mainMenu") }));
  await expect(page.getByRole("link", { name: t("nav.status"), exact: true })).toBeVisible();
  const { account, password } = await createOperator(page, tag);
  const desk = await openDesk(account, password);
  await desk.goto("/status");
  await expect(desk.getByText(t("common.noPermissionTitle"))).toBeVisible();
  await unfoldMenu(desk.getByRole("navigation", { name: t("shell.mainMenu") }));
  await expect(desk.getByRole("link", { name: t("nav.status"), exact: true })).toHaveCount(0);
});

/** All tests share one server, so the test answers the status request itself instead of taking a service down. */
test("a desk sees which part is unavailable, keeps working, and the notice disappears when it is back", async ({
  page,
  t,
  enter,
  expectAccessible,
}) => {
  let troubles: { part: string; since: string }[] = [];
  await page.route("**/api/trpc/system.condition", (route) =>
    route.fulfill({ json: { result: { data: { troubles } } } }),
  );
  await page.clock.install();
  await enter();
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  const banner = page.getByText(t("system.banner.queue.title"));
  await expect(banner).toHaveCount(0);
  troubles = [
    { part: "queue", since: new Date().toISOString() },
    { part: "liveEvents", since: new Date().toISOString() },
  ];
  // A request that was sent before may still be on its way, and the page sends the next one 15 seconds later.
  await expect(async () => {
    await page.clock.runFor(20_000);
    await expect(banner).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByText(t("system.banner.liveEvents.title"))).toBeVisible();
  await expectAccessible();
  troubles = [];
  await expect(async () => {
    await page.clock.runFor(20_000);
    await expect(banner).toHaveCount(0, { timeout: 1000 });
  }).toPass();
});

test("an unavailable database is reported although no session can be checked", async ({ page, t, enter }) => {
  await page.route("**/api/trpc/system.condition", (route) =>
    route.fulfill({ status: 500, json: { error: { data: { innkey: { code: "internal", requestId: "x" } } } } }),
  );
  await page.route("**/readyz", (route) => route.fulfill({ status: 503, json: { status: "unavailable" } }));
  await enter();
  await page.goto("/room");
  await expect(page.getByText(t("system.banner.database.title"))).toBeVisible();
});
