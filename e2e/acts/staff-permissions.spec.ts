import { call, createOperator, createRoom, unfoldMenu } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

interface Row {
  operatorId: number;
  capabilities: string[];
  grants: { roomId: number; endsAt: string | null }[];
}

/** Granting permissions permanently or for a time, and adding and removing staff. */
test("permissions and rooms are ticked and saved together", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
  expectAccessible,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const { operatorId, name, account, password } = await createOperator(page, tag, {
    capabilities: ["rooms.view"],
    roomIds: [],
  });
  await page.goto("/staff?tab=permissions");
  const what = t("staff.capability.stays.view");
  const cell = page.getByRole("checkbox", { name: t("staff.cell", { name, what }), exact: true });
  await cell.check();
  await expect(page.getByText(t("staff.changed", { formatted: 1 }))).toBeVisible();
  await page.getByRole("button", { name: t("stay.discard"), exact: true }).click();
  await expect(cell).not.toBeChecked();
  await cell.check();
  await page.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("staff.permitsSaved"))).toBeVisible();
  await expectAccessible();

  await page.goto("/staff?tab=rooms");
  const room = t("board.roomNamed", { name: tag });
  const granted = page.getByRole("checkbox", { name: t("staff.cell", { name, what: room }), exact: true });
  // The other tests' rooms may be more than the page draws at once.
  await page.getByRole("rowheader").first().hover();
  await expect(async () => {
    if (await granted.isHidden()) await page.mouse.wheel(0, 600);
    await expect(granted).toBeVisible({ timeout: 200 });
  }).toPass();
  await granted.check();
  await page.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("staff.permitsSaved"))).toBeVisible();
  const person = (await call<Row[]>(page, "query", "staff.list", undefined)).find(
    (row) => row.operatorId === operatorId,
  );
  expect(person).toMatchObject({ capabilities: ["rooms.view", "stays.view"], grants: [{ roomId, endsAt: null }] });

  const desk = await openDesk(account, password);
  await desk.goto("/center/personalCenter");
  const own = desk.getByRole("main");
  await expect(own.getByText(what)).toBeVisible();
  await expect(own.getByText(tag, { exact: true })).toBeVisible();
});

test("a room is granted for a period, which the list and the person see", async ({ page, t, tag, enter, openDesk }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const { operatorId, name, account, password } = await createOperator(page, tag, {
    capabilities: ["rooms.view"],
    roomIds: [roomId],
  });
  await page.goto("/staff");
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("common.edit"), exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: t("staff.addPeriod") }).click();
  await page.getByRole("option", { name: t("board.roomNamed", { name: tag }) }).click();
  const period = dialog.getByRole("group", { name: t("board.roomNamed", { name: tag }), exact: true });
  await period.getByLabel(t("doors.to"), { exact: true }).fill("2999-01-02T10:00");
  await dialog.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("staff.savedDone", { name }))).toBeVisible();
  const saved = (await call<Row[]>(page, "query", "staff.list", undefined)).find(
    (one) => one.operatorId === operatorId,
  );
  expect(saved?.grants).toEqual([{ roomId, startsAt: null, endsAt: expect.stringMatching(/^2999-01-0/) }]);

  const desk = await openDesk(account, password);
  await desk.goto("/center/personalCenter");
  await expect(desk.getByRole("main").getByText(tag, { exact: true })).toBeVisible();
  await expect(desk.getByRole("main").getByRole("listitem").filter({ hasText: tag })).toContainText(/2999|٢٩٩٩|99/);
});

test("one member becomes an administrator, and another is removed", async ({ page, t, tag, enter, openDesk }) => {
  await enter();
  const { name, account, password } = await createOperator(page, tag, { capabilities: [], roomIds: [] });
  const desk = await openDesk(account, password);
  await page.goto("/staff");
  const row = page.getByRole("row").filter({ hasText: name });
  const choose = async (act: string): Promise<void> => {
    await row.getByRole("button", { name: t("common.actions") }).click();
    await page.getByRole("menuitem", { name: t(`staff.${act}`), exact: true }).click();
  };
  await choose("makeAdministrator");
  const role = page.getByRole("alertdialog", { name: t("staff.roleTitle", { name }) });
  await role.getByRole("button", { name: t("staff.makeAdministrator") }).click();
  await expect(row).toContainText(t("shell.role.administrator"));
  await choose("remove");
  const removal = page.getByRole("alertdialog", { name: t("staff.removeTitle", { name }) });
  await removal.getByRole("button", { name: t("staff.remove") }).click();
  await expect(page.getByText(t("staff.removedDone", { name }))).toBeVisible();
  await expect(row).toHaveCount(0);
  await desk.goto("/room");
  await expect(desk).toHaveURL(/\/login/);
});

test("staff see only menu entries that they may open", async ({ page, t, tag, enter, openDesk }) => {
  test.setTimeout(180_000);
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const sets = [
    ["rooms.view"],
    ["stays.view", "folio.view"],
    ["unlocks.view", "alerts.view", "passcodes.view", "locks.view"],
    [
      "breakfast.manage",
      "cardReaders.view",
      "exports.make",
      "reports.view",
      "customers.view",
      "hotel.view",
      "faces.view",
    ],
  ];
  for (const [index, capabilities] of sets.entries()) {
    const who = await createOperator(page, `${tag}${index}`, { capabilities, roomIds: [roomId] });
    const desk = await openDesk(who.account, who.password);
    await desk.goto("/center/personalCenter");
    const refused: string[] = [];
    desk.on("response", (response) => {
      if (response.status() === 403) refused.push(`${desk.url()} asked ${response.url()}`);
    });
    const menu = desk.getByRole("navigation", { name: t("shell.mainMenu") });
    await unfoldMenu(menu);
    const paths = await menu
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    for (const path of paths) {
      await desk.goto(path);
      await expect(desk.getByRole("heading", { level: 1 }).first(), path).toBeVisible();
      await expect(desk.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
      await expect
        .soft(desk.getByText(t("common.noPermissionTitle")), `${capabilities.join()} at ${path}`)
        .toHaveCount(0);
    }
    expect.soft(refused, capabilities.join()).toEqual([]);
  }
});
