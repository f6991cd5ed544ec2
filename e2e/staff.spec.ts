import { findSeriousViolations } from "./support/accessibility.ts";
import { call, createOperator, createRoom, unfoldMenu } from "./support/desk.ts";
import { expect, OWNER, STAFF, test } from "./support/test.ts";

/** Which role sees and may do what (source: the product specification, section 6). */
interface Board {
  rooms: { id: number; name: string }[];
}

test("a member of staff sees only their rooms", async ({ page, t, enter, openDesk }) => {
  const all = (await (await (await openDesk(OWNER)).request.get("/api/board")).json()) as Board;
  await enter(STAFF);
  await page.goto("/room");
  await expect(page.getByRole("link", { name: t("board.roomNamed", { name: "101" }) })).toBeVisible();
  const own = (await (await page.request.get("/api/board")).json()) as Board;
  expect(own.rooms.map(({ name }) => name)).toEqual(["101", "102", "103", "104", "105", "106", "107", "108"]);
  await expect(
    page
      .getByRole("list")
      .getByRole("link", { name: /./ })
      .filter({ hasText: /^\d{3}$/ }),
  ).toHaveCount(8);

  const menu = page.getByRole("navigation", { name: t("shell.mainMenu") });
  await unfoldMenu(menu);
  for (const hidden of ["groups", "staff", "audit", "outbox"])
    await expect(menu.getByRole("link", { name: t(`nav.${hidden}`), exact: true })).toBeHidden();
  for (const path of ["/staff", "/audit", "/outbox"]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("alert"), path).toContainText(t("common.noPermissionTitle"));
    await expect(page.getByRole("main").getByRole("tab"), path).toHaveCount(0);
  }
  const foreign = all.rooms.find(({ id }) => !own.rooms.some((room) => room.id === id));
  await page.goto(`/room/${foreign?.id}`);
  await expect(page.getByRole("main").getByRole("alert")).toContainText(t("errors.not_found"));
});

test("the owner adds a member with a permission and a room, who first chooses a password", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
}) => {
  await enter();
  await createRoom(page, tag, 10_000);
  await page.goto("/staff");
  await page.getByRole("button", { name: t("staff.create") }).click();
  const dialog = page.getByRole("dialog");
  const account = `night-${tag.toLowerCase()}@example.com`;
  await dialog.getByLabel(t("staff.name"), { exact: true }).fill(`Night ${tag}`);
  await dialog.getByLabel(t("staff.account"), { exact: true }).fill(account);
  const submit = dialog.getByRole("button", { name: t("staff.create") });
  await submit.click();
  await expect(dialog.getByText(t("validation.required"))).toBeVisible();
  await dialog.getByLabel(t("staff.password"), { exact: true }).fill(`key-of-${tag}`);
  await dialog.getByRole("checkbox", { name: t("staff.capability.folio.refund") }).check();
  await dialog.getByRole("checkbox", { name: t("staff.capability.customers.view") }).uncheck();
  // New staff have all rooms; without any, the dialog asks first.
  await dialog.getByRole("switch", { name: t("staff.everyRoom") }).click();
  await submit.click();
  const question = page.getByRole("alertdialog", { name: t("staff.noRoomsTitle", { name: `Night ${tag}` }) });
  await question.getByRole("button", { name: t("staff.noRoomsBack") }).click();
  await dialog.getByRole("button", { name: tag, exact: true }).click();
  await submit.click();
  await expect(page.getByText(t("staff.createdDone", { name: `Night ${tag}` }))).toBeVisible();
  await expect(dialog).toBeHidden();

  const night = await openDesk();
  await night.goto("/guests");
  await night.getByLabel(t("auth.account"), { exact: true }).fill(account);
  await night.getByLabel(t("auth.password"), { exact: true }).fill(`key-of-${tag}`);
  await night.getByRole("button", { name: t("auth.login"), exact: true }).click();
  await expect(night.getByRole("heading", { name: t("newPassword.title") })).toBeVisible();
  await night.goto("/room");
  await expect(night).toHaveURL(/\/new-password/);
  await expect.poll(() => findSeriousViolations(night)).toEqual([]);
  const choose = async (password: string): Promise<void> => {
    await night.getByLabel(t("auth.oldPassword"), { exact: true }).fill(`key-of-${tag}`);
    await night.getByLabel(t("auth.newPassword"), { exact: true }).fill(password);
    await night.getByLabel(t("auth.confirmPassword"), { exact: true }).fill(password);
    await night.getByRole("button", { name: t("auth.savePassword") }).click();
  };
  await choose(`key-of-${tag}`);
  await expect(night.getByText(t("validation.passwordSame"))).toBeVisible();
  await choose(`own-key-${tag}`);
  await expect(night).toHaveURL(/\/room$/);
  await expect(night.getByRole("link", { name: t("board.roomNamed", { name: tag }) })).toBeVisible();
  const menu = night.getByRole("navigation", { name: t("shell.mainMenu") });
  await expect(menu.getByRole("link", { name: t("nav.guests"), exact: true })).toBeVisible();
  await expect(menu.getByRole("link", { name: t("nav.customers"), exact: true })).toBeHidden();
  const { session } = await call<{ session: { capabilities: string[] } }>(night, "query", "auth.status", undefined);
  expect(session.capabilities).toContain("folio.refund");
  expect(session.capabilities).not.toContain("prices.agree");
  expect(((await (await night.request.get("/api/board")).json()) as Board).rooms).toHaveLength(1);
});

