import type { Page } from "@playwright/test";
import { call, chooseRoomAction, createRoom, createStay, findStay, newMac, revokeGuestCards } from "./support/desk.ts";
import { useDevices } from "./support/devices.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { expect, test } from "./support/test.ts";
import type { Translate } from "./support/texts.ts";

/** Every act that changes keys ends with the keys of the stay, in the dialog of the act. */

const UID = "4A8C21F3";
const SECOND_UID = "0B17D25E";
const desk = useDevices();

const dialogOf = (page: Page) => page.getByRole("dialog");
const submitOf = (page: Page) => dialogOf(page).locator("button[type=submit]");

interface Key {
  kind: string;
  state: string;
}
const keysOf = async (page: Page, stayId: number): Promise<string[]> =>
  (await call<{ keys: Key[] }>(page, "query", "keys.ofStay", { stayId })).keys.map(
    ({ kind, state }) => `${kind} ${state}`,
  );

async function fillWalkIn(page: Page, t: Translate, guest: string): Promise<void> {
  await dialogOf(page)
    .getByRole("combobox", { name: t("guest.name"), exact: true })
    .or(dialogOf(page).getByRole("textbox", { name: t("guest.name"), exact: true }))
    .fill(guest);
}

test("a walk-in gets a card, and each later act says what becomes of the keys", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  test.setTimeout(180_000);
  await enter();
  const guest = `Key ${tag}`;
  const [first, second] = [`K${tag}1`, `K${tag}2`];
  await revokeGuestCards(page, [UID, SECOND_UID]);
  const macs = [newMac(), newMac()] as const;
  const roomId = await createRoom(page, first, 10_000, macs[0]);
  const secondId = await createRoom(page, second, 10_000, macs[1]);
  const streets = [await connectVirtualLock(page, macs[0]), await connectVirtualLock(page, macs[1])];
  const dialog = dialogOf(page);
  const write = dialog.getByRole("button", { name: t("keys.writeFor", { name: guest }) });
  const finish = dialog.getByRole("button", { name: t("keys.finish") });

  await test.step("check-in: the card on the reader is written by the next Enter", async () => {
    await desk.put(UID);
    await chooseRoomAction(page, t, first, "checkIn");
    await fillWalkIn(page, t, guest);
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("heading", { name: t("keys.title", { room: first }) })).toBeVisible();
    await expect(dialog).toContainText(t("stay.checkedInDone", { guest, room: first }));
    await expect(write).toBeFocused();
    await picture("1-check-in");
    await expectAccessible();
    await page.keyboard.press("Enter");
    await expect(dialog.getByText(t("card.done"))).toBeVisible();
    await expect(dialog).toContainText(UID);
    await expect(finish).toBeFocused();
    await picture("2-written");
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
  });
  const stay = await findStay(page, guest);
  expect(await keysOf(page, stay.id)).toEqual(["card opens"]);
  await call(page, "mutation", "passcodes.create", { type: "air", stayId: stay.id, roomIds: [roomId], person: guest });

  await test.step("extension: the code moves by itself, the card is to be written again", async () => {
    await chooseRoomAction(page, t, first, "renew");
    await submitOf(page).click();
    await expect(dialog.getByText(t("card.rewrite.too_short"))).toBeVisible();
    await expect(dialog.getByText(t("keys.state.opens"))).toBeVisible();
    await picture("3-extension");
    await expectAccessible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    const card = page.getByRole("listitem").filter({ hasText: first });
    await expect(card.getByText(t("board.cardsToRewrite"))).toBeVisible();
    await picture("4-board");
    await page.goto(`/room/${roomId}`);
    await expect(page.getByText(t("board.writeAgain")).first()).toBeVisible();
    await page.goto("/alerts");
    await expect(page.getByRole("main").getByText(t("alert.kind.cards_to_rewrite")).first()).toBeVisible();
    await page.goto(`/room/thetouristsDetails?id=${stay.guests[0]?.stayGuestId}`);
    await expect(page.getByText(t("card.rewrite.too_short"))).toBeVisible();
    await page.getByRole("button", { name: t("card.writeAgain") }).click();
    await expect(write).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog.getByText(t("card.done"))).toBeVisible();
    await finish.click();
    await expect(page.getByText(t("card.rewrite.too_short"))).toHaveCount(0);
    await page.goto(`/room?q=${first}`);
    await expect(card).toBeVisible();
    await expect(card.getByText(t("board.cardsToRewrite"))).toHaveCount(0);
  });

  await test.step("room change: the card opens the old door until it is written", async () => {
    await chooseRoomAction(page, t, first, "changeRoom");
    await expect(dialog.getByRole("searchbox", { name: t("stay.findRoom") })).toBeFocused();
    await page.keyboard.type(second);
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("radio", { name: second })).toBeChecked();
    await page.keyboard.press("Enter");
    await expect(dialog.getByText(t("card.rewrite.room_changed"))).toBeVisible();
    await picture("5-room-change");
    await expectAccessible();
    await write.click();
    await expect(dialog.getByText(t("card.done"))).toBeVisible();
    await expect(dialog.getByText(t("card.rewrite.room_changed"))).toHaveCount(0);
    await finish.click();
  });

  await test.step("lost card: the old one is blocked, the new one is written", async () => {
    await desk.put(SECOND_UID);
    await chooseRoomAction(page, t, second, "lostCard");
    await picture("6-lost");
    await expectAccessible();
    await expect(dialog.getByRole("button", { name: t("keys.blockAndWrite") })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog.getByText(t("card.done"))).toBeVisible();
    await picture("7-replaced");
    await expect(finish).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    const cards = await call<{ uid: string; state: string; revokeReason: string | null }[]>(
      page,
      "query",
      "cards.ofStay",
      { stayId: stay.id },
    );
    expect(cards[0]).toMatchObject({ uid: SECOND_UID, state: "active" });
    expect(cards.find(({ uid, revokeReason }) => uid === UID && revokeReason === "lost")).toBeDefined();
  });

  await test.step("the room's page lists the cards of its guests", async () => {
    await page.goto(`/room/${secondId}?tab=codes`);
    const cards = page.getByRole("main").getByRole("listitem");
    await expect(cards.filter({ hasText: SECOND_UID })).toContainText(guest);
    await picture("8-room");
    await expectAccessible();
  });

  await test.step("another guest: their card comes next", async () => {
    const other = `Other ${tag}`;
    await page.goto(`/room/thetouristsDetails?id=${stay.guests[0]?.stayGuestId}`);
    await page.getByRole("button", { name: t("guest.add") }).click();
    await page.keyboard.type(other);
    await submitOf(page).click();
    await expect(dialog).toContainText(t("guest.added", { name: other }));
    await expect(dialog.getByRole("button", { name: t("keys.writeFor", { name: other }) })).toBeFocused();
    await expect(dialog.getByRole("button", { name: t("common.undo") })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  await test.step("check-out: the cards are asked for, and the step says when no key opens any more", async () => {
    await chooseRoomAction(page, t, second, "checkOut");
    await submitOf(page).click();
    const question = page.getByRole("alertdialog");
    await question
      .or(dialog.getByText(t("keys.askBackText")))
      .first()
      .waitFor();
    if (await question.isVisible()) await question.getByRole("button", { name: t("stay.checkOutUnpaid") }).click();
    await expect(dialog.getByText(t("keys.askBack", { count: 1 }))).toBeVisible();
    await expect(dialog.getByText(t("keys.allBlocked"))).toBeVisible();
    await picture("9-check-out");
    await expectAccessible();
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
  });
  for (const street of streets) await street.stop();
});

test("a card that is lost before any was written leads to writing one", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
  picture,
}) => {
  await enter();
  const room = `L${tag}`;
  const roomId = await createRoom(page, room, 10_000, newMac());
  await createStay(page, "checkIn", { roomId, guest: `Lost ${tag}` });
  await chooseRoomAction(page, t, room, "lostCard");
  const dialog = dialogOf(page);
  await expect(dialog.getByText(t("card.none"))).toBeVisible();
  await expect(dialog.getByRole("button", { name: t("keys.onlyBlock") })).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: t("card.write"), exact: true })).toBeFocused();
  await picture("none-lost");
  await expectAccessible();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("heading", { name: t("keys.title", { room }) })).toBeVisible();
  await expect(dialog.getByRole("button", { name: t("keys.writeFor", { name: `Lost ${tag}` }) })).toBeFocused();
});

