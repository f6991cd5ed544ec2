import type { Page } from "@playwright/test";
import { seriousFindings } from "./support/accessibility.ts";
import { act, book, call, createRoom, newMac } from "./support/desk.ts";
import { HOTEL_SCREENS, PUBLIC, ROOM_TABS } from "./support/screens.ts";
import { expect, type Translate, test } from "./support/test.ts";

/**
 * Opens every screen in four combinations that cover each pair of writing direction, size and colour scheme, because
 * layout faults come from one of these or from two together.
 */
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const WAYS = [
  { language: "en", viewport: DESK, colorScheme: "light" },
  { language: "en", viewport: PHONE, colorScheme: "dark" },
  { language: "Arabic", viewport: DESK, colorScheme: "dark" },
  { language: "Arabic", viewport: PHONE, colorScheme: "light" },
] as const;

interface Guest {
  stayGuestId: number;
  roomId: number;
  roomName: string;
}

test.describe.configure({ mode: "parallel" });

for (const { language, viewport, colorScheme } of WAYS) {
  const size = viewport === PHONE ? "phone" : "desk";
  test.describe(`${language}, ${size}, ${colorScheme}`, () => {
    test.use({ language, viewport, colorScheme, hasTouch: size === "phone" });

    test("every screen", async ({ page, t, enter, picture }) => {
      test.setTimeout(600_000);
      const look = async (name: string, path: string): Promise<void> => {
        await test.step(name, async () => {
          await page.goto(path);
          await loaded(page, t);
          await picture(name);
          expect.soft(await overhang(page), `${name}: pixels to scroll sideways`).toBe(0);
          expect.soft(await seriousFindings(page), name).toEqual([]);
        });
      };
      for (const [name, path] of Object.entries(PUBLIC)) await look(name, path);
      await enter();
      const { rows } = await call<{ rows: Guest[] }>(page, "query", "guests.list", { state: "in", pageSize: 200 });
      const guest = rows.find(({ roomName }) => roomName === "202");
      for (const [name, path] of Object.entries(HOTEL_SCREENS)) await look(name, path);
      for (const tab of ROOM_TABS) await look(`room-${tab}`, `/room/${guest?.roomId}?tab=${tab}`);
      const [lock] = await call<{ id: number }[]>(page, "query", "locks.list", undefined);
      await look("lock", `/locks/${lock?.id}`);
      const { rows: known } = await call<{ rows: { id: number }[] }>(page, "query", "customers.list", {});
      await look("customer", `/customer/customer/${known[0]?.id}`);
      await look("room-cards-guest", `/cardToEncryption/cardToEncryption?room=${guest?.roomId}`);
      await look("guest", `/room/thetouristsDetails?id=${guest?.stayGuestId}`);
    });
  });
}

/** The smallest supported phone, with the longest content we expect on it. */
const SMALLEST = { width: 320, height: 720 };
const LONG_NAME = "Annegret Freifrau von und zu Hohenstein-Lichtenberg";
const STAY_DIALOGS = ["checkOut", "renew", "changeRoom", "newCard"];

test.describe("on the smallest phone", () => {
  test.use({ viewport: SMALLEST, hasTouch: true });

  test("a long name makes no page and no dialog wider", async ({ page, t, tag, enter }) => {
    test.setTimeout(180_000);
    await enter();
    const roomId = await createRoom(page, tag, 10_000, newMac());
    await book(page, "checkIn", { roomId, guest: LONG_NAME });
    const { rows } = await call<{ rows: Guest[] }>(page, "query", "guests.list", { keyword: LONG_NAME, pageSize: 200 });
    const stayGuestId = rows.find((guest) => guest.roomId === roomId)?.stayGuestId;
    const guestPage = `/room/thetouristsDetails?id=${stayGuestId}`;
    const { date } = await call<{ date: string }>(page, "query", "home.overview", undefined);
    // The overview lists only the next movements, and other tests have guests in the same hotel. We therefore rename
    // the next one.
    await page.route("**/trpc/**home.overview**", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace(/"guestName":"[^"]+"/, `"guestName":${JSON.stringify(LONG_NAME)}`),
      });
    });
    for (const path of [
      `/nightAudit?date=${date}`,
      guestPage,
      `/room/${roomId}?tab=tenants`,
      "/guests?q=Hohenstein",
      "/home",
    ]) {
      await page.goto(path);
      await loaded(page, t);
      await expect(page.getByRole("main").getByText(LONG_NAME).locator("visible=true").first()).toBeVisible();
      expect.soft(await overhang(page), `${path}: pixels to scroll sideways`).toBe(0);
    }
    for (const dialog of STAY_DIALOGS) {
      await test.step(dialog, async () => {
        await act(page, t, tag, dialog);
        await expect(page.getByRole("dialog")).toContainText(LONG_NAME);
        expect.soft(await overhangInDialog(page), `${dialog}: pixels to scroll sideways`).toBe(0);
      });
    }
  });
});

async function loaded(page: Page, t: Translate): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: t("common.loading") })).toHaveCount(0);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns the largest horizontal overflow of any element in an open dialog, in pixels. */
function overhangInDialog(page: Page): Promise<number> {
  return page
    .getByRole("dialog")
    .locator("*")
    .evaluateAll((parts) =>
      Math.max(
        ...parts
          .filter((part) => getComputedStyle(part).overflowY === "auto")
          .map((part) => part.scrollWidth - part.clientWidth),
      ),
    );
}
