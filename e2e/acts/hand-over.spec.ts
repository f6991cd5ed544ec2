import { call, createRoom, openLive } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

test("a hand-over note reaches the next desk at once, is read there and ticked off", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
  expectAccessible,
  picture,
}) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const colleague = await openDesk("13800000002");
  await openLive(colleague, "/room");
  await expect(colleague.locator("[data-room]").first()).toBeVisible();

  // From the board it takes one click: the field has the focus.
  await page.goto("/room");
  await page.getByRole("button", { name: new RegExp(`^${t("nav.handOver")}`) }).click();
  const sheet = page.getByRole("dialog", { name: t("handOver.title") });
  await expect(sheet.getByRole("textbox", { name: t("handOver.note") })).toBeFocused();
  await page.keyboard.type(`Wake up ${tag}`);
  await sheet.getByRole("combobox", { name: t("board.room") }).click();
  await page.getByRole("combobox", { name: t("common.search"), exact: true }).fill(tag);
  await page.getByRole("option", { name: tag }).click();
  await sheet.getByRole("button", { name: t("handOver.add") }).click();
  const row = sheet.getByRole("listitem").filter({ hasText: `Wake up ${tag}` });
  await expect(row.getByRole("link", { name: tag })).toHaveAttribute("href", `/room/${roomId}`);
  await expect(sheet.getByRole("textbox", { name: t("handOver.note") })).toHaveValue("");
  await expectAccessible();
  await picture("hand-over");

  const waiting = new RegExp(t("shell.handOverWaiting", { number: "\\d+" }));
  await colleague.getByRole("button", { name: waiting }).click();
  const otherSheet = colleague.getByRole("dialog", { name: t("handOver.title") });
  const otherRow = otherSheet.getByRole("listitem").filter({ hasText: `Wake up ${tag}` });
  await expect(otherRow.getByText(t("handOver.new"), { exact: true })).toBeVisible();
  await otherRow.getByRole("checkbox").click();
  await expect(row).toBeHidden();
  await otherSheet.locator("summary").click();
  await expect(otherSheet.getByText(`Wake up ${tag}`)).toBeVisible();

  const { done } = await call<{ done: { text: string; doneByName: string }[] }>(
    page,
    "query",
    "handOver.list",
    undefined,
  );
  expect(done.find(({ text }) => text === `Wake up ${tag}`)?.doneByName).toBeTruthy();
});
