import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { readWorkbook } from "../../apps/server/test/clients/workbook.ts";
import { addDoorRecords } from "../support/database.ts";
import { createRoom, createStay, newMac } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** How long a busy machine may take for a file that is made in the background. */
const MADE_MS = 30_000;

/** Exports lists as files that contain the same rows as the screen. */
const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path());
const linesOf = async (download: Download): Promise<string[]> =>
  (await bytesOf(download)).toString().slice(1).trimEnd().split("\r\n");

async function downloadAfter(page: Page, act: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return download;
}

test("guests are exported as CSV and as a workbook, with the chosen columns in the chosen order", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  await createStay(page, "checkIn", { roomId, guest: `=Export ${tag}` });
  await page.goto(`/guests?q=${tag}`);
  await expect(page.getByRole("row").filter({ hasText: tag })).toHaveCount(1);

  await page.getByRole("button", { name: t("common.export") }).click();
  const dialog = page.getByRole("dialog");
  const columns = dialog.getByRole("list", { name: t("exports.columns") });
  const make = dialog.getByRole("button", { name: t("exports.make") });
  await expect(columns.getByRole("checkbox").first()).toBeVisible();
  const documents = columns.getByRole("checkbox", { name: t("guest.documentNumber") });
  await expect(documents).not.toBeChecked();
  const checked = columns.getByRole("checkbox", { checked: true });
  for (let left = await checked.count(); left > 0; left -= 1) await checked.first().click();
  await make.click();
  await expect(dialog.getByText(t("validation.required"))).toBeVisible();
  const name = t("guest.name");
  const room = t("guest.room");
  await columns.getByRole("checkbox", { name, exact: true }).click();
  await columns.getByRole("checkbox", { name: room, exact: true }).click();
  const up = columns.getByRole("button", { name: t("exports.moveUp", { column: room }) });
  await up.click();
  await up.click();
  await dialog.getByLabel(t("exports.fileName")).fill(`List ${tag}`);
  await expectAccessible();
  await picture("export");
  const csv = await downloadAfter(page, () => make.click());
  expect(csv.suggestedFilename()).toBe(`List ${tag}.csv`);
  expect(await linesOf(csv)).toEqual([`${room},${name}`, `${tag},'=Export ${tag}`]);

  // Document numbers are selected for one file only.
  await page.getByRole("button", { name: t("common.export") }).click();
  await documents.click();
  const withNumbers = await downloadAfter(page, () => make.click());
  expect((await linesOf(withNumbers))[0]).toBe(`${room},${name},${t("guest.documentNumber")}`);

  // The dialog remembers the other columns, and a workbook keeps text cells as text.
  await page.getByRole("button", { name: t("common.export") }).click();
  await expect(documents).not.toBeChecked();
  await dialog.getByRole("radio", { name: t("exports.xlsx") }).click();
  await dialog.getByRole("radio", { name: t("exports.onePage") }).click();
  await expect(dialog.getByLabel(t("exports.page"), { exact: true })).toHaveValue("1");
  const xlsx = await downloadAfter(page, () => make.click());
  expect(xlsx.suggestedFilename()).toMatch(/\.xlsx$/);
  expect(readWorkbook(await bytesOf(xlsx)).sheets).toEqual([
    [
      [room, name],
      [tag, `=Export ${tag}`],
    ],
  ]);
});

test("a long list is exported in the background, announced when ready, downloaded and deleted", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const mac = newMac();
  const roomId = await createRoom(page, tag, 10_000, mac);
  await addDoorRecords(roomId, 60_000);
  await page.goto(`/doors?room=${roomId}`);
  await page.getByRole("button", { name: t("common.export") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("exports.fileName")).fill(`Doors ${tag}`);
  await dialog.getByRole("button", { name: t("exports.make") }).click();
  const file = `Doors ${tag}.csv`;
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(t("exports.ready", { file }))).toBeVisible({ timeout: MADE_MS });

  await page.goto("/exports");
  const row = page.getByRole("row").filter({ hasText: file });
  await expect(row.getByText(t("exports.state.done"))).toBeVisible();
  await expectAccessible();
  await picture("exports");
  await row.getByRole("button", { name: t("common.actions") }).click();
  const download = await downloadAfter(page, () => page.getByRole("menuitem", { name: t("exports.download") }).click());
  expect(download.suggestedFilename()).toBe(file);
  const lines = await linesOf(download);
  expect(lines).toHaveLength(60_001);
  expect(lines[0]?.split(",")[0]).toBe(t("room.unlockAt"));
  expect(lines[1]).toContain(tag);

  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("exports.remove") }).click();
  await page
    .getByRole("alertdialog")
    .or(dialog)
    .getByRole("button", { name: t("exports.remove") })
    .click();
  await expect(row).toHaveCount(0);
});
