import type { Page } from "@playwright/test";
import type { Street } from "../apps/simulators/src/locks/street.ts";
import { cardAtDoor } from "../apps/simulators/src/virtual-card.ts";
import { call, chooseRoomAction, createRoom, newMac, revokeGuestCards, roomLink } from "./support/desk.ts";
import { useDevices } from "./support/devices.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { expect, test } from "./support/test.ts";

/** Cards of the house for special cases, each written on its screen; two of them are then held at a simulated door. */

const UID = "4A8C21F3";
const SECOND_UID = "0B17D25E";
const THIRD_UID = "5D02E7A6";
const SOON = 20_000;
/** The console repeats a command that got no answer, after five seconds and then after fifteen. */
const REPEATED_MS = 40_000;
const desk = useDevices();
let street: Street | undefined;
test.afterEach(async ({ page }) => {
  // Other files write the same cards, and would be asked whether to overwrite these.
  await revokeSpecialCards(page);
  await street?.stop();
  street = undefined;
});

async function revokeSpecialCards(page: Page): Promise<void> {
  const { rows } = await call<{ rows: { id: number; state: string }[] }>(page, "query", "cards.list", {
    special: true,
  });
  for (const { id, state } of rows)
    if (state === "active" || state === "pending") await call(page, "mutation", "cards.revoke", { cardId: id });
}

test("an emergency card is written and listed, a block-out card marks its room until the block is lifted, and a card shows a vacant room once", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  const mac = newMac();
  await enter();
  await revokeGuestCards(page, [UID, SECOND_UID, THIRD_UID]);
  const roomId = await createRoom(page, tag, 10_000, mac);
  street = await connectVirtualLock(page, mac);
  const hold = (uid: string) => street?.door(mac)?.lock.presentCard(cardAtDoor(desk.card(uid)));
  const dialog = page.getByRole("dialog");
  const kindOf = (kind: string) => page.getByRole("radio", { name: t(`locks.cardKind.${kind}`) });
  const addCard = async (kind: string, note: string): Promise<void> => {
    await page.goto("/center/specialCardList");
    await page
      .getByRole("link", { name: t("card.special.add") })
      .first()
      .click();
    await kindOf(kind).check();
    await page.getByLabel(t("card.note")).fill(note);
  };
  const write = async (uid: string): Promise<void> => {
    await desk.put(uid);
    await page.getByRole("button", { name: t("card.toWriting") }).click();
    await dialog.getByRole("button", { name: t("card.write") }).click();
    await expect(dialog.getByText(t("card.done"))).toBeVisible();
    await dialog
      .getByRole("button", { name: t("common.close") })
      .last()
      .click();
    await expect(dialog).toHaveCount(0);
  };

  await test.step("an emergency card for every door is written and listed", async () => {
    await addCard("emergency", "");
    await expectAccessible();
    await page.getByRole("button", { name: t("card.toWriting") }).click();
    await expect(page.getByText(t("validation.required")).first()).toBeVisible();
    await page.getByLabel(t("card.note")).fill(`Safe ${tag}`);
    await write(UID);
    await expect(page).toHaveURL(/specialCardList/);
    const row = page.getByRole("row", { name: `Safe ${tag}` });
    await expect(row).toContainText(t("locks.cardKind.emergency"));
    await expect(row).toContainText(UID);
    await expectAccessible();
  });

  await test.step("a card to show the vacant room opens it once", async () => {
    await chooseRoomAction(page, t, tag, "showRoom");
    await expect(kindOf("one_shot")).toBeChecked();
    await page.getByLabel(t("card.note")).fill(`Viewing ${tag}`);
    await write(SECOND_UID);
    await expect(page).toHaveURL(new RegExp(`/room/${roomId}$`));
    await expect.poll(() => hold(SECOND_UID), { timeout: SOON }).toEqual({ opened: true, reason: null });
    expect(hold(SECOND_UID)).toEqual({ opened: false, reason: "used" });
  });

  await test.step("a block-out card blocks the room, which is marked on the board and on its page", async () => {
    await addCard("block_out", `Water damage ${tag}`);
    await write(THIRD_UID);
    await expect.poll(() => hold(THIRD_UID)?.reason, { timeout: SOON }).toBe("block_out_set");
    await page.goto(`/room?q=${tag}`);
    const mark = page.getByRole("listitem").filter({ has: roomLink(page, t, tag) });
    await expect(mark).toContainText(t("blockOut.mark"), { timeout: SOON });
    await expectAccessible();
  });

  await test.step("the block is lifted on the room's page, and lasts until the lock reports the end", async () => {
    await page.goto(`/room/${roomId}`);
    await expect(page.getByText(t("blockOut.mark")).first()).toBeVisible();
    await expectAccessible();
    const lock = street?.door(mac)?.lock;
    // The lock answers nothing until the page was seen waiting.
    if (lock) lock.faults = { ...lock.faults, dead: true };
    const lift = page.getByRole("button", { name: t("blockOut.lift") });
    await lift.click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: t("blockOut.lift") })
      .click();
    await expect(page.getByText(t("blockOut.lifting"))).toBeVisible();
    expect(lock?.memory.blockedOut).toBe(true);
    await expect(lift).toBeVisible();
    if (lock) lock.faults = { ...lock.faults, dead: false };
    await expect(lift).toBeHidden({ timeout: REPEATED_MS });
    expect(lock?.memory.blockedOut).toBe(false);
    await expect(page.getByText(t("blockOut.mark"))).toHaveCount(0);
  });

  await test.step("the blocked lock is replaced once the end of the block is ticked, and an alert stays", async () => {
    await page.goto(`/locks?q=${mac}`);
    await page.getByRole("row").filter({ hasText: mac }).click();
    await expect(page.getByRole("heading", { level: 1, name: t("locks.ofRoom", { room: tag }) })).toBeVisible();
    await page
      .getByRole("main")
      .getByRole("button", { name: t("common.actions") })
      .click();
    await page.getByRole("menuitem", { name: t("locks.replace.open") }).click();
    await dialog.getByRole("textbox", { name: t("locks.replace.mac") }).fill(newMac());
    const end = dialog.getByRole("checkbox", { name: t("locks.replace.endBlockOut") });
    const act = dialog.getByRole("button", { name: t("locks.replace.act") });
    await expect(end).toHaveCount(0);
    // Blocked while the dialog is open.
    expect(hold(THIRD_UID)?.reason).toBe("block_out_set");
    await expect(end).toBeVisible({ timeout: SOON });
    await act.click();
    await expect(dialog.getByText(t("validation.required"))).toBeVisible();
    await expectAccessible();
    await end.check();
    await act.click();
    await expect(dialog.getByText(t("locks.connect.once"))).toBeVisible();
    await page.goto("/alerts?kind=block_out_ended");
    await expect(page.getByRole("row").filter({ hasText: tag })).toContainText(t("alert.kind.block_out_ended"));
  });
});
