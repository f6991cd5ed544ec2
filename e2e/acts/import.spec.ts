import { readFile } from "node:fs/promises";
import { call } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

interface BoardRoom {
  name: string;
  floor: number;
  usualMinor: number | null;
  lock: object | null;
}

/**
 * Imports a hotel from a spreadsheet: columns are recognised by their headings, wrong rows are reported, the rest is
 * imported.
 */
test("rooms are imported from a file without its invalid rows", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/imports");
  const mac = (end: string): string => `02C0${Buffer.from(tag).toString("hex").slice(0, 6)}${end}`.toUpperCase();
  const lines = [
    "Zimmernummer;Etage;Preis (EUR);Lock MAC;Farbe",
    `${tag}1;3;128,50;${mac("01")};red`,
    `${tag}2;third;128,50;${mac("02")};red`,
    `${tag}3;3;"1.128,50";;`,
  ];
  const table = { name: "rooms.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n"), "latin1") };
  await page.locator('input[type="file"]').setInputFiles(table);
  await expect(page.getByRole("heading", { name: t("imports.columns") })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Preis (EUR)" })).toContainText(t("prices.usual"));
  await expect(page.getByRole("combobox", { name: "Farbe" })).toContainText(t("imports.leaveOut"));
  await expectAccessible();

  await page.getByRole("button", { name: t("imports.check"), exact: true }).click();
  await expect(page.getByText(t("imports.errorsTitle", { count: 1 }))).toBeVisible();
  await expect(page.getByText(t("validation.integer"))).toBeVisible();
  await picture("preview");
  await expectAccessible();
  await page.getByRole("button", { name: t("imports.runRest", { count: 2 }) }).click();
  await expect(page.getByRole("heading", { name: t("imports.done") })).toBeVisible();
  await picture("done");

  const board = await (await page.request.get("/api/board", { headers: { "x-innkey": "1" } })).json();
  const imported = (board.rooms as BoardRoom[]).filter(({ name }) => name.startsWith(tag));
  expect(imported.map(({ name, floor, usualMinor, lock }) => [name, floor, usualMinor, lock !== null])).toEqual([
    [`${tag}1`, 3, 12_850, true],
    [`${tag}3`, 3, 112_850, false],
  ]);
});

test("pasted customers are imported once", async ({ page, t, tag, enter }) => {
  await enter();
  await page.goto("/imports?kind=customers");
  await page.getByRole("button", { name: t("imports.paste") }).click();
  await page
    .getByRole("textbox", { name: t("imports.paste") })
    .fill(`Name\tTel\nImp ${tag}\t+491715550100\nImp ${tag}\t+491715550100`);
  await page.getByRole("button", { name: t("imports.useRows") }).click();
  await page.getByRole("button", { name: t("imports.check"), exact: true }).click();
  await page.getByRole("button", { name: t("imports.run", { count: 1 }) }).click();
  await expect(page.getByRole("heading", { name: t("imports.done") })).toBeVisible();
  const customers = await call<{ total: number }>(page, "query", "customers.list", { keyword: `Imp ${tag}` });
  expect(customers.total).toBe(1);
});

test("the template's sample rows can be imported as they are", async ({ page, t, enter }) => {
  await enter();
  for (const kind of ["rooms", "guests", "customers"]) {
    await page.goto(`/imports?kind=${kind}`);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: t("imports.template") }).click();
    const path = await (await downloading).path();
    await page.locator('input[type="file"]').setInputFiles({
      name: "template.csv",
      mimeType: "text/csv",
      buffer: await readFile(path),
    });
    await expect(page.getByRole("heading", { name: t("imports.columns") })).toBeVisible();
    await expect(page.getByRole("combobox", { name: t("imports.leaveOut") })).toHaveCount(0);
    // Whether room 101 is free for the sample guests depends on the demo hotel.
    if (kind === "guests") continue;
    await page.getByRole("button", { name: t("imports.check"), exact: true }).click();
    await expect(page.getByText(t(kind === "rooms" ? "imports.act.skip" : "imports.act.create")).first()).toBeVisible();
  }
});
