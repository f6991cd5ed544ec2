import type { Page } from "@playwright/test";
import { seriousFindings } from "./support/accessibility.ts";
import { call } from "./support/desk.ts";
import { HOTEL_SCREENS, PUBLIC, ROOM_TABS } from "./support/screens.ts";
import { expect, type Translate, test } from "./support/test.ts";

/** Every screen as it is looked at: in both directions of writing, on a desk and on a phone, by day and by night. */
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

interface Guest {
  manageId: number;
  roomId: number;
  roomName: string;
}

test.describe.configure({ mode: "parallel" });

for (const language of ["en", "Arabic"]) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"] as const) {
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
              // Only the colours differ by night.
              const findings = await seriousFindings(page, colorScheme === "dark" ? "color-contrast" : undefined);
              expect.soft(findings, name).toEqual([]);
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
          await look("guest", `/room/thetouristsDetails?id=${guest?.manageId}`);
        });
      });
    }
  }
}

async function loaded(page: Page, t: Translate): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: t("common.loading") })).toHaveCount(0);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
