import type { Street } from "../apps/simulators/src/locks/street.ts";
import { cardAtDoor } from "../apps/simulators/src/virtual-card.ts";
import { call, chooseRoomAction, createRoom, findStay, newMac, revokeGuestCards } from "./support/desk.ts";
import { useDevices } from "./support/devices.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { expect, test } from "./support/test.ts";

/**
 * The complete path: a guest checks in and gets a card, the door opens with the data on that card, and the desk sees
 * it. After the check-out the card no longer opens. The lock reads the card's memory with its own keys and its own
 * implementation of the record format.
 */

interface DoorRecord {
  success: boolean;
  reason: string;
  guestName: string | null;
}

const UID = "4A8C21F3";
const SOON = 20_000;
const desk = useDevices();
let street: Street | undefined;
test.afterEach(async () => {
  await street?.stop();
  street = undefined;
});

for (const type of ["1", "2", "3"])
  test(`type ${type}: a card opens the door after check-in, the board shows it, and check-out ends it`, async ({
    page,
    t,
    tag,
    enter,
  }) => {
    const guest = `Traveller ${tag}`;
    const mac = newMac();
    await enter();
    await page.addInitScript((chosen) => localStorage.setItem("cardSenderType", chosen), type);
    await revokeGuestCards(page, [UID]);
    const roomId = await createRoom(page, tag, 10_000, mac);
    street = await connectVirtualLock(page, mac);
    const hold = () => street?.door(mac)?.lock.presentCard(cardAtDoor(desk.card(UID)));
    expect(hold()).toEqual({ opened: false, reason: "unknown" });

    await chooseRoomAction(page, t, tag, "checkIn");
    const dialog = page.getByRole("dialog");
    const submit = dialog.locator("button[type=submit]");
    await dialog
      .getByRole("combobox", { name: t("guest.name"), exact: true })
      .or(dialog.getByRole("textbox", { name: t("guest.name"), exact: true }))
      .fill(guest);
    await page.keyboard.press("Tab");
    await dialog
      .getByRole("radiogroup", { name: t("stay.payRoom") })
      .getByRole("radio", { name: t("stay.channel.card") })
      .click();
    await desk.put(UID);
    await submit.click();
    await dialog.getByRole("button", { name: t("keys.writeFor", { name: guest }) }).click();
    await dialog.getByRole("button", { name: t("keys.finish") }).click();
    await expect(dialog).toBeHidden();

    await page.goto("/room");
    const activity = page.getByRole("region", { name: t("doors.strip.title") });
    await expect(activity).toBeVisible();
    expect(hold()).toEqual({ opened: true, reason: null });
    await expect(activity.getByRole("listitem").filter({ hasText: tag }).first()).toContainText(guest, {
      timeout: SOON,
    });
    const { guests } = await findStay(page, guest);
    await page.goto(`/room/thetouristsDetails?id=${guests[0]?.stayGuestId}`);
    await expect(page.getByText(t("locks.credential.used")).first()).toBeVisible();

    await chooseRoomAction(page, t, tag, "checkOut");
    await submit.click();
    await dialog.getByRole("button", { name: t("keys.finish") }).click();
    await expect(dialog).toBeHidden();
    await expect.poll(hold, { timeout: SOON }).toEqual({ opened: false, reason: "superseded" });
    const stay = await findStay(page, guest);
    const states = async (): Promise<string[]> =>
      (await call<{ state: string }[]>(page, "query", "cards.ofStay", { stayId: stay.id })).map(({ state }) => state);
    await expect.poll(states, { timeout: SOON }).toEqual(["revoked"]);
    const records = async (): Promise<DoorRecord[]> =>
      (await call<{ records: DoorRecord[] }>(page, "query", "unlocks.list", { roomId })).records;
    const newest = async (): Promise<DoorRecord | undefined> => (await records())[0];
    await expect.poll(newest, { timeout: SOON }).toMatchObject({ success: false, reason: "superseded" });
    expect((await records()).find(({ success }) => success)).toMatchObject({ guestName: guest });
  });
