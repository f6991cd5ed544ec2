import type { Page } from "@playwright/test";
import { findSeriousViolations } from "./support/accessibility.ts";
import { call, chooseRoomAction, createRoom, createStay, newMac } from "./support/desk.ts";
import { watchRequests } from "./support/requests.ts";
import { HOTEL_SCREENS, PUBLIC_SCREENS, ROOM_TABS } from "./support/screens.ts";
import { expect, type Translate, test } from "./support/test.ts";

/**
 * Shows every screen in four combinations that cover each pair of writing direction, size and colour scheme, because
 * layout faults come from one of these or from two together. A screen is opened once per language and then changes its
 * size and scheme, as it does when somebody turns a tablet or the evening comes. The next screen is opened in the size and
 * scheme that the last one was left in: to restyle a page that is about to be left can take longer than to open the next
 * one, which has to wait for it. Screens therefore alternate between desk to phone and phone to desk. Arabic begins with
 * the other size than English, so that every screen is opened in both sizes.
 */
const DESK = { name: "desk", viewport: { width: 1440, height: 900 }, touch: false };
const PHONE = { name: "phone", viewport: { width: 390, height: 844 }, touch: true };
const WAYS = [
  {
    language: "en",
    looks: [
      { ...DESK, colorScheme: "light" },
      { ...PHONE, colorScheme: "dark" },
    ],
  },
  {
    language: "Arabic",
    looks: [
      { ...PHONE, colorScheme: "light" },
      { ...DESK, colorScheme: "dark" },
    ],
  },
] as const;
/** Goes on after a fault that stays, so that one run names all of them. */
const persistently = expect.configure({ soft: true });
/** Each language in two tests, so that two workers share them evenly */
const HALVES = [0, 1];

interface Guest {
  stayGuestId: number;
  roomId: number;
  roomName: string;
}

test.describe.configure({ mode: "parallel" });

for (const { language, looks } of WAYS) {
  for (const half of HALVES) {
    test.describe(`${language}, half ${half + 1} of ${HALVES.length}`, () => {
      test.use({ language });

      test("every screen renders without faults and requests only the console", async ({
        page,
        context,
        t,
        tag,
        enter,
        picture,
      }) => {
        test.setTimeout(600_000);
        const checkRequests = watchRequests(context, page);
        const touch = await page.context().newCDPSession(page);
        const show = async ({ viewport, touch: enabled, colorScheme }: (typeof looks)[number]): Promise<void> => {
          await page.setViewportSize(viewport);
          await touch.send("Emulation.setTouchEmulationEnabled", { enabled });
          await page.emulateMedia({ colorScheme });
        };
        let nextLooks: (typeof looks)[number][] = [...looks];
        await show(looks[0]);
        const see = async (name: string, path: string, open: (path: string) => Promise<unknown>): Promise<void> => {
          await test.step(name, async () => {
            await open(path);
            for (const look of nextLooks) {
              await show(look);
              await waitUntilLoaded(page, t);
              await waitForAnimations(page);
              const title = `${name}, ${look.name}, ${look.colorScheme}`;
              expect(await appearance(page), title).toEqual({ theme: look.colorScheme, coarse: look.touch });
              await picture(title);
              // A list that is read again is dimmed for a moment, because other tests change the hotel meanwhile.
              await persistently.poll(() => pageOverflow(page), `${title}: pixels to scroll sideways`).toBe(0);
              await persistently.poll(() => findSeriousViolations(page), title).toEqual([]);
            }
            nextLooks = nextLooks.toReversed();
          });
        };
        const seeHalf = async (screens: Record<string, string>, open: typeof load): Promise<void> => {
          for (const [index, [name, path]] of Object.entries(screens).entries()) {
            if (index % HALVES.length === half) await see(name, path, open);
          }
        };
        const load = (path: string): Promise<unknown> => page.goto(path);
        await seeHalf(PUBLIC_SCREENS, load);
        await enter();
        const { rows } = await call<{ rows: Guest[] }>(page, "query", "guests.list", { state: "in", pageSize: 200 });
        const guest = rows.find(({ roomName }) => roomName === "202");
        const [lock] = await call<{ id: number }[]>(page, "query", "locks.list", undefined);
        const customer = { kind: "person", name: `Çelik ${tag}`, mobile: "", email: "" };
        const { id: customerId } = await call<{ id: number }>(page, "mutation", "customers.save", customer);
        const screens = {
          ...HOTEL_SCREENS,
          ...Object.fromEntries(ROOM_TABS.map((tab) => [`room-${tab}`, `/room/${guest?.roomId}?tab=${tab}`])),
          lock: `/locks/${lock?.id}`,
          customer: `/customer/customer/${customerId}`,
          "room-cards-guest": `/cardToEncryption/cardToEncryption?room=${guest?.roomId}`,
          guest: `/room/thetouristsDetails?id=${guest?.stayGuestId}`,
        };
        await load("/");
        await waitUntilLoaded(page, t);
        await seeHalf(screens, (path) => followLink(page, path));
        checkRequests();
      });
    });
  }
}

