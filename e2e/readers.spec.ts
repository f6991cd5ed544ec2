import type { Page } from "@playwright/test";
import { cardAtDoor } from "../apps/simulators/src/virtual-card.ts";
import { call, createOperator, createRoom, newMac, revokeGuestCards } from "./support/desk.ts";
import { useDevices } from "./support/devices.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { expect, test } from "./support/test.ts";
import type { Translate } from "./support/texts.ts";

/** The console with simulated desk devices on the real ports, which is why only one test runs at a time. */

// Elements that fade in are checked once they are fully visible.

const UID = "5D02E7A6";
/** A separate card for guests, because reading a guest's card navigates to the guest. */
const GUEST_UID = "0B17D25E";
/** Stands for the identity card of a guest. */
const ID_CARD = "7E1044B9";
const SPACED = "5D 02 E7 A6";
/** Number of the simulated reader. */
const SERIAL = "19470523";
const DATA = "00112233445566778899aabbccddeeff";
const LOCKOUT_MS = 2100;
const { put, fault, card: virtualCard, memory: memoryOf, reset, sendControl } = useDevices();
const memory = (block: number, of = UID): string | undefined => memoryOf(of)[block];

const openPanel = (page: Page, t: Translate): Promise<void> =>
  page
    .getByRole("banner")
    .getByRole("button", { name: t("nav.cardReader") })
    .click();
const readButton = (page: Page, t: Translate) =>
  page.getByRole("button", { name: new RegExp(`^(${t("shell.readCard")}|${t("reader.reading")})$`) });
const numberShown = (page: Page, t: Translate) => page.getByRole("region", { name: t("reader.number") });

for (const type of ["1", "2", "3"])
  test(`type ${type}: a card is read from any screen, and a block is written and read back`, async ({
    page,
    t,
    enter,
    expectAccessible,
  }) => {
    await enter();
    await page.goto("/customer/customer");
    await openPanel(page, t);
    const panel = page.getByRole("dialog", { name: t("nav.cardReader") });
    await panel.getByRole("button", { name: t("reader.advanced") }).click();
    await panel.getByRole("radio", { name: t("reader.type", { number: type }) }).check();
    await expect(panel.getByText(t("reader.connection.connected"), { exact: true })).toBeVisible();
    await put(UID);
    await readButton(page, t).click();
    await expect(numberShown(page, t)).toContainText(SPACED);
    await expect(numberShown(page, t)).toContainText("MIFARE Classic 1K");
    await expectAccessible();
    expect(await page.evaluate(() => localStorage.getItem("cardSenderType") ?? "1")).toBe(type);

    await panel.getByRole("link", { name: t("reader.allTools") }).click();
    await page.getByRole("tab", { name: t("reader.block.title") }).click();
    await page.getByRole("radio", { name: t("reader.block.write") }).click();
    await page.getByLabel(t("reader.block.data")).fill(DATA.replace(/(..)/g, "$1 "));
    await page.getByRole("button", { name: t("reader.block.write"), exact: true }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: t("reader.block.write") })
      .click();
    await expect(page.getByText(t("reader.block.written"))).toBeVisible();
    expect(memory(4)).toBe(DATA.toUpperCase());
    await page.getByRole("radio", { name: t("reader.block.read") }).click();
    await page.getByRole("button", { name: t("reader.block.read"), exact: true }).click();
    await expect(page.getByText(t("reader.block.didRead"))).toBeVisible();
    await expect(page.getByText("00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF")).toBeVisible();
    await expectAccessible();
  });

for (const type of ["1", "2", "3"])
  test(`type ${type}: a guest's card is written, verified, and identifies its guest`, async ({
    page,
    t,
    tag,
    enter,
    expectAccessible,
  }) => {
    const guest = `Key holder ${tag}`;
    await enter();
    await page.addInitScript((chosen) => localStorage.setItem("cardSenderType", chosen), type);
    const mac = newMac();
    await revokeGuestCards(page, [GUEST_UID]);
    const roomId = await createRoom(page, tag, 10_000, mac);
    const street = await connectVirtualLock(page, mac);
    const startsAt = new Date();
    const endsAt = new Date(startsAt.getTime() + 86_400_000);
    const stay = { roomId, unit: "day", startsAt, endsAt, channel: "cash", guests: [{ name: guest }] };
    const { stayGuestId } = await call<{ stayGuestId: number }>(page, "mutation", "stays.checkIn", stay);

    await put(GUEST_UID);
    await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
    await page.getByRole("button", { name: t("card.newCard") }).click();
    const dialog = page.getByRole("dialog");
    await put(null);
    await dialog.getByRole("button", { name: t("keys.writeFor", { name: guest }) }).click();
    await expect(dialog.getByText(t("reader.error.noCard"))).toBeVisible();
    await reset();
    await put(GUEST_UID);
    await dialog.getByRole("button", { name: t("keys.writeFor", { name: guest }) }).click();
    await expect(dialog.getByText(t("card.done"))).toBeVisible();
    await expectAccessible();
    await dialog
      .getByRole("button", { name: t("common.close") })
      .last()
      .click();
    await expect(page.getByText(t("card.state.active"), { exact: true })).toBeVisible();
    expect(memory(4, GUEST_UID)).not.toBe("0".repeat(32));

    await page.goto("/customer/customer");
    await openPanel(page, t);
    await readButton(page, t).click();
    await page.waitForURL((url) => url.searchParams.get("id") === String(stayGuestId));
    await expect(page.getByRole("heading", { name: guest })).toBeVisible();
    await street.stop();
  });

