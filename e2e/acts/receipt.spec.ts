import { createRoom, createStay, findStay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

test("a receipt is created in the chosen language", async ({ page, t, tag, enter, picture, expectAccessible }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const guest = `Ремонтов ${tag}`;
  await createStay(page, "checkIn", { roomId, guest });
  const stay = await findStay(page, guest);
  await page.goto(`/room/thetouristsDetails?id=${stay.guests[0]?.stayGuestId}`);
  await page.getByRole("button", { name: t("receipt.title"), exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: t("receipt.language") }).click();
  await page.getByRole("option", { name: "Русский" }).click();
  await picture("receipt");
  await expectAccessible();
  const link = dialog.getByRole("link", { name: t("receipt.open") });
  await expect(link).toHaveAttribute("href", `/api/receipts/${stay.id}.pdf?language=Russian`);
  const response = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(response.status()).toBe(200);
  expect(response.headers()["content-type"]).toBe("application/pdf");
  expect((await response.body()).subarray(0, 5).toString()).toBe("%PDF-");
});
