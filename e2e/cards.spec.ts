import type { Page } from "@playwright/test";
import { call, createOperator, createRoom, createStay, newMac, revokeGuestCards, unfoldMenu } from "./support/desk.ts";
import { useDevices } from "./support/devices.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { expect, test } from "./support/test.ts";
import type { Translate } from "./support/texts.ts";

/**
 * Card cases beyond main-job: staff cards, the card station, cards registered by number alone, and the list of all of
 * them.
 */

const UID = "4A8C21F3";
const SECOND_UID = "0B17D25E";
/** A card with foreign keys, which the desk cannot write. */
const BRACELET = "C3905D18";
const UNWRITTEN = "0".repeat(32);
const desk = useDevices();

interface CardRow {
  id: number;
  uid: string;
  note: string;
  state: string;
  roomIds: number[];
}
const cards = async (page: Page, query: string): Promise<CardRow[]> =>
  (await call<{ rows: CardRow[] }>(page, "query", "cards.list", { query, state: "all" })).rows;
const cardsOfStay = (page: Page, stayId: number): Promise<{ uid: string; state: string }[]> =>
  call(page, "query", "cards.ofStay", { stayId });
const menuItem = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });
const confirmButton = (page: Page, name: string) => page.getByRole("alertdialog").getByRole("button", { name });

async function openMenu(page: Page, t: Translate, note: string): Promise<void> {
  await page
    .getByRole("row", { name: note })
    .getByRole("button", { name: t("common.actions") })
    .click();
}

test("a management card is described, written, changed to other rooms and revoked", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const roomIds = [
    await createRoom(page, `M${tag}1`, 10_000, newMac()),
    await createRoom(page, `M${tag}2`, 10_000, newMac()),
  ] as const;
  await revokeGuestCards(page, [UID]);
  const note = `Housekeeping ${tag}`;
  await page.goto("/center/cardList");
  await page
    .getByRole("link", { name: t("card.management.add") })
    .first()
    .click();
  await page.getByRole("button", { name: t("card.toWriting") }).click();
  await expect(page.getByText(t("validation.required")).first()).toBeVisible();
  await page.getByLabel(t("card.note")).fill(note);
  await page.getByRole("button", { name: t("card.chooseRooms") }).click();
  await page.getByRole("searchbox", { name: t("card.findRoom") }).fill(`M${tag}`);
  await expect(page.getByRole("button", { name: "101", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: t("card.chooseAll") }).click();
  await expectAccessible();
  await page.getByRole("button", { name: t("card.takeRooms") }).click();
  await expect(page.getByLabel(t("card.note"))).toHaveValue(note);
  await expect(page.getByText(t("card.roomCount", { total: 2 }))).toBeVisible();
  await page.getByRole("button", { name: t("card.toWriting") }).click();

  const dialog = page.getByRole("dialog");
  const write = dialog.getByRole("button", { name: t("card.write") });
  await desk.put(UID);
  await desk.fault({ wrongKey: true });
  await write.click();
  await expect(dialog.getByText(t("reader.error.wrongKey"), { exact: true })).toBeVisible();
  await expectAccessible();
  await desk.reset();
  await desk.put(UID);
  await write.click();
  await expect(dialog.getByText(t("card.done"))).toBeVisible();
  // The record of all doors is in the second sector in use.
  expect(desk.memory(UID)[8]).not.toBe(UNWRITTEN);
  await dialog
    .getByRole("button", { name: t("common.close") })
    .last()
    .click();

  await page.waitForURL("**/center/cardList");
  const row = page.getByRole("row", { name: note });
  await expect(row).toContainText(UID);
  await expect(row).toContainText(t("card.ofLocks", { confirmed: 0, total: 2 }));
  await row.getByText(note).click();
  const sheet = page.getByRole("dialog", { name: note });
  await expect(sheet.getByRole("link", { name: `M${tag}2` })).toBeVisible();
  await expect(sheet.getByText(t("locks.credential.queued"))).toHaveCount(2);
  await expectAccessible();
  await page.keyboard.press("Escape");

  await createStay(page, "checkIn", { roomId: roomIds[0], guest: `Guest ${tag}` });
  await page.goto(`/cardToEncryption/cardToEncryption?room=${roomIds[0]}`);
  await page.getByRole("button", { name: t("card.write"), exact: true }).click();
  const question = page.getByRole("alertdialog", { name: t("card.overwriteTitleOf.management") });
  await expect(question).toContainText(t("card.overwriteTextOf.management"));
  await question.getByRole("button", { name: t("common.cancel") }).click();
  await expect(question).toHaveCount(0);
  expect((await cards(page, note))[0]?.state).toBe("active");
  await page.goto("/center/cardList");

  await openMenu(page, t, note);
  await menuItem(page, t("card.changeRooms")).click();
  await page.getByRole("button", { name: `M${tag}1`, exact: true }).click();
  await page.getByRole("button", { name: t("common.save") }).click();
  await confirmButton(page, t("common.save")).click();
  await page.waitForURL("**/center/cardList");
  expect((await cards(page, note))[0]?.roomIds).toEqual([roomIds[1]]);

  await openMenu(page, t, note);
  await menuItem(page, t("card.takeBack")).click();
  await confirmButton(page, t("card.takeBack")).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  expect((await cards(page, note))[0]?.state).toMatch(/revok/);
});

