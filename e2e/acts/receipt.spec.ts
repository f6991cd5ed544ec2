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
  // Enter opens it in the guest's language.
  await expect(dialog.getByRole("link", { name: t("receipt.open") })).toBeFocused();
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

test("a receipt gets a running number and names the business, with the logo that the hotel uploaded", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/hotel");
  await page.getByLabel(t("hotel.legalName")).fill(`Messing ${tag} GmbH`);
  await page.getByLabel(t("hotel.taxNumber")).fill(`DE${tag}`);
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 300, height: 100 });
    canvas.getContext("2d")?.fillRect(0, 0, 300, 100);
    return canvas.toDataURL("image/png");
  });
  const buffer = Buffer.from(url.split(",")[1] ?? "", "base64");
  await page.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  const logo = page.getByRole("img", { name: t("hotel.logo") });
  await expect(logo).toHaveJSProperty("complete", true);
  await logo.scrollIntoViewIfNeeded();
  await picture("business");
  await expectAccessible();
  await page.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("hotel.saved"))).toBeVisible();
  await page.reload();
  await expect(logo).toBeVisible();
  await expect(page.getByLabel(t("hotel.legalName"))).toHaveValue(`Messing ${tag} GmbH`);

  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "checkIn", { roomId, guest: `Ada ${tag}` });
  const nameOf = async (): Promise<string> => {
    const response = await page.request.get(`/api/receipts/${stayId}.pdf?language=en`);
    expect(response.status()).toBe(200);
    return response.headers()["content-disposition"] ?? "";
  };
  const name = await nameOf();
  expect(name).toMatch(/receipt-\d+\.pdf/);
  expect(await nameOf()).toBe(name);
});