test("without a reader the step says how to connect one, and a code is given instead", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const guest = `Reader ${tag}`;
  const room = `R${tag}`;
  const mac = newMac();
  await createRoom(page, room, 10_000, mac);
  const street = await connectVirtualLock(page, mac);
  await desk.fault({ down: ["http"] });
  await chooseRoomAction(page, t, room, "checkIn");
  await fillWalkIn(page, t, guest);
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page);
  await dialog.getByRole("button", { name: t("keys.writeFor", { name: guest }) }).click();
  await expect(dialog.getByText(t("reader.error.noService"))).toBeVisible();
  await expect(dialog.getByRole("link", { name: t("keys.connectReader") })).toBeVisible();
  await dialog.getByRole("button", { name: t("keys.code"), exact: true }).click();
  await expect(dialog.getByText(t("keys.codeTitle"))).toBeVisible();
  await expect(dialog.getByText(t("keys.state.opens"), { exact: true })).toBeVisible();
  await picture("code");
  await expectAccessible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const stay = await findStay(page, guest);
  expect(await keysOf(page, stay.id)).toEqual(["passcode opens"]);
  await street.stop();
});

test("a lock that can't be reached is named, with a code that opens without a connection", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const room = `U${tag}`;
  const mac = newMac();
  await createRoom(page, room, 10_000, mac);
  const street = await connectVirtualLock(page, mac);
  await street.stop();
  await expect
    .poll(
      async () =>
        (await call<{ mac: string; online: boolean }[]>(page, "query", "locks.list", undefined)).find(
          (lock) => lock.mac === mac,
        )?.online,
      { timeout: 60_000 },
    )
    .toBe(false);
  await chooseRoomAction(page, t, room, "checkIn");
  await fillWalkIn(page, t, `Away ${tag}`);
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page);
  await expect(dialog.getByText(t("keys.unreachable", { room }))).toBeVisible();
  await dialog
    .getByRole("button", { name: t("keys.codeOnce") })
    .first()
    .click();
  await expect(dialog.getByText(t("keys.codeOnceTitle"))).toBeVisible();
  await picture("unreachable");
  await expectAccessible();
});