test("an account that already exists is reported in the form, which keeps its values", async ({
  page,
  t,
  tag,
  enter,
}) => {
  await enter();
  await page.goto("/staff");
  await page.getByRole("button", { name: t("staff.create") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("staff.name"), { exact: true }).fill(`Twin ${tag}`);
  await dialog.getByLabel(t("staff.account"), { exact: true }).fill(STAFF);
  await dialog.getByLabel(t("staff.password"), { exact: true }).fill(`key-of-${tag}`);
  await dialog.getByRole("button", { name: t("staff.create") }).click();
  await expect(dialog.getByText(t("errors.account_taken"))).toBeVisible();
  await expect(dialog.getByLabel(t("staff.name"), { exact: true })).toHaveValue(`Twin ${tag}`);
});

test("freezing and unfreezing ask for confirmation and report success", async ({ page, t, tag, enter }) => {
  await enter();
  const { name } = await createOperator(page, tag, { capabilities: ["rooms.view"], roomIds: [] });
  await page.goto("/staff");
  const row = page.getByRole("row").filter({ hasText: name });
  const choose = async (act: string): Promise<void> => {
    await row.getByRole("button", { name: t("common.actions") }).click();
    await page.getByRole("menuitem", { name: t(`staff.${act}`), exact: true }).click();
  };
  await choose("freeze");
  const freezing = page.getByRole("alertdialog", { name: t("staff.freezeTitle", { name }) });
  await freezing.getByRole("button", { name: t("common.cancel") }).click();
  await expect(row).toContainText(t("staff.active"));
  await choose("freeze");
  await freezing.getByRole("button", { name: t("staff.freeze") }).click();
  await expect(page.getByText(t("staff.frozenDone", { name }))).toBeVisible();
  await expect(row).toContainText(t("staff.frozen"));
  await choose("unfreeze");
  const thawing = page.getByRole("alertdialog", { name: t("staff.unfreezeTitle", { name }) });
  await thawing.getByRole("button", { name: t("staff.unfreeze") }).click();
  await expect(page.getByText(t("staff.unfrozenDone", { name }))).toBeVisible();
  await expect(row).toContainText(t("staff.active"));
});

test("operators can't freeze themselves", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/staff");
  const own = page.getByRole("row").filter({ hasText: t("shell.you") });
  await expect(own).toBeVisible();
  await expect(own.getByRole("button", { name: t("common.actions") })).toBeHidden();
});

test("each permission says which pages, acts and exports it opens", async ({ page, t, enter, expectAccessible }) => {
  await enter();
  await page.goto("/staff?tab=permissions");
  const table = page.getByRole("table", { name: t("staff.permissions") });
  const opened = (title: string, name: string) =>
    table
      .getByRole("definition")
      .filter({ hasText: name })
      .and(table.locator(`dt:text-is("${title}") + dd`));
  await expect(opened(t("staff.opens.pages"), t("nav.doorRecords"))).toHaveCount(1);
  await expect(opened(t("staff.opens.acts"), t("staff.act.checkOut"))).toHaveCount(1);
  await expect(opened(t("staff.opens.exports"), t("nav.customers"))).toHaveCount(1);
  await expectAccessible();
});
