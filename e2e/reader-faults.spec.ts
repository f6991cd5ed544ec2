import type { Page } from "@playwright/test";
import { call, createRoom, newMac, revokeGuestCards } from "./support/desk.ts";
import { useDevices } from "./support/devices.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { expect, test } from "./support/test.ts";

/** All faults while a guest's card is written, on each type of reader: the message shown and the data stored. */
const UID = "4A8C21F3";
const SERVICES = { "1": "http", "2": "hid", "3": "socket" } as const;
const desk = useDevices();

interface Fault {
  name: string;
  faults: object;
  card?: null;
  error: string;
}
const faultsOf = (service: string): Fault[] => [
  { name: "service absent", faults: { down: [service] }, error: "noService" },
  { name: "no device", faults: { noDevice: true }, error: "noDevice" },
  { name: "no card", faults: {}, card: null, error: "noCard" },
  { name: "wrong key", faults: { wrongKey: true }, error: "wrongKey" },
  { name: "card gone half-way", faults: { cardGone: true }, error: "cardGone" },
  { name: "card closed to writing", faults: { writeFails: true }, error: "writeFailed" },
  { name: "slow", faults: { slow: 20_000 }, error: "timedOut" },
  { name: "garbage", faults: { garbage: true }, error: "badAnswer" },
];

async function cardStates(page: Page, stayId: number): Promise<string[]> {
  const cards = await call<{ state: string }[]>(page, "query", "cards.ofStay", { stayId });
  return cards.map(({ state }) => state);
}

for (const [type, service] of Object.entries(SERVICES))
  test(`type ${type}: every fault is named, and a card counts as a key only after it is verified`, async ({
    page,
    t,
    tag,
    enter,
  }) => {
    await enter();
    await page.addInitScript((chosen) => localStorage.setItem("cardSenderType", chosen), type);
    const mac = newMac();
    await revokeGuestCards(page, [UID]);
    const roomId = await createRoom(page, tag, 10_000, mac);
    const street = await connectVirtualLock(page, mac);
    const startsAt = new Date();
    const endsAt = new Date(startsAt.getTime() + 86_400_000);
    const { stayGuestId, stayId } = await call<{ stayGuestId: number; stayId: number }>(
      page,
      "mutation",
      "stays.checkIn",
      {
        ...{ roomId, unit: "day", startsAt, endsAt, channel: "cash" },
        guests: [{ name: `Unlucky ${tag}` }],
      },
    );
    await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
    await page.getByRole("button", { name: t("card.newCard") }).click();
    const dialog = page.getByRole("dialog");
    const write = dialog.getByRole("button", { name: t("keys.writeFor", { name: `Unlucky ${tag}` }) });

    for (const { name, faults, card, error } of faultsOf(service))
      await test.step(name, async () => {
        await desk.reset();
        await desk.put(card === null ? null : UID);
        await desk.fault(faults);
        await write.click();
        await expect(dialog.getByText(t(`reader.error.${error}`), { exact: true })).toBeVisible();
        await expect(write).toBeEnabled();
        expect(await cardStates(page, stayId)).not.toContain("active");
      });

    await test.step("two clicks", async () => {
      await desk.reset();
      await desk.put(UID);
      await desk.fault({ slow: 40 });
      await write.dblclick();
      await expect(dialog.getByText(t("card.done"))).toBeVisible();
      const states = await cardStates(page, stayId);
      expect(states.filter((state) => state === "active")).toHaveLength(1);
      expect(states).not.toContain("pending");
    });
    await street.stop();
  });
