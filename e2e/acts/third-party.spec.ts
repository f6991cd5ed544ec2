import { type Receiver, startReceiver } from "../../apps/server/test/clients/receiver.ts";
import { expect, test } from "../support/test.ts";

/** Third-party access: a program gets a key, uses it and loses it; another one receives webhooks. */
const PATH = "/thirdPartyAuthorization/thirdPartyAuthorization";
const ARRIVES_MS = 20_000;

let receiver: Receiver | undefined;
test.afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

test("an API key is created, used by a program, shown as used, and revoked", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/thirdPartyAuthorization");
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
  const [docs] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: t("legacyDocs.title") }).click(),
  ]);
  await expect(docs.getByRole("heading", { level: 1, name: t("legacyDocs.title") })).toBeVisible();
  await docs.close();
  await page
    .getByRole("button", { name: t("third.newKey") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  const make = dialog.getByRole("button", { name: t("third.makeKey") });
  await dialog.getByLabel(t("third.name")).fill(`Engine ${tag}`);
  await make.click();
  await expect(dialog.getByText(t("validation.required")).first()).toBeVisible();
  await dialog.getByRole("checkbox", { name: t("staff.capability.rooms.view"), exact: true }).click();
  await expectAccessible();
  await make.click();

  const secret = dialog.getByTestId("shown-once");
  await expect(secret).toContainText("ik_");
  await picture("key");
  await expectAccessible();
  const token = /ik_\S+/.exec((await secret.textContent()) ?? "")?.[0] ?? "";

  const gatewayToken = () => page.evaluate(() => sessionStorage.getItem("card_token"));
  const roomList = page.waitForResponse((response) => response.url().includes("/linQuan/getRoomListByHotelId"));
  await dialog.getByRole("button", { name: t("third.try") }).click();
  const { data: rooms } = (await (await roomList).json()) as { data: unknown[] };
  expect(rooms.length).toBeGreaterThan(0);
  const triedText = t("third.tried", { count: rooms.length, formatted: rooms.length });
  await expect(dialog.getByText(triedText)).toBeVisible();
  expect(await gatewayToken()).toMatch(/^gk_/);
  await expectAccessible();
  await dialog.getByRole("button", { name: t("third.done") }).click();
  await expect.poll(gatewayToken).toBeNull();

  const ask = (path: string) =>
    fetch(`${process.env.E2E_URL}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask("/api/board")).status).toBe(200);
  expect((await ask("/api/trpc/staff.list")).status).toBe(403);

  await page.reload();
  const row = page.getByRole("row").filter({ hasText: `Engine ${tag}` });
  await expect(row).toContainText(t("third.keyState.live"));
  await expect(row).not.toContainText(t("third.neverUsed"));
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("third.revoke") }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("third.revoke") })
    .click();
  await expect(row).toContainText(t("third.keyState.revoked"));
  expect((await ask("/api/board")).status).toBe(401);
});

test("a calendar of taken dates is made, read with its address, shown as read, and revoked", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto(`${PATH}?tab=calendars`);
  await page
    .getByRole("button", { name: t("calendarFeed.new") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: t("third.name") }).fill(`Site ${tag}`);
  await expectAccessible();
  await dialog.getByRole("button", { name: t("calendarFeed.make") }).click();
  const address = /http\S+\.ics/.exec((await dialog.getByTestId("shown-once").textContent()) ?? "")?.[0] ?? "";
  await picture("calendar");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("third.done") }).click();
  const answer = await fetch(address);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  expect(await answer.text()).toContain("BEGIN:VCALENDAR");

  await page.reload();
  const row = page.getByRole("row").filter({ hasText: `Site ${tag}` });
  await expect(row).toContainText(t("calendarFeed.onlyTimes"));
  await expect(row).not.toContainText(t("calendarFeed.neverRead"));
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("third.revoke") }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("third.revoke") })
    .click();
  await expect(row).toContainText(t("third.keyState.revoked"));
  expect((await fetch(address)).status).toBe(404);
});

test("a webhook is added, delivers to its receiver, and lists refused and repeated deliveries", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  receiver = await startReceiver();
  receiver.answer = 422;
  await enter();
  await page.goto(`${PATH}?tab=webhooks`);
  await page
    .getByRole("button", { name: t("third.newHook") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: t("common.save") });
  await dialog.getByLabel(t("third.name")).fill(`PMS ${tag}`);
  await dialog.getByLabel(t("third.url")).fill("ftp://nowhere");
  await dialog.getByRole("checkbox", { name: t("third.event.stay.cancelled"), exact: true }).click();
  await save.click();
  await expect(dialog.getByText(t("validation.webAddress"))).toBeVisible();
  await dialog.getByLabel(t("third.url")).fill(receiver.url);
  await expectAccessible();
  await save.click();
  await expect(dialog.getByTestId("shown-once")).toContainText("whsec_");
  await dialog.getByRole("button", { name: t("third.done") }).click();

  const row = page.getByRole("row").filter({ hasText: `PMS ${tag}` });
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("third.test") }).click();
  // Reservations that other tests cancel arrive here, too.
  const tests = () =>
    (receiver?.received ?? []).filter(({ body }) => (JSON.parse(body) as { type: string }).type === "webhook.test");
  await expect.poll(() => tests().length, { timeout: ARRIVES_MS }).toBeGreaterThan(0);
  const [received] = tests();
  expect(received?.headers["webhook-signature"]).toMatch(/^v1,/);

  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("third.showDeliveries") }).click();
  await expect(page).toHaveURL(/tab=deliveries/);
  const delivery = page.getByRole("row").filter({ hasText: "webhook.test" });
  await expect(delivery).toContainText(t("third.error.answer", { status: 422 }), { timeout: ARRIVES_MS });
  await picture("deliveries");
  await expectAccessible();
  receiver.answer = 200;
  await delivery.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("third.resend") }).click();
  await expect(delivery).toContainText(t("third.error.answer", { status: 200 }), { timeout: ARRIVES_MS });
  // The server may have retried by itself meanwhile; every delivery carries the same event.
  expect(tests().length).toBeGreaterThan(1);
  expect(new Set(tests().map(({ headers }) => headers["webhook-id"]))).toEqual(
    new Set([received?.headers["webhook-id"]]),
  );
});