/** The smallest supported phone, with the longest content we expect on it. */
const SMALLEST = { width: 320, height: 720 };
const LONG_NAME = "Annegret Freifrau von und zu Hohenstein-Lichtenberg";
const STAY_DIALOGS = ["checkOut", "renew", "changeRoom", "newCard"];

test.describe("the smallest phone", () => {
  test.use({ viewport: SMALLEST, hasTouch: true });

  test("a long name widens no page and no dialog", async ({ page, t, tag, enter }) => {
    test.setTimeout(180_000);
    await enter();
    const roomId = await createRoom(page, tag, 10_000, newMac());
    await createStay(page, "checkIn", { roomId, guest: LONG_NAME });
    const { rows } = await call<{ rows: Guest[] }>(page, "query", "guests.list", { keyword: LONG_NAME, pageSize: 200 });
    const stayGuestId = rows.find((guest) => guest.roomId === roomId)?.stayGuestId;
    const guestPage = `/room/thetouristsDetails?id=${stayGuestId}`;
    const { date } = await call<{ date: string }>(page, "query", "home.overview", undefined);
    // Today has many guests of other tests. We therefore rename all of them.
    await page.route("**/trpc/**home.today**", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace(/"guestName":"[^"]+"/g, `"guestName":${JSON.stringify(LONG_NAME)}`),
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
      await waitUntilLoaded(page, t);
      await expect(page.getByRole("main").getByText(LONG_NAME).locator("visible=true").first()).toBeVisible();
      await persistently.poll(() => pageOverflow(page), `${path}: pixels to scroll sideways`).toBe(0);
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
    for (const dialog of STAY_DIALOGS) {
      await test.step(dialog, async () => {
        await chooseRoomAction(page, t, tag, dialog);
        await expect(page.getByRole("dialog")).toContainText(LONG_NAME);
        await persistently.poll(() => dialogOverflow(page), `${dialog}: pixels to scroll sideways`).toBe(0);
      });
    }
  });
});

type RouterWindow = { __TSR_ROUTER__: { history: { push(href: string): void }; load(): Promise<void> } };

/** Opens another page as a link of the console does, without loading the console again. */
async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(async (href) => {
    const router = (window as unknown as RouterWindow).__TSR_ROUTER__;
    router.history.push(href);
    await router.load();
  }, path);
  const { pathname, search } = new URL(page.url());
  expect(`${pathname}${search}`).toBe(path);
}

async function waitUntilLoaded(page: Page, t: Translate): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: t("common.loading") })).toHaveCount(0);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

/**
 * Waits until three frames in a row have no animation: with reduced motion a change of colour is short, but it passes
 * from element to element, a frame each.
 */
function waitForAnimations(page: Page): Promise<void> {
  return page.evaluate(async () => {
    // Elements out of view are not drawn and keep their former colours until they are scrolled into view.
    for (const part of document.querySelectorAll<HTMLElement>("main *")) {
      if (getComputedStyle(part).contentVisibility === "auto") part.style.contentVisibility = "visible";
    }
    for (let frames = 0; frames < 3; frames = document.getAnimations().length === 0 ? frames + 1 : 0) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

function appearance(page: Page): Promise<{ theme: string | undefined; coarse: boolean }> {
  return page.evaluate(() => ({
    theme: document.documentElement.dataset.theme,
    coarse: matchMedia("(pointer: coarse)").matches,
  }));
}

function pageOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns the largest horizontal overflow of any element in an open dialog, in pixels. */
function dialogOverflow(page: Page): Promise<number> {
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