test("a guest's identity card opens the door after it was read with the keys of the stay", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const mac = newMac();
  await revokeGuestCards(page, [ID_CARD]);
  const roomId = await createRoom(page, tag, 10_000, mac);
  const street = await connectVirtualLock(page, mac);
  const startsAt = new Date();
  const endsAt = new Date(startsAt.getTime() + 86_400_000);
  const guest = `Holder ${tag}`;
  const stay = { roomId, unit: "day", startsAt, endsAt, channel: "cash", guests: [{ name: guest }], idCardMatch: true };
  const { stayGuestId } = await call<{ stayGuestId: number }>(page, "mutation", "stays.checkIn", stay);
  await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
  await expect(page.getByText(t("stay.idCardWaits"))).toBeVisible();
  await page.getByRole("button", { name: t("card.newCard") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(t("keys.idCardWaits"))).toBeVisible();
  await expectAccessible();
  await put(ID_CARD);
  await dialog.getByRole("button", { name: t("keys.readIdCard", { name: guest }) }).click();
  await expect(dialog.getByText(t("keys.kind.idCard"), { exact: true }).last()).toBeVisible();
  await expect(dialog.getByText(t("keys.idCardWaits"))).toBeHidden();
  const hold = () => street.door(mac)?.lock.presentCard(cardAtDoor(virtualCard(ID_CARD)));
  await expect.poll(hold, { timeout: 20_000 }).toMatchObject({ opened: true });
  await revokeGuestCards(page, [ID_CARD]);
  await street.stop();
});

test("the reader at the desk is found without knowing its type", async ({ page, t, enter, expectAccessible }) => {
  await enter();
  await fault({ down: ["http", "hid", "socket"] });
  await page.goto("/customer/customer");
  await openPanel(page, t);
  const panel = page.getByRole("dialog", { name: t("nav.cardReader") });
  const find = panel.getByRole("button", { name: t("reader.find") });
  await find.click();
  await expect(panel.getByText(t("reader.foundNone"))).toBeVisible();
  await fault({ down: ["http", "hid"] });
  await find.click();
  await expect(panel.getByText(t("reader.found"))).toContainText(SERIAL);
  await expectAccessible();
  expect(await page.evaluate(() => localStorage.getItem("cardSenderType"))).toBe("3");
  await put(UID);
  await readButton(page, t).click();
  await expect(numberShown(page, t)).toContainText(SPACED);
});

test("a reader is refused to those whom it isn't bound to, and the owner may use it", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
}) => {
  await enter();
  const colleague = await createOperator(page, `${tag}a`, { capabilities: ["stays.view"], roomIds: [] });
  const clerk = await createOperator(page, `${tag}b`, { capabilities: ["stays.view"], roomIds: [] });
  const reader = { deviceNo: SERIAL, name: `Reader ${tag}`, type: 1 };
  const { id } = await call<{ id: number }>(page, "mutation", "cardReaders.save", reader);
  try {
    const holder = { kind: "operator", id: colleague.operatorId };
    await call(page, "mutation", "cardReaders.bind", { id, holder });
    const desk = await openDesk(clerk.account, clerk.password);
    await desk.goto("/reader");
    await put(UID);
    await readButton(desk, t).click();
    await expect(desk.getByText(t("reader.error.ofOthers"))).toBeVisible();
    await expect(desk.getByText(t("reader.hint.holders", { names: colleague.name }))).toBeVisible();
    await expect(numberShown(desk, t)).toBeHidden();

    await page.goto("/reader");
    await readButton(page, t).click();
    await expect(numberShown(page, t)).toContainText(SPACED);

    await call(page, "mutation", "cardReaders.bind", { id, holder: { kind: "operator", id: clerk.operatorId } });
    await readButton(desk, t).click();
    await expect(numberShown(desk, t)).toContainText(SPACED);
  } finally {
    await call(page, "mutation", "cardReaders.remove", { id });
  }
});

