import { call, chooseRoomAction, createRoom, createStay, findStay, type Stay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** What ended or changed by mistake comes back: cancellations, no-shows, and the status of rooms. */
test.beforeEach(async ({ enter }) => enter());

test("guests who don't come are a no-show that pays the first night, and are reinstated while the room is free", async ({
  page,
  t,
  tag,
  picture,
  expectAccessible,
}) => {
  const guest = `Missing ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "reserve", { roomId, guest });
  const { guests } = await findStay(page, guest);
  const address = `/room/thetouristsDetails?id=${guests[0]?.stayGuestId}`;
  await page.goto(address);
  await page.getByRole("button", { name: t("stay.noShow"), exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { checked: true })).toHaveCount(1);
  await expect(dialog).toContainText("100");
  await picture("no-show");
  await expectAccessible();
  await dialog.locator("button[type=submit]").click();
  await expect(dialog).toBeHidden();
  const ended = await call<Stay>(page, "query", "stays.detail", { stayId });
  expect(ended).toMatchObject({ state: "no_show", money: { chargedMinor: 10_000, owedMinor: 10_000 } });

  await page.goto(`/guests?state=no_show&q=${tag}`);
  await expect(page.getByText(guest, { exact: true }).first()).toBeVisible();
  await page.goto(address);
  await page.getByRole("button", { name: t("stay.reinstate"), exact: true }).click();
  await dialog.getByRole("button", { name: t("stay.reinstateIn", { room: tag }) }).click();
  await expect(dialog).toBeHidden();
  expect(await call<Stay>(page, "query", "stays.detail", { stayId })).toMatchObject({ state: "reserved" });
});

test("a cancelled reservation comes back from the message that says so", async ({ page, t, tag }) => {
  const guest = `Back ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "reserve", { roomId, guest });
  await chooseRoomAction(page, t, tag, "cancelReservation");
  await page.getByRole("dialog").locator("button[type=submit]").click();
  await page.getByRole("button", { name: t("common.undo"), exact: true }).click();
  await expect(page.getByText(t("stay.reinstatedDone", { guest, room: tag }))).toBeVisible();
  const stay = await call<Stay>(page, "query", "stays.detail", { stayId });
  expect(stay).toMatchObject({ state: "reserved", money: { chargedMinor: 10_000 } });
});

test("the message about a room's status names the room and undoes the change", async ({ page, t, tag }) => {
  await createRoom(page, tag, 10_000);
  const card = (state: string) =>
    page.getByRole("link", { name: `${t("board.roomNamed", { name: tag })}, ${t(`status.${state}`)}` });
  await chooseRoomAction(page, t, tag, "markDirty");
  await expect(page.getByText(t("status.is.dirty", { room: tag }))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card("dirty")).toBeVisible();
  await page.getByRole("button", { name: t("common.undo"), exact: true }).click();
  await expect(card("vacant")).toBeVisible();
});

test("a check-in is undone from the message that says so, and on the guest's page with the money it gives back", async ({
  page,
  t,
  tag,
  picture,
  expectAccessible,
}) => {
  const guest = `Wrong ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "reserve", { roomId, guest });
  const before = await findStay(page, guest);
  const dialog = page.getByRole("dialog");
  const address = `/room/thetouristsDetails?id=${before.guests[0]?.stayGuestId}`;
  await page.goto(address);
  await page.getByRole("button", { name: t("stay.checkIn"), exact: true }).click();
  await dialog.locator("button[type=submit]").click();
  await page.getByRole("button", { name: t("common.undo"), exact: true }).click();
  await expect(page.getByText(t("stay.checkInUndone", { guest, room: tag }))).toBeVisible();
  const again = await call<Stay>(page, "query", "stays.detail", { stayId });
  expect(again).toMatchObject({ state: "reserved", money: before.money });

  const deposit = { depositMinor: 5_000, depositChannel: "cash" };
  await call(page, "mutation", "stays.arrive", { stayId, channel: "cash", ...deposit });
  await page.goto(address);
  await page.getByRole("button", { name: t("stay.undoCheckIn"), exact: true }).click();
  await expect(dialog).toContainText("€150.00");
  await picture("undo-check-in");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("stay.undoCheckIn"), exact: true }).click();
  await expect(dialog).toBeHidden();
  const last = await call<Stay>(page, "query", "stays.detail", { stayId });
  expect(last).toMatchObject({ state: "reserved", money: before.money });
});

test("a check-out is undone from the message that says so, and later on the guest's page with the money it moves back", async ({
  page,
  t,
  tag,
  picture,
  expectAccessible,
}) => {
  const guest = `Stays ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "checkIn", { roomId, guest });
  const { guests, money } = await findStay(page, guest);
  const dialog = page.getByRole("dialog");
  await chooseRoomAction(page, t, tag, "checkOut");
  await dialog.getByRole("radio", { name: t("stay.channel.cash") }).click();
  await dialog.getByRole("button", { name: t("stay.checkOut") }).click();
  await page.getByRole("button", { name: t("common.undo"), exact: true }).click();
  await expect(page.getByText(t("stay.checkOutUndone", { guest, room: tag }))).toBeVisible();
  expect(await call<Stay>(page, "query", "stays.detail", { stayId })).toMatchObject({ state: "checked_in", money });

  await call(page, "mutation", "stays.checkOut", { stayId, channel: "cash", useDeposit: false });
  await page.goto(`/room/thetouristsDetails?id=${guests[0]?.stayGuestId}`);
  await page.getByRole("button", { name: t("stay.undoCheckOut"), exact: true }).click();
  await expect(dialog).toContainText("€100.00");
  await expect(dialog).toContainText("€50.00");
  await picture("undo-check-out");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("stay.undoCheckOut"), exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(await call<Stay>(page, "query", "stays.detail", { stayId })).toMatchObject({ state: "checked_in", money });
});
