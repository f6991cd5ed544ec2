import { call } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** The palette finds records that no page has loaded, and opens them by keyboard. */
test("a customer and a guest of another day are found by a few letters, without accents", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/room");
  const name = `Zoë ${tag}`;
  const customer = { kind: "person", name: `Çelik ${tag}`, mobile: "", email: "" };
  await call(page, "mutation", "customers.save", customer);
  const { roomId } = await call<{ roomId: number }>(page, "mutation", "rooms.save", { name: `S${tag}`, groupId: null });
  const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  const stay = {
    roomId,
    unit: "day",
    startsAt: at(200),
    endsAt: at(202),
    guests: [{ name }],
    agreedTotalMinor: 10_000,
  };
  const { stayGuestId } = await call<{ stayGuestId: number }>(page, "mutation", "stays.reserve", stay);

  // The page listens to the shortcut once it shows its rooms.
  await expect(page.locator("[data-room]").first()).toBeVisible();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: t("shell.searchOrGo") });
  await box.fill(`celik ${tag.toLowerCase()}`);
  await expect(page.getByRole("option", { name: new RegExp(customer.name) })).toBeVisible();
  await box.fill(`zoe ${tag.toLowerCase()}`);
  await expect(page.getByRole("option", { name: new RegExp(name) })).toBeVisible();
  await expectAccessible();
  // The guest's name also finds the room on the board, which comes first.
  const chosen = page.locator("[role=option][aria-selected=true]");
  for (let steps = 0; steps < 10 && !(await chosen.textContent())?.startsWith(name); steps += 1) {
    await page.keyboard.press("ArrowDown");
  }
  await expect(chosen).toContainText(name);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.search.includes(String(stayGuestId)));
});
