import { createRoom, createStay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

test("guests open on those in the house, and are sorted, counted and found by words in any order", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const guest = `Zoë Ångström ${tag}`;
  await createStay(page, "checkIn", { roomId: await createRoom(page, tag, 10_000), guest });
  await page.goto("/guests");
  await expect(page.getByRole("radio", { name: t("guest.state.in") })).toBeChecked();
  const list = page.getByRole("region", { name: t("nav.guests") });
  const names = list.getByRole("row").locator("td:first-child");
  await expect(names.first()).toBeVisible();
  await picture("guests");
  await expectAccessible();
  await list.getByRole("button", { name: t("guest.name"), exact: true }).click();
  await expect(page).toHaveURL(/sort=-?name/);

  await page.getByRole("searchbox", { name: t("guest.search") }).fill(`${tag.toLowerCase()} angstrom zoe`);
  await expect(page).toHaveURL(/q=/);
  await expect(page.getByRole("radio", { name: t("guest.all"), exact: true })).toBeChecked();
  await expect(names).toHaveText([guest]);

  await page.goto("/guests?range=tomorrow&by=arrival");
  await expect(page.getByRole("combobox", { name: t("guest.periodPart") })).toContainText(t("guest.by.arrival"));
  await page.goto("/guests?range=custom&from=2020-01-01&to=2020-01-02");
  await expect(page.getByLabel(t("guest.range.from"))).toHaveValue(/2020/);
  await expect(page.getByText(t("guest.nobodyFound"))).toBeVisible();
});

test("door records are searched by room", async ({ page, t, enter, picture, expectAccessible }) => {
  await enter();
  await page.goto("/doors");
  await page.getByRole("searchbox", { name: t("doors.search") }).fill("101");
  await expect(page).toHaveURL(/q=/);
  const rows = page.getByRole("region", { name: t("room.unlocks") }).getByRole("row");
  await expect(rows.nth(1)).toContainText("101");
  await picture("door-search");
  await expectAccessible();
});

test("the board is reached from its search by arrow or Enter, and ? lists the letters", async ({
  page,
  t,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/room");
  await expect(page.locator("[data-room]").first()).toBeVisible();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: t("shell.shortcuts") });
  await expect(help.getByText(t("board.changeRoom"))).toBeVisible();
  await picture("shortcuts");
  await expectAccessible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: t("board.search") })).toBeFocused();
  await page.keyboard.type("203");
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("[data-room]:focus")).toHaveText("203");
  await page.keyboard.press("/");
  await page.keyboard.type("101");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-room]:focus")).toHaveText("101");
});

test("the audit log names whom an act was about, and is found by name, act and days", async ({
  page,
  t,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/audit");
  await page.getByRole("searchbox", { name: t("audit.search") }).fill("nobody of this name");
  await expect(page.getByText(t("common.nothingFound"))).toBeVisible();
  await page.goto("/audit?action=session.login&range=today");
  await expect(page.getByText(t("audit.action.session.login")).nth(1)).toBeVisible();
  await picture("audit");
  await expectAccessible();
});
