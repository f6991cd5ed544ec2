import { type Street, startStreet } from "../apps/simulators/src/locks/street.ts";
import { call, createRoom, createStay, newMac, openLive } from "./support/desk.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { expect, test } from "./support/test.ts";

/** A lock's life in the hotel: registered, connected, opened remotely, and a key revoked. */
const AWAKE_MS = 20_000;

let street: Street | undefined;
test.afterEach(async () => {
  await street?.stop();
  street = undefined;
});

test("a lock is connected, opens from the desk, and deletes a revoked key when it reports again", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const mac = newMac();
  const roomId = await createRoom(page, tag, 10_000, mac);

  await page.goto(`/locks?q=${mac}`);
  const row = page.getByRole("row").filter({ hasText: mac });
  await expect(row).toContainText(t("locks.notSetUp"));
  await row.getByRole("button", { name: t("common.actions") }).click();
  await page.getByRole("menuitem", { name: t("locks.connect.open") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: t("locks.connect.make") }).click();
  await expect(dialog.getByText(t("locks.connect.once"))).toBeVisible();
  await expectAccessible();
  const fact = async (label: string): Promise<string> => {
    const term = dialog.locator("dt").filter({ hasText: label }).first();
    return (await term.locator("xpath=following-sibling::dd[1]").textContent()) ?? "";
  };
  const [url, user, password, pairingSecret, topic] = await Promise.all([
    fact(t("locks.connect.url")),
    fact(t("locks.connect.user")),
    fact(t("auth.password")),
    fact(t("locks.connect.pairing")),
    fact(t("locks.connect.topic")),
  ]);
  await dialog.getByRole("button", { name: t("locks.connect.done") }).click();

  const hotelId = Number(topic.split("/")[1]);
  const port = new URL(url).port;
  const account = { user, password, pairingSecret, hotelId, mac };
  street = startStreet({ locks: [{ url: `mqtt://127.0.0.1:${port}`, ...account }] });
  await street.awake(AWAKE_MS);
  await row.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("locks.ofRoom", { room: tag }));
  await expect(page.getByRole("main").getByText(t("locks.online"), { exact: true })).toBeVisible();
  await expect(page.getByText(t("locks.notSetUpTitle"))).toBeHidden({ timeout: AWAKE_MS });

  await page.getByRole("button", { name: t("locks.door.act") }).click();
  await expect(page.getByText(t("locks.door.open", { room: tag }))).toBeVisible({ timeout: AWAKE_MS });
  await expectAccessible();

  const { passcodeId } = await call<{ passcodeId: number }>(page, "mutation", "passcodes.create", {
    type: "custom",
    roomIds: [roomId],
    person: `Porter ${tag}`,
    code: "482915",
    validFrom: new Date().toISOString(),
    validTo: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const key = page.getByRole("row").filter({ hasText: `Porter ${tag}` });
  await expect(key).toContainText(t("locks.credential.confirmed"), { timeout: AWAKE_MS });

  const away = (offline: boolean): void => {
    const lock = street?.door(mac)?.lock;
    if (lock) lock.faults = { ...lock.faults, offline };
  };
  away(true);
  await expect(page.getByRole("main").getByText(t("locks.offline"), { exact: true })).toBeVisible({
    timeout: AWAKE_MS,
  });
  await call(page, "mutation", "passcodes.remove", { passcodeId });
  await page.goto("/risk");
  await expect(key).toContainText(t("locks.whenBack"));
  await expectAccessible();
  await page.goto(`/room/${roomId}`);
  await page.getByRole("button", { name: t("board.openDoor") }).click();
  await expect(page.getByText(new RegExp(t("locks.door.offlineSince", { room: tag, when: "" }).trim()))).toBeVisible();

  await openLive(page, "/risk");
  await expect(key).toBeVisible();
  away(false);
  await expect(key).toBeHidden({ timeout: AWAKE_MS });
});

test("the batteries are printed by floor for a round through the hotel", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const mac = newMac();
  await createRoom(page, tag, 10_000, mac);
  await page.goto("/locks");
  await page.getByRole("link", { name: t("locks.battery.title") }).click();
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await expectAccessible();
  const printed = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        window.print = () => resolve(document.querySelector("[data-print-sheet]")?.textContent ?? "");
      }),
  );
  await page.getByRole("button", { name: t("board.print") }).click();
  // The paper has all locks, also those on the next pages of the screen.
  expect(await printed).toMatch(new RegExp(`${tag}.*${t("locks.battery.unknown")}`));
});

