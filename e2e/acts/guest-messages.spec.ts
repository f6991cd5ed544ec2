import type { Page } from "@playwright/test";
import { call, createRoom, openLive } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** The job that prepares messages runs every five seconds. */
const PREPARED_MS = 20_000;

/** Nothing is written by itself, and every text is the console's. */
async function resetMessages(page: Page): Promise<void> {
  const settings = { events: [], channels: ["mail", "sms", "webhook"], hoursBefore: 48, quiet: null };
  await call(page, "mutation", "guestMessages.saveSettings", settings);
  for (const language of ["en", "German", "chs", "Arabic"]) {
    await call(page, "mutation", "guestMessages.saveText", { event: "reserved", language, content: null });
  }
}

test("the hotel writes to a guest in its own words, and the desk hands the message over", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  const guest = `Ada ${tag}`;
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  await resetMessages(page);
  await page.goto("/hotel?tab=messages");
  const event = t("guestMessages.event.reserved");
  await page.getByRole("switch", { name: event, exact: true }).click();
  await page.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("guestMessages.saved"))).toBeVisible();
  await expectAccessible();
  await picture("settings");

  await page.getByRole("button", { name: `${t("guestMessages.editText")}: ${event}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("guestMessages.subject")).fill(`Welcome ${tag}`);
  const body = dialog.getByLabel(t("guestMessages.body"), { exact: true });
  await body.fill("Dear {{name}}");
  await body.blur();
  await expect(dialog.getByText(t("validation.unknownVariable", { name: "name" }))).toBeVisible();
  await body.fill("Dear {{guestName}}");
  await dialog.getByRole("button", { name: t("common.save"), exact: true }).click();
  await expect(page.getByText(t("guestMessages.textSaved"))).toBeVisible();
  await expectAccessible();
  await picture("text");
  await page.keyboard.press("Escape");

  const tomorrow = Math.floor(Date.now() / 60_000) * 60_000 + 86_400_000;
  const { stayGuestId } = await call<{ stayGuestId: number }>(page, "mutation", "stays.reserve", {
    roomId,
    unit: "day",
    startsAt: new Date(tomorrow).toISOString(),
    endsAt: new Date(tomorrow + 86_400_000).toISOString(),
    guests: [{ name: guest, email: "ada@example.com" }],
  });
  // At night the message waits for the morning; the one by hand goes out at once.
  await call(page, "mutation", "guestMessages.send", {
    stayGuestId,
    event: "reserved",
    contacts: { mobile: "", email: "ada@example.com" },
  });
  await openLive(page, `/room/thetouristsDetails?id=${stayGuestId}`);
  const messages = page.getByRole("list", { name: t("guestMessages.tab") });
  await expect(messages.getByText(t("outbox.state.to_hand_over")).first()).toBeVisible({ timeout: PREPARED_MS });
  await messages
    .getByRole("button", { name: t("guestMessages.show") })
    .first()
    .click();
  await expect(dialog.getByText(`Dear ${guest}`)).toBeVisible();
  await expectAccessible();
  await picture("message");
  await dialog.getByRole("button", { name: t("guestMessages.handedOver") }).click();
  await expect(messages.getByText(t("outbox.state.handed_over")).first()).toBeVisible();
  await resetMessages(page);
});
