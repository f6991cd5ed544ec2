import { execFileSync } from "node:child_process";
import { call, createRoom, createStay, findStay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** A guest may request a copy of their data or its erasure; the hotel sets how long documents are stored. */
test("a person's data is exported, and the person is erased after check-out", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const guest = `Privacy ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "checkIn", { roomId, guest, documentNumber: `P${tag}` });
  const stayGuestId = (await findStay(page, guest)).guests[0]?.stayGuestId;

  await page.goto("/privacy");
  await page.getByRole("searchbox", { name: t("privacy.search") }).fill(guest);
  await page.getByRole("button", { name: new RegExp(guest) }).click();
  await expect(page.getByRole("heading", { name: guest })).toBeVisible();
  expect(page.url()).not.toContain(encodeURIComponent(guest));
  await expect(page.getByText(t("privacy.eraseBlocked"))).toBeVisible();
  const erase = page.getByRole("button", { name: t("privacy.erase"), exact: true });
  await expect(erase).toBeDisabled();
  await expectAccessible();

  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: t("privacy.export") }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^guest-\d+\.zip$/);
  const readPage = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('person.html').decode())";
  expect(execFileSync("python3", ["-c", readPage, await download.path()], { encoding: "utf8" })).toContain(guest);

  await call(page, "mutation", "stays.checkOut", { stayId, confirmUnpaid: true });
  await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
  await erase.click();
  const dialog = page.getByRole("dialog");
  const confirmErase = dialog.getByRole("button", { name: t("privacy.erase"), exact: true });
  await dialog.getByRole("textbox").fill("somebody else");
  await confirmErase.click();
  await expect(dialog.getByText(t("validation.otherName"))).toBeVisible();
  await dialog.getByRole("textbox").fill(guest.toUpperCase());
  await confirmErase.click();
  await expect(page.getByText(t("privacy.erased"))).toBeVisible();
  await expect(page.getByText(guest)).toHaveCount(0);
  const { total } = await call<{ total: number }>(page, "query", "guests.list", { keyword: guest });
  expect(total).toBe(0);

  await page.goto("/audit?action=privacy.erase");
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: t("audit.action.privacy.erase") })
      .first(),
  ).toBeVisible();
});

test("the retention of documents is set next to a preview of what it deletes", async ({ page, t, tag, enter }) => {
  await enter();
  await page.goto("/privacy");
  const keep = page.getByRole("radio", { name: t("privacy.keepAll") });
  await expect(keep).toBeVisible();
  const days = page.getByLabel(t("privacy.days"), { exact: true });
  await page.getByRole("radio", { name: t("privacy.eraseAfter") }).check();
  await days.fill("4000");
  await page.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("validation.retentionDays"))).toBeVisible();
  // Guests of the demo hotel left at most a year ago, so a limit of eight years affects no one, whatever other tests do
  // meanwhile. Each language sets a different number.
  await days.fill(String(3_000 + (Number.parseInt(tag, 36) % 600)));
  await page.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("privacy.saved"))).toBeVisible();
  await expect(page.getByText(t("privacy.dueNothing"))).toBeVisible();
});