test("the desk asks why a key doesn't work and gets one answer", async ({ page, t, tag, enter, expectAccessible }) => {
  await enter();
  const roomId = await createRoom(page, tag, 10_000, newMac());
  await page.goto(`/room/${roomId}`);
  await page.getByRole("button", { name: t("board.actionsOf", { name: tag }) }).click();
  await page.getByRole("menuitem", { name: t("nav.keyCheck") }).click();
  const dialog = page.getByRole("dialog", { name: t("nav.keyCheck") });
  await expect(dialog.getByText(t("locks.verdict.room_empty.title"))).toBeVisible();
  await expectAccessible();
  await dialog.getByRole("button", { name: t("locks.mend.check_in") }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("dialog")).toContainText(tag);
});

test("an occupied room opens with a reason, and whoever waits for a slow lock can cancel", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const mac = newMac();
  const roomId = await createRoom(page, tag, 10_000, mac);
  street = await connectVirtualLock(page, mac);
  const stayId = await createStay(page, "checkIn", { roomId, guest: `Ferrari ${tag}` });
  await page.goto(`/room/${roomId}`);
  const openDoor = page.getByRole("button", { name: t("board.openDoor"), exact: true });
  await openDoor.click();
  const dialog = page.getByRole("dialog", { name: t("locks.door.whyTitle", { room: tag }) });
  await dialog.getByRole("radio", { name: t("doors.openingReason.other") }).click();
  await dialog.getByRole("button", { name: t("locks.door.act") }).click();
  await expect(dialog.getByText(t("validation.required"))).toBeVisible();
  await expectAccessible();
  await dialog.getByRole("textbox", { name: t("locks.door.whyNote") }).fill("Water under the door");
  await dialog.getByRole("button", { name: t("locks.door.act") }).click();
  await expect(page.getByText(t("locks.door.open", { room: tag }))).toBeVisible({ timeout: AWAKE_MS });

  const lock = street.door(mac)?.lock;
  if (lock) lock.faults = { ...lock.faults, dead: true };
  await openDoor.click();
  await dialog.getByRole("button", { name: t("locks.door.act") }).click();
  // The dialog has a button of the same name.
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: t("common.cancel"), exact: true }).click();
  await expect(page.getByText(t("locks.door.mayStillOpen", { room: tag }))).toBeVisible();

  await page.goto(`/doors/entered?stay=${stayId}`);
  await expect(page.getByText(`${t("doors.openingReason.other")}: Water under the door`)).toBeVisible();
});

test("a broken lock is replaced in one act, and its keys wait for the new one", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const [brokenMac, mac] = [newMac(), newMac()];
  const roomId = await createRoom(page, tag, 10_000, brokenMac);
  await call(page, "mutation", "passcodes.create", {
    type: "custom",
    roomIds: [roomId],
    person: `Porter ${tag}`,
    code: "482915",
    validFrom: new Date().toISOString(),
    validTo: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await page.goto(`/locks?q=${brokenMac}`);
  await page.getByRole("row").filter({ hasText: brokenMac }).click();
  // The row that was clicked has a menu of the same name.
  await expect(page.getByRole("heading", { level: 1, name: t("locks.ofRoom", { room: tag }) })).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("button", { name: t("common.actions") })
    .click();
  await page.getByRole("menuitem", { name: t("locks.replace.open") }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: t("locks.replace.mac") });
  await field.fill(brokenMac);
  // A scanner ends with Enter, which only moves on.
  await field.press("Enter");
  await expect(dialog.getByRole("checkbox", { name: t("locks.replace.offDoor") })).toBeFocused();
  await dialog.getByRole("button", { name: t("locks.replace.act") }).click();
  await expect(dialog.getByText(t("validation.sameLock"))).toBeVisible();
  await expectAccessible();
  await field.fill(mac);
  await dialog.getByRole("button", { name: t("locks.replace.act") }).click();
  await expect(dialog.getByText(t("locks.connect.once"))).toBeVisible();
  await expectAccessible();
  const fact = async (label: string): Promise<string> => {
    const term = dialog.locator("dt").filter({ hasText: label }).first();
    return (await term.locator("xpath=following-sibling::dd[1]").textContent()) ?? "";
  };
  const url = await fact(t("locks.connect.url"));
  const user = await fact(t("locks.connect.user"));
  const password = await fact(t("auth.password"));
  const pairingSecret = await fact(t("locks.connect.pairing"));
  await dialog.getByRole("button", { name: t("locks.connect.done") }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("locks.ofRoom", { room: tag }));
  const key = page.getByRole("row").filter({ hasText: `Porter ${tag}` });
  await expect(key).toContainText(t("locks.credential.queued"));
  const account = { user, password, pairingSecret, hotelId: Number(user.split("/")[0]), mac };
  street = startStreet({ locks: [{ url: `mqtt://127.0.0.1:${new URL(url).port}`, ...account }] });
  await street.awake(AWAKE_MS);
  await expect(key).toContainText(t("locks.credential.confirmed"), { timeout: AWAKE_MS });

  await page.getByRole("link", { name: brokenMac }).click();
  await expect(page.getByText(t("locks.replaced.title"))).toBeVisible();
  await expectAccessible();
});