test("a fault is shown with what to do, and the last card stays on screen", async ({ page, t, enter }) => {
  // The reader has two seconds to answer and ignores clicks for two after a read, which may pass unseen on a busy
  // machine. So its limit never ends, and time passes only when the test says so.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const startMs = Date.now();
  const passTo = (ms: number): Promise<void> => page.clock.setFixedTime(startMs + ms);
  await passTo(0);
  await enter();
  await fault({ down: ["http"] });
  await page.goto("/reader");
  await expect(page.getByText(t("reader.error.noService"))).toBeVisible();
  await expect(page.getByText(t("reader.hint.startAndAllow"))).toBeVisible();
  await expect(page.getByText(t("reader.connection.broken"), { exact: true })).toBeVisible();

  await fault({ down: [] });
  await page.getByRole("button", { name: t("reader.check") }).click();
  await expect(page.getByText(t("reader.connection.connected"), { exact: true })).toBeVisible();
  await put(UID);
  await readButton(page, t).click();
  await expect(numberShown(page, t)).toContainText(SPACED);

  await readButton(page, t).click();
  await expect(page.getByText(t("reader.warning.impatient"))).toBeVisible();
  await passTo(LOCKOUT_MS);
  await readButton(page, t).click();
  await expect(page.getByText(t("reader.warning.sameCard"))).toBeVisible();

  await passTo(2 * LOCKOUT_MS);
  await put(null);
  await readButton(page, t).click();
  await expect(page.getByText(t("reader.error.noCard"))).toBeVisible();
  await expect(page.getByText(t("reader.code", { code: "0x14", meaning: t("reader.retval.request") }))).toBeVisible();
  await expect(numberShown(page, t)).toContainText(SPACED);

  await fault({ noDevice: true });
  await readButton(page, t).click();
  await expect(page.getByText(t("reader.error.noDevice"))).toBeVisible();
  await fault({ noDevice: false, slow: 60_000 });
  await readButton(page, t).click();
  await page.getByRole("button", { name: t("common.cancel") }).click();
  await expect(readButton(page, t)).toHaveText(t("shell.readCard"));
  await expect(numberShown(page, t)).toContainText(SPACED);
});

test("the block tool asks for what a block needs, and never writes what would lock a card", async ({
  page,
  t,
  enter,
}) => {
  await enter();
  await put(UID);
  await page.goto("/reader?tab=block");
  const field = (name: string) => page.getByLabel(t(`reader.block.${name}`), { exact: true });
  await page.getByRole("radio", { name: t("reader.block.write") }).click();
  await field("number").fill("7");
  await field("device").fill("");
  await field("key").fill("FFFF");
  await field("data").fill("00");
  const write = page.getByRole("button", { name: t("reader.block.write"), exact: true });
  await write.click();
  for (const message of ["readerBlockForbidden", "readerKey", "readerData", "required"])
    await expect(page.getByText(t(`validation.${message}`), { exact: true })).toBeVisible();

  await field("number").fill("5");
  await field("device").fill("0");
  await field("key").fill("00:00:00:00:00:00");
  await field("data").fill(DATA);
  await write.click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("reader.block.write") })
    .click();
  await expect(page.getByText(t("reader.error.wrongKey"))).toBeVisible();
  await expect(field("data")).toHaveValue(DATA);
  expect(memory(5)).toBe("0".repeat(32));
});

test("a keyboard reader types the number into the open panel", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/room");
  await openPanel(page, t);
  await page.getByRole("radio", { name: t("reader.keyboard") }).check();
  await expect(page.getByText(t("reader.keyboardReady"))).toBeVisible();
  // All keys at once, as the reader sends them; single key presses from the test would be as slow as a person.
  await page.evaluate(() => {
    for (const key of [..."1560471462", "Enter"])
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
  await expect(numberShown(page, t)).toContainText(SPACED);
});

test("sensor and reader are tested, with times", async ({ page, t, enter, expectAccessible }) => {
  await enter();
  await put(UID);
  await page.goto("/center/personalCenter");
  await page
    .getByRole("main")
    .getByRole("link", { name: t("reader.finger.title") })
    .click();
  await expect(page).toHaveURL("/center/cardSenderFingerTest");
  const start = page.getByRole("button", { name: t("reader.startTest") });
  await start.first().click();
  await expect(page.getByText(t("reader.finger.lay"))).toBeVisible();
  await sendControl("PUT", "/finger", { on: true });
  const match = page.getByRole("listitem").filter({ hasText: t("reader.finger.step.match") });
  await expect(match).toContainText(t("reader.step.done"));
  await expect(match).toContainText(/\d\s?ms/);
  await start.click();
  const inField = page.getByRole("listitem").filter({ hasText: t("reader.self.step.cardInField") });
  await expect(inField).toContainText(UID);
  await expectAccessible();
});

test("the personal page shows who is logged in", async ({ page, t, enter, expectAccessible }) => {
  await enter();
  await page.goto("/center/personalCenter");
  const main = page.getByRole("main");
  for (const fact of ["id", "email", "mobile", "registeredAt"])
    await expect(main.getByText(t(`center.${fact}`), { exact: true })).toBeVisible();
  await expect(main.getByText(t("shell.role.owner"), { exact: true }).first()).toBeVisible();
  await expectAccessible();
});
