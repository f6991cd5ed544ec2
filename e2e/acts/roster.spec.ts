import { readFile } from "node:fs/promises";
import { call, createRoom, createStay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** Public keys of nobody: what is sealed for them opens nowhere. */
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

/** What the desk works with while the console is away. */
test("the emergency list is printed, and encrypted for the keys of the hotel's choice", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const guest = `Emergency ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  await createStay(page, "checkIn", { roomId, guest });
  const { settings } = await call<{ settings: object }>(page, "query", "rosters.overview", undefined);
  await call(page, "mutation", "rosters.saveSettings", { ...settings, recipients: [] });
  await page.goto("/roster");

  await page.evaluate(() => {
    window.print = () =>
      document.body.setAttribute("data-printed", document.querySelector("[data-print-sheet]")?.textContent ?? "");
  });
  await page.getByRole("button", { name: t("roster.print") }).click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", new RegExp(guest));

  const keys = page.getByLabel(t("roster.recipients"));
  const save = page.getByRole("button", { name: t("common.save"), exact: true });
  await keys.fill("age1nothing");
  await save.click();
  await expect(page.getByText(t("validation.ageRecipient"))).toBeVisible();
  await keys.fill(RECIPIENT);
  await save.click();
  await expect(page.getByText(t("privacy.saved"))).toBeVisible();
  await page.getByRole("button", { name: t("roster.make") }).click();
  await expect(page.getByText(t("roster.made"))).toBeVisible();
  await expectAccessible();

  const downloading = page.waitForEvent("download");
  await page.getByRole("row").nth(1).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^roster-\d+-\d{8}T\d{6}Z\.tar\.gz\.age$/);
  const sealed = await readFile(await download.path());
  expect(sealed.toString("latin1")).toMatch(/^age-encryption\.org\/v1/);
  expect(sealed.includes(Buffer.from(guest))).toBe(false);

  await page.goto("/audit?action=roster.download");
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: t("audit.action.roster.download") })
      .first(),
  ).toBeVisible();
});
