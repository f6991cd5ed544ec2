import type { Street } from "../../apps/simulators/src/locks/street.ts";
import { chooseRoomAction, createRoom, newMac, openLive } from "../support/desk.ts";
import { connectVirtualLock } from "../support/doors.ts";
import { expect, test } from "../support/test.ts";

const LOCK_ANSWERS_MS = 20_000;

test.use({
  permissions: ["geolocation", "clipboard-write"],
  geolocation: { latitude: 48.2, longitude: 16.37 },
});

let street: Street | undefined;
test.afterEach(async () => {
  await street?.stop();
  street = undefined;
});

test("the hotel's location is set from the device, from a map link, or by hand", async ({
  page,
  t,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  await page.goto("/hotel");
  const latitude = page.getByLabel(t("hotel.latitude"));
  const longitude = page.getByLabel(t("hotel.longitude"));
  await page.getByRole("button", { name: t("map.mine") }).click();
  await expect(latitude).toHaveValue("48.2");
  await expect(longitude).toHaveValue("16.37");

  const link = page.getByLabel(t("map.link"));
  await link.fill("https://maps.app.goo.gl/abcDEF123");
  await expect(page.getByText(t("map.noPlace"))).toBeVisible();
  await expect(latitude).toHaveValue("48.2");
  await picture("map-link");
  await expectAccessible();
  await link.fill("https://www.openstreetmap.org/?mlat=-33.86&mlon=151.21#map=15/1/2");
  await expect(latitude).toHaveValue("-33.86");
  await expect(longitude).toHaveValue("151.21");

  await latitude.fill("95");
  await latitude.blur();
  await expect(page.getByText(t("validation.latitude"))).toBeVisible();
  await page.getByRole("button", { name: t("map.remove") }).click();
  await expect(latitude).toHaveValue("");
});

test("the text for guests is copied", async ({ page, t, enter, picture, expectAccessible }) => {
  await enter();
  await page.goto("/hotel?tab=guests");
  await expect(page.getByText(t("hotel.checkInTime"))).toBeVisible();
  await picture("guests");
  await expectAccessible();
  await page.getByRole("button", { name: t("guestInfo.copy") }).click();
  await expect(page.getByText(t("guestInfo.copied"))).toBeVisible();
  // We paste to read the clipboard, because the console's policy doesn't allow scripts to read it.
  await page.evaluate(() => document.body.append(document.createElement("textarea")));
  const paper = page.locator("body > textarea");
  await paper.press("Control+V");
  await expect(paper).toHaveValue(new RegExp(t("hotel.checkInTime")));
});

test("a text is sent to chosen doors, is shown there, and is cleared", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const mac = newMac();
  await createRoom(page, tag, 10_000, mac);
  street = await connectVirtualLock(page, mac);
  const text = `Drill ${tag}`;
  await openLive(page, "/hotel?tab=notices");
  await page.getByRole("radio", { name: t("notices.rooms") }).click();
  await page.getByRole("searchbox").fill(tag);
  await page.getByRole("button", { name: tag, exact: true }).click();
  await page.getByLabel(t("notices.label"), { exact: true }).fill(text);
  await page.getByRole("button", { name: t("notices.send") }).click();
  await expect(page.getByText(t("notices.told", { count: 1 }))).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: text });
  await expect(row).toContainText(t("notices.standing.acknowledged"), { timeout: LOCK_ANSWERS_MS });
  await picture("notices");
  await expectAccessible();

  // The room's own dialog begins with the text that is there.
  await chooseRoomAction(page, t, tag, "sendNotice");
  const dialog = page.getByRole("dialog", { name: t("locks.notice.title") });
  const field = dialog.getByLabel(t("locks.notice.label"), { exact: true });
  await expect(field).toHaveValue(text);
  await expect(field).toBeFocused();
  await expect(dialog.getByRole("button", { name: t("locks.notice.send") })).toBeVisible();
  await page.keyboard.press("Escape");
  await openLive(page, "/hotel?tab=notices");

  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("notices.clearOne") }).click();
  await expect(row).toBeHidden();
  await expect(page.getByRole("row").filter({ hasText: tag })).toContainText(t("notices.cleared"), {
    timeout: LOCK_ANSWERS_MS,
  });
});
