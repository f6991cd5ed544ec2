import { chooseRoomAction, createRoom, findStay } from "./support/desk.ts";
import { expect, test } from "./support/test.ts";

/** The main workflow on screen: a guest checks in, extends, changes rooms and checks out, and the money is right. */
test("check in, renew, change room, check out", async ({ page, t, tag, logIn, picture, expectAccessible }) => {
  const guest = `Ada Lovelace ${tag}`;
  const document = `C01X ${tag}`;
  const first = `${tag} A`;
  const second = `${tag} B`;
  await logIn();
  await createRoom(page, first, 10_000);
  await createRoom(page, second, 13_000);
  await page.goto("/room");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await picture("1-board");
  await expectAccessible();

  await chooseRoomAction(page, t, first, "checkIn");
  const dialog = page.getByRole("dialog");
  const submit = dialog.locator("button[type=submit]");
  await dialog.getByRole("textbox", { name: t("guest.documentNumber") }).fill(document);
  await submit.click();
  await expect(dialog.getByText(t("validation.required")).first()).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: t("guest.documentNumber") })).toHaveValue(document);
  await dialog
    .getByRole("combobox", { name: t("guest.name"), exact: true })
    .or(dialog.getByRole("textbox", { name: t("guest.name"), exact: true }))
    .fill(guest);
  await page.keyboard.press("Tab");
  await dialog
    .getByRole("radiogroup", { name: t("stay.payRoom") })
    .getByRole("radio", { name: t("stay.channel.card") })
    .click();
  // The amount to pay now: the night by card and the deposit.
  await expect(submit).toContainText("150");
  await picture("2-check-in");
  await expectAccessible();
  await submit.click();
  await expect(dialog).toBeHidden();
  const arrived = await findStay(page, guest);
  expect(arrived).toMatchObject({ state: "checked_in", room: { name: first } });
  expect(arrived.money).toMatchObject({
    chargedMinor: 10_000,
    paidMinor: 10_000,
    owedMinor: 0,
    depositHeldMinor: 5_000,
  });

  await chooseRoomAction(page, t, first, "renew");
  await expect(dialog.getByText(t("stay.total"), { exact: true })).toBeVisible();
  await expect(submit).toHaveText(t("stay.renew"));
  await dialog.getByRole("radio", { name: t("stay.channel.card") }).click();
  await expect(submit).toContainText("100");
  await dialog.getByRole("radio", { name: t("stay.payLater") }).click();
  await picture("3-renew");
  await expectAccessible();
  await submit.click();
  await expect(dialog).toBeHidden();
  expect((await findStay(page, guest)).money).toMatchObject({ chargedMinor: 20_000, owedMinor: 10_000 });

  await chooseRoomAction(page, t, first, "changeRoom");
  await dialog
    .getByRole("searchbox")
    .or(dialog.getByRole("textbox", { name: t("stay.findRoom") }))
    .first()
    .fill(second);
  await dialog.getByRole("radio", { name: second }).click();
  await expect(
    dialog
      .getByText(t("stay.guestPays"))
      .or(dialog.getByText(t("stay.difference")))
      .first(),
  ).toBeVisible();
  await picture("4-change-room");
  await expectAccessible();
  await submit.click();
  await expect(dialog).toBeHidden();
  const moved = await findStay(page, guest);
  expect(moved).toMatchObject({ state: "checked_in", room: { name: second } });
  expect(moved.money).toMatchObject({ chargedMinor: 26_000, owedMinor: 16_000 });

  await page.goto(`/room/thetouristsDetails?id=${moved.guests[0]?.stayGuestId}`);
  await expect(page.getByText(guest).first()).toBeVisible();
  await picture("5-guest");
  await expectAccessible();

  await chooseRoomAction(page, t, second, "checkOut");
  await dialog
    .getByRole("radio", { name: t("stay.channel.cash") })
    .first()
    .click();
  // 160 are due, and the deposit of 50 covers part of it.
  await expect(submit).toContainText("110");
  await picture("6-check-out");
  await expectAccessible();
  await submit.click();
  await expect(dialog).toBeHidden();
  const left = await findStay(page, guest);
  expect(left.state).toBe("checked_out");
  expect(left.money).toMatchObject({ chargedMinor: 26_000, paidMinor: 26_000, owedMinor: 0, depositHeldMinor: 0 });

  await page.goto(`/room?q=${tag}`);
  await expect(page.getByText(t("status.dirty")).first()).toBeVisible();
  await picture("7-left");
});
