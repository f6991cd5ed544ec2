import type { Page } from "@playwright/test";
import { call, createRoom, openLive } from "../support/desk.ts";
import { expect, OWNER, test } from "../support/test.ts";

const HOUR_MS = 3_600_000;

/** Checks in guests with breakfast whose stay began yesterday. */
async function checkInWithBreakfast(page: Page, room: string, names: string[]): Promise<void> {
  const roomId = await createRoom(page, room, 10_000);
  const at = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
  await call(page, "mutation", "stays.checkIn", {
    roomId,
    unit: "day",
    startsAt: at(-26),
    endsAt: at(30),
    breakfast: true,
    guests: names.map((name) => ({ name })),
  });
}

test("guests are checked off at breakfast singly and as a party; another desk sees it and undoes one", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
  picture,
  expectAccessible,
}) => {
  await enter();
  const [ada, bo] = [`Ada ${tag}`, `Bo ${tag}`];
  await checkInWithBreakfast(page, tag, [ada, bo]);
  await openLive(page, "/breakfast");
  await page.getByRole("searchbox").fill(tag);
  const guest = (of: Page, name: string) => of.getByRole("button", { name });
  await expect(guest(page, ada)).toHaveAttribute("aria-pressed", "false");
  await picture("breakfast");
  await expectAccessible();
  await guest(page, ada).click();
  await expect(guest(page, ada)).toHaveAttribute("aria-pressed", "true");

  const other = await openDesk(OWNER);
  await openLive(other, `/breakfast?q=${tag}`);
  await expect(guest(other, ada)).toHaveAttribute("aria-pressed", "true");
  await guest(page, ada).click();
  await expect(guest(page, ada)).toHaveAttribute("aria-pressed", "false");
  await expect(guest(other, ada)).toHaveAttribute("aria-pressed", "false", { timeout: 20_000 });
  await other.getByRole("button", { name: `${t("breakfast.tickParty")}: ${tag}` }).click();
  for (const name of [ada, bo]) {
    await expect(guest(other, name)).toHaveAttribute("aria-pressed", "true");
    await expect(guest(page, name)).toHaveAttribute("aria-pressed", "true", { timeout: 20_000 });
  }
  await picture("served");
});

test("tomorrow's breakfast can be viewed and printed, but not checked off", async ({
  page,
  t,
  tag,
  enter,
  picture,
}) => {
  await enter();
  const name = `Cy ${tag}`;
  await checkInWithBreakfast(page, tag, [name]);
  await page.addInitScript(() => {
    window.print = () =>
      document.documentElement.setAttribute(
        "data-printed",
        document.querySelector("[data-print-sheet]")?.textContent ?? "",
      );
  });
  await page.goto(`/breakfast?q=${tag}`);
  await page.getByRole("button", { name: t("breakfast.next") }).click();
  await expect(page.getByText(t("breakfast.future"))).toBeVisible();
  await expect(page.getByRole("button", { name })).toBeDisabled();
  await page.getByRole("button", { name: t("breakfast.print"), exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-printed", new RegExp(name));
  await picture("tomorrow");
});