test("the card station writes one card for each guest, and never the same card twice", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const mac = newMac();
  await revokeGuestCards(page, [UID, SECOND_UID]);
  const roomId = await createRoom(page, `S${tag}`, 10_000, mac);
  const street = await connectVirtualLock(page, mac);
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const { stayId } = await call<{ stayId: number }>(page, "mutation", "stays.checkIn", {
    ...{ roomId, unit: "day", startsAt: new Date(now), endsAt: new Date(now + 7_200_000) },
    guests: [{ name: `First ${tag}` }, { name: `Second ${tag}` }],
  });
  await page.goto("/cardToEncryption/cardToEncryption");
  await expect(page.getByRole("searchbox", { name: t("card.station.search") })).toBeFocused();
  await page.keyboard.type(`First ${tag}`);
  await page.keyboard.press("Enter");
  const first = page.getByRole("button", { name: t("card.writeNth", { number: 1, total: 2 }) });
  await expect(first).toBeFocused();
  await expectAccessible();

  await desk.put(UID);
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("card.done"))).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("card.sameCard"))).toBeVisible();
  await desk.put(SECOND_UID);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: t("card.another") })).toBeVisible();
  const active = (await cardsOfStay(page, stayId)).filter(({ state }) => state === "active").map(({ uid }) => uid);
  expect(active.toSorted()).toEqual([SECOND_UID, UID]);

  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: t("card.station.search") })).toBeFocused();
  await street.stop();
});

test("a card for a lock that was never set up is written, and the desk sees what to do before it opens", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const name = `N${tag}`;
  await revokeGuestCards(page, [UID]);
  const roomId = await createRoom(page, name, 10_000, newMac());
  const stayId = await createStay(page, "checkIn", { roomId, guest: `Early ${tag}` });
  await page.goto(`/cardToEncryption/cardToEncryption?room=${roomId}`);
  await desk.put(UID);
  await page.getByRole("button", { name: t("card.write"), exact: true }).click();
  const main = page.getByRole("main");
  await expect(main.getByText(t("card.notYet", { rooms: t("board.roomNamed", { name }) }))).toBeVisible();
  await expect(main.getByText(t("card.notYetText"))).toBeVisible();
  await expect(main.getByText(t("card.done"), { exact: true })).toHaveCount(0);
  await picture("not-yet");
  await expectAccessible();
  // The card itself is complete and belongs to this guest; only the lock is missing.
  expect(desk.memory(UID).some((block) => block !== UNWRITTEN)).toBe(true);
  expect(await cardsOfStay(page, stayId)).toMatchObject([{ uid: UID, state: "active" }]);
  await main.getByRole("link", { name: t("card.toLocks") }).click();
  await expect(page).toHaveURL(/\/locks\?show=new/);
});

test("a bracelet opens by its number until it is reported lost", async ({ page, t, tag, enter, expectAccessible }) => {
  await enter();
  await revokeGuestCards(page, [BRACELET]);
  const roomId = await createRoom(page, `A${tag}`, 10_000, newMac());
  const stayId = await createStay(page, "checkIn", { roomId, guest: `Bracelet ${tag}` });
  const { guests } = await call<{ guests: { stayGuestId: number }[] }>(page, "query", "stays.detail", { stayId });
  await page.goto(`/room/thetouristsDetails?id=${guests[0]?.stayGuestId}`);
  await page.getByRole("button", { name: t("card.air.add") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("card.air.submit") }).click();
  await expect(dialog.getByText(t("validation.required"))).toBeVisible();
  await desk.put(BRACELET);
  await dialog.getByRole("button", { name: t("shell.readCard") }).click();
  await expect(dialog.getByLabel(t("card.number"))).toHaveValue(BRACELET);
  await dialog.getByLabel(t("card.note")).fill(`Child ${tag}`);
  await expectAccessible();
  await dialog.getByRole("button", { name: t("card.air.submit") }).click();
  await expect(dialog).toHaveCount(0);
  const line = page.getByRole("listitem").filter({ hasText: `Child ${tag}` });
  await expect(line).toContainText(t("locks.credential.queued"));

  await line.getByRole("button", { name: t("common.actions") }).click();
  await menuItem(page, t("card.lost")).click();
  await confirmButton(page, t("card.lost")).click();
  await expect(line).toContainText(t("locks.revokeReason.lost"));
});

test("only operators with the permission see card keys", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/cardEncryption/cardEncryption");
  await page
    .getByRole("button", { name: t("encryption.newKeys") })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: t("encryption.newKeys") });
  await dialog.getByRole("radio", { name: t("encryption.des") }).check();
  await expect(dialog.getByText(t("encryption.weakTitle"))).toBeVisible();
  await dialog.getByLabel(t("encryption.sectorKey")).fill("12");
  await dialog.getByRole("button", { name: t("encryption.make") }).click();
  await expect(dialog.getByText(t("validation.hex"))).toBeVisible();
  await expectAccessible();
  await dialog.getByRole("radio", { name: t("encryption.aes") }).check();
  await dialog.getByRole("button", { name: t("encryption.make") }).click();
  await confirmButton(page, t("encryption.make")).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(t("encryption.inUse"), { exact: true }).first()).toBeVisible();
  await expectAccessible();

  const administrator = await createOperator(page, tag);
  const other = await openDesk(administrator.account, administrator.password);
  await other.goto("/room");
  await unfoldMenu(other.getByRole("navigation", { name: t("shell.mainMenu") }));
  await expect(other.getByRole("link", { name: t("nav.managementCards") })).toBeVisible();
  await expect(other.getByRole("link", { name: t("nav.encryption"), exact: true })).toHaveCount(0);
  await other.goto("/cardEncryption/cardEncryption");
  await expect(other.getByRole("alert")).toContainText(t("common.noPermissionTitle"));
});
