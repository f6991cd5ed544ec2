import type { Page } from "@playwright/test";
import { call, chooseRoomAction, createRoom, createStay, findStay, type Stay } from "./support/desk.ts";
import { expect, OWNER, type Translate, test } from "./support/test.ts";

/** Conflicts between two desks, or between a clerk and a change elsewhere in the hotel. */
const submitOf = (page: Page) => page.getByRole("dialog").locator("button[type=submit]");

const nameOf = (page: Page, t: Translate) =>
  page.getByRole("dialog").getByRole("combobox", { name: t("guest.name"), exact: true });

async function fillGuest(page: Page, t: Translate, name: string): Promise<void> {
  await nameOf(page, t).fill(name);
  await page.keyboard.press("Tab");
  // The price has loaded: 100 for the night, of which only the deposit of 50 is due now.
  await expect(submitOf(page)).toContainText("50");
}

const question = (page: Page, title: string) => page.getByRole("alertdialog", { name: title, exact: true });

const cardOf = (page: Page, t: Translate, room: string, state: string) =>
  page.getByRole("link", { name: `${t("board.roomNamed", { name: room })}, ${t(`status.${state}`)}` });

test.beforeEach(async ({ enter }) => enter());

test("a change at one desk appears at the other at once", async ({ page, t, tag, openDesk }) => {
  await createRoom(page, tag, 10_000);
  const other = await openDesk(OWNER);
  await other.goto(`/room?q=${tag}`);
  await expect(other.getByText(t("board.live"), { exact: true })).toBeVisible();
  await expect(cardOf(other, t, tag, "vacant")).toBeVisible();

  await chooseRoomAction(page, t, tag, "checkIn");
  await fillGuest(page, t, `Emmy Noether ${tag}`);
  const checkedIn = page.waitForResponse((answer) => answer.url().includes("stays.checkIn"));
  await submitOf(page).click();
  await checkedIn;
  await expect(cardOf(other, t, tag, "checked_in")).toBeVisible();
  await expect(cardOf(other, t, tag, "checked_in")).toHaveAccessibleName(new RegExp(`Emmy Noether ${tag}`));
});

test("a room that was taken meanwhile is refused, and the form keeps its values", async ({ page, t, tag }) => {
  const roomId = await createRoom(page, tag, 10_000);
  await chooseRoomAction(page, t, tag, "checkIn");
  await fillGuest(page, t, `Late Comer ${tag}`);
  await page.getByRole("dialog").getByLabel(t("stay.otherInformation")).fill("two pillows");
  await createStay(page, "checkIn", { roomId, guest: `First Comer ${tag}` });
  await submitOf(page).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText(t("errors.room_taken"));
  await expect(nameOf(page, t)).toHaveValue(`Late Comer ${tag}`);
  await expect(page.getByRole("dialog").getByLabel(t("stay.otherInformation"))).toHaveValue("two pillows");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("common.cancel") })
    .click();
  await expect(question(page, t("stay.discardTitle"))).toBeVisible();
});

test("a guest who is already checked in is reported with the room, and the clerk may go on", async ({
  page,
  t,
  tag,
}) => {
  const guest = `Double ${tag}`;
  const roomId = await createRoom(page, `${tag}a`, 10_000);
  await createRoom(page, `${tag}b`, 10_000);
  await createStay(page, "checkIn", { roomId, guest, documentNumber: `P${tag}` });

  await chooseRoomAction(page, t, `${tag}b`, "checkIn");
  await fillGuest(page, t, guest);
  await page.getByRole("dialog").getByLabel(t("guest.documentNumber")).fill(`P${tag}`);
  await submitOf(page).click();
  const box = question(page, t("stay.alreadyInTitle", { guestName: guest, roomName: `${tag}a` }));
  await box.getByRole("button", { name: t("common.cancel") }).click();
  await expect(nameOf(page, t)).toHaveValue(guest);
  await submitOf(page).click();
  await box.getByRole("button", { name: t("stay.continueAnyway") }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(cardOf(page, t, `${tag}b`, "checked_in")).toBeVisible();
});

test("a price that changed is shown before it is charged", async ({ page, t, tag }) => {
  const guest = `Bargain ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  await chooseRoomAction(page, t, tag, "checkIn");
  await fillGuest(page, t, guest);
  const prices = { depositMinor: 0, usualMinor: 12_300, weekendMinor: 12_300 };
  await call(page, "mutation", "rooms.setPrices", { roomIds: [roomId], prices });
  await submitOf(page).click();
  const box = question(page, t("stay.priceChangedTitle"));
  await expect(box).toContainText("100");
  await box.getByRole("button", { name: /123/ }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect((await findStay(page, guest)).money.chargedMinor).toBe(12_300);
});

test("check-out with an open balance has to be confirmed", async ({ page, t, tag }) => {
  const guest = `Debtor ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  await createStay(page, "checkIn", { roomId, guest });
  await chooseRoomAction(page, t, tag, "checkOut");
  await submitOf(page).click();
  const box = page.getByRole("alertdialog").filter({ hasText: t("stay.unpaidText") });
  await expect(box).toContainText("50");
  await box.getByRole("button", { name: t("common.cancel") }).click();
  expect((await findStay(page, guest)).state).toBe("checked_in");
  await submitOf(page).click();
  await box.getByRole("button", { name: t("stay.checkOutUnpaid") }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await findStay(page, guest)).toMatchObject({ state: "checked_out", money: { owedMinor: 5_000 } });
});

test("check-in to a room that isn't clean has to be confirmed", async ({ page, t, tag }) => {
  const roomId = await createRoom(page, tag, 10_000);
  await call(page, "mutation", "rooms.setStatus", { roomIds: [roomId], status: "dirty" });
  await chooseRoomAction(page, t, tag, "checkIn");
  await fillGuest(page, t, `Hurry ${tag}`);
  await submitOf(page).click();
  const box = question(page, t("stay.dirtyTitle", { roomName: tag }));
  await box.getByRole("button", { name: t("stay.continueAnyway") }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(cardOf(page, t, tag, "checked_in")).toBeVisible();
});

test("a reservation is cancelled, and the room is free again", async ({ page, t, tag }) => {
  const guest = `No Show ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "reserve", { roomId, guest });
  await chooseRoomAction(page, t, tag, "cancelReservation");
  await expect(page.getByRole("dialog")).toContainText(guest);
  await submitOf(page).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(cardOf(page, t, tag, "vacant")).toBeVisible();
  const stay = await call<Stay>(page, "query", "stays.detail", { stayId });
  expect(stay).toMatchObject({ state: "cancelled", money: { owedMinor: 0 } });
});

test("the party of a reservation arrives and pays", async ({ page, t, tag }) => {
  const guest = `Expected ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  await createStay(page, "reserve", { roomId, guest });
  await chooseRoomAction(page, t, tag, "checkIn");
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("radiogroup", { name: t("stay.payRoom") })
    .getByRole("radio", { name: t("stay.channel.cash") })
    .click();
  await submitOf(page).click();
  await expect(dialog).toBeHidden();
  await expect(cardOf(page, t, tag, "checked_in")).toBeVisible();
  expect(await findStay(page, guest)).toMatchObject({
    state: "checked_in",
    money: { owedMinor: 0, paidMinor: 10_000, depositHeldMinor: 5_000 },
  });
});
