import { ConsoleApi } from "../../apps/simulators/src/locks/connect-street.ts";
import { startStreet } from "../../apps/simulators/src/locks/street.ts";
import { createRoom, createStay, findStay, newMac, openLive } from "../support/desk.ts";
import { expect, OWNER, test } from "../support/test.ts";

const AWAKE_MS = 20_000;

/** The "who entered" report of a room, requested at the desk and printed. */
test("the desk can tell a guest who entered their room", async ({ page, t, tag, enter, expectAccessible }) => {
  await enter();
  const guest = `Curious ${tag}`;
  const mac = newMac();
  const roomId = await createRoom(page, tag, 10_000, mac);
  const hotel = await ConsoleApi.logIn(process.env.E2E_URL ?? "", OWNER, process.env.E2E_PASSWORD ?? "");
  const row = (await hotel.locks()).find((lock) => lock.mac === mac);
  if (!row) throw new Error(`no lock ${mac}`);
  const street = startStreet({ locks: [await hotel.connect(row)] });
  try {
    await street.awake(AWAKE_MS);
    await createStay(page, "checkIn", { roomId, guest });
    const stayGuestId = (await findStay(page, guest)).guests[0]?.stayGuestId;
    await openLive(page, `/room/thetouristsDetails?id=${stayGuestId}`);
    await page.getByRole("link", { name: t("entered.open") }).click();
    await expect(page.getByRole("heading", { name: t("entered.title"), level: 1 })).toBeVisible();
    await expect(page.getByText(t("entered.none"))).toBeVisible();

    street.door(mac)?.lock.openInside();
    const table = page.getByRole("table", { name: t("board.roomNamed", { name: tag }) });
    await expect(table.getByText(t("entered.by.inside")).first()).toBeVisible({ timeout: AWAKE_MS });
    await expectAccessible();

    await page.evaluate(() => {
      window.print = () =>
        document.body.setAttribute("data-printed", document.querySelector("[data-print-sheet]")?.textContent ?? "");
    });
    await page.getByRole("button", { name: t("entered.print") }).click();
    await expect(page.locator("body")).toHaveAttribute("data-printed", new RegExp(guest));
  } finally {
    await street.stop();
  }
});
