import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Page } from "@playwright/test";
import { record } from "../apps/simulators/src/locks/lock-memory.ts";
import type { Street } from "../apps/simulators/src/locks/street.ts";
import { timeTag } from "../packages/shared/src/hour-format.ts";
import { languageOf } from "../packages/shared/src/languages.ts";
import { call, changeHotel, createRoom, createStay, findStay, newMac } from "./support/desk.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { launchServer, type Server } from "./support/server.ts";
import { test as base, expect } from "./support/test.ts";
import { textsIn } from "./support/texts.ts";

/** One guest's stay on their own phone, beside the desk, with a simulated lock at their door. */
const LOCK_ANSWERS_MS = 20_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      const port = await freePort();
      const env = { DEMO_PASSWORD: process.env.E2E_PASSWORD ?? "", GUEST_PORT: String(port) };
      const server = await launchServer({ env: { ...env, GUEST_URL: `http://localhost:${port}` } });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});

let street: Street | undefined;
test.afterEach(async () => {
  await street?.stop();
  street = undefined;
});

test("a guest finds room and code on their phone, opens the door, and loses all of it with the check-out", async ({
  page,
  openDesk,
  language,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  const guest = `Ada Quince ${tag}`;
  await enter();
  const mac = newMac();
  const roomId = await createRoom(page, tag, 10_000, mac);
  street = await connectVirtualLock(page, mac);
  const stayId = await createStay(page, "checkIn", { roomId, guest, documentNumber: "C01X00T4K" });
  const [{ stayGuestId } = { stayGuestId: 0 }] = (await findStay(page, guest)).guests;
  const hotel = await call<{ breakfastFrom: string }>(page, "query", "hotel.get", undefined);
  const texts = { wifiName: "Messing", wifiPassword: "grapefruit", notice: "The pool is closed today." };
  await changeHotel(page, { ...texts, guestOpensDoor: true, hourFormat: "h12" });

  // The desk makes the link, and the guest opens it on their phone.
  await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
  await page.getByRole("button", { name: t("guestLink.make") }).click();
  const url = (await page.getByTestId("guest-link").textContent()) ?? "";
  await expectAccessible();
  await picture("guest-link");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("passcode.done") })
    .click();

  const phone = await openOnPhone(openDesk, url, language);
  await expect(phone.getByRole("heading", { level: 2, name: t("guestPage.proof.title") })).toBeVisible();
  await expect(phone.getByText(guest)).toHaveCount(0);
  await takePicture(phone, "guest-page-before");

  const answer = phone.getByLabel(t("guestPage.proof.label"));
  await answer.fill("000");
  await phone.getByRole("button", { name: t("guestPage.proof.show") }).click();
  await expect(phone.getByRole("alert")).toHaveText(t("guestPage.proof.wrong"));
  await answer.fill("t4k");
  await phone.getByRole("button", { name: t("guestPage.proof.show") }).click();
  await expect(phone.getByText(t("guestPage.welcomeName", { name: guest }))).toBeVisible();
  await expect(phone.getByText(tag, { exact: true })).toBeVisible();

  // A code appears once the lock has confirmed it, without anybody reloading.
  const { code } = await call<{ code: string }>(page, "mutation", "passcodes.create", {
    ...{ type: "air", roomIds: [roomId], stayId, person: guest },
  });
  await phone.reload();
  const shown = phone.getByText(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(shown).toBeVisible({ timeout: LOCK_ANSWERS_MS });
  expect(street.door(mac)?.lock.enterCode(code)).toMatchObject({ opened: true });

  await phone.getByRole("button", { name: t("guestPage.door.open") }).click();
  await expect(phone.getByText(t("guestPage.door.opened")).first()).toBeVisible({ timeout: LOCK_ANSWERS_MS });
  await expect(phone.getByText("grapefruit")).toBeVisible();
  await phone.getByText(t("guestPage.wifiCode")).click();
  await expect(phone.getByRole("img", { name: t("guestPage.wifiCode") })).toBeVisible();
  const breakfast = new Intl.DateTimeFormat(timeTag(languageOf(language).tag, "h12"), {
    ...{ hour: "numeric", minute: "2-digit", timeZone: "UTC" },
  }).format(new Date(`2000-01-01T${hotel.breakfastFrom}Z`));
  await expect(phone.getByText(breakfast)).toBeVisible();
  await takePicture(phone, "guest-page");
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  // The desk sees what the guest did.
  await page.reload();
  await expect(page.getByText(t("guestLink.openedDoorAt"))).toBeVisible();
  const { link } = await call<{ link: { seenAt: string | null; openedDoorAt: string | null } }>(
    ...([page, "query", "guestLinks.state", { stayGuestId }] as const),
  );
  expect([link.seenAt, link.openedDoorAt]).toEqual([expect.any(String), expect.any(String)]);

  // A block-out card was held at the lock: the page says so before the guest tries.
  const lock = street.door(mac)?.lock;
  if (lock) {
    lock.memory.blockedOut = true;
    record(lock.memory, Date.now(), { style: "card", success: false, reason: "block_out_set" });
    lock.changed();
  }
  await expect.poll(async () => (await lockOf(page, mac))?.blockedOutAt, { timeout: LOCK_ANSWERS_MS }).toBeTruthy();
  await phone.reload();
  await expect(phone.getByText(t("guestPage.door.blocked"))).toBeVisible();
  await expect(phone.getByRole("button", { name: t("guestPage.door.open") })).toHaveCount(0);
  await takePicture(phone, "guest-page-blocked");

  await call(page, "mutation", "stays.checkOut", { stayId, channel: "cash" });
  await phone.reload();
  await expect(phone.getByText(t("guestPage.gone.title"))).toBeVisible();
  await expect(phone.getByText(code.slice(0, 3))).toHaveCount(0);
});

/** What a guest is written during their stay. */
const EVENTS = ["reserved", "checked_in", "extended", "checked_out"];
const MESSAGE_MS = 30_000;
/** How long the console takes to notice that a lock is gone without a word. */
const OFFLINE_MS = 60_000;

interface MessageRow {
  id: number;
  event: string;
  state: string;
}

/** Waits for a message to a guest and returns its text. Without a mail service, the desk hands it over. */
async function messageText(desk: Page, stayGuestId: number, event: string): Promise<string> {
  let message: MessageRow | undefined;
  const find = async (): Promise<string | undefined> => {
    const { rows } = await call<{ rows: MessageRow[] }>(desk, "query", "guestMessages.list", { stayGuestId });
    message = rows.find((row) => row.event === event);
    return message?.state;
  };
  await expect.poll(find, { timeout: MESSAGE_MS }).toBe("to_hand_over");
  const { body } = await call<{ body: string }>(desk, "mutation", "guestMessages.reveal", { id: message?.id });
  await call(desk, "mutation", "guestMessages.handOver", { id: message?.id });
  return body;
}

const codeText = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

for (const stayLanguage of ["en", "Arabic"]) {
  test.describe(`a whole stay, ${stayLanguage}`, () => {
    test.use({ language: stayLanguage });

    test("goes from the message to the check-out with one link, also while the lock is away", async ({
      page,
      openDesk,
      t,
      tag,
      enter,
    }) => {
      test.setTimeout(240_000);
      const guest = `Ines Vale ${tag}`;
      await enter();
      await changeHotel(page, { guestOpensDoor: true, guestChecksOut: true });
      const settings = { events: EVENTS, channels: ["mail"], hoursBefore: 24, quiet: null };
      await call(page, "mutation", "guestMessages.saveSettings", settings);
      const macs = [newMac(), newMac()] as const;
      const roomId = await createRoom(page, `${tag}A`, 10_000, macs[0]);
      const otherRoomId = await createRoom(page, `${tag}B`, 10_000, macs[1]);
      const first = await connectVirtualLock(page, macs[0]);
      const second = await connectVirtualLock(page, macs[1]);
      try {
        // A reservation writes to the guest, and the link in the message opens the page.
        const startsAt = new Date(Math.floor(Date.now() / 60_000) * 60_000);
        const endsAt = new Date(startsAt.getTime() + 86_400_000).toISOString();
        const person = { name: guest, email: "ines@example.com", mobile: "+4930987651", documentNumber: "" };
        const { stayId, stayGuestId } = await call<{ stayId: number; stayGuestId: number }>(
          ...([
            page,
            "mutation",
            "stays.reserve",
            { roomId, unit: "day", startsAt, endsAt, guests: [person] },
          ] as const),
        );
        const link = /http:\S+#[\w-]+/.exec(await messageText(page, stayGuestId, "reserved"))?.[0] ?? "";
        const phone = await openOnPhone(openDesk, link, stayLanguage);
        await phone.getByLabel(t("guestPage.proof.label")).fill("651");
        await phone.getByRole("button", { name: t("guestPage.proof.show") }).click();
        await expect(phone.getByText(t("guestPage.welcomeName", { name: guest }))).toBeVisible();
        await expect(phone.getByText(t("guestPage.roomLater"))).toBeVisible();
        await takePicture(phone, "stay-1-before");

        // At the desk the party arrives and pays, and the code appears once the lock has confirmed it.
        await call(page, "mutation", "stays.arrive", { stayId, channel: "cash", depositMinor: 0 });
        const passcode = { type: "air", roomIds: [roomId], stayId, person: guest };
        const { code } = await call<{ code: string }>(page, "mutation", "passcodes.create", passcode);
        await phone.reload();
        await expect(phone.getByText(codeText(code))).toBeVisible({ timeout: LOCK_ANSWERS_MS });
        expect(await messageText(page, stayGuestId, "checked_in")).toContain(`${tag}A`);
        await takePicture(phone, "stay-2-in");

        // The lock loses its connection: the page says so, and the code opens the door all the same.
        const door = first.door(macs[0]);
        if (!door) throw new Error("the lock has no door");
        door.lock.faults = { ...door.lock.faults, offline: true };
        await expect
          .poll(() => isOnline(page, macs[0]), {
            timeout: OFFLINE_MS,
            message: "the console sees that the lock is away",
          })
          .toBe(false);
        await phone.getByRole("button", { name: t("guestPage.door.open") }).click();
        await expect(phone.getByText(t("guestPage.door.unreachable"))).toBeVisible();
        await takePicture(phone, "stay-3-lock-away");
        expect(door.lock.enterCode(code)).toMatchObject({ opened: true });
        door.lock.faults = { ...door.lock.faults, offline: false };
        await expect.poll(() => isOnline(page, macs[0]), { timeout: OFFLINE_MS }).toBe(true);
        await phone.getByRole("button", { name: t("guestPage.door.open") }).click();
        await expect(phone.getByText(t("guestPage.door.opened")).first()).toBeVisible({ timeout: LOCK_ANSWERS_MS });

        // The same link shows the other room and the later departure.
        const later = new Date(Date.parse(endsAt) + 86_400_000).toISOString();
        await call(page, "mutation", "stays.renew", { stayId, endsAt: later, channel: "cash" });
        // Before the room changes, because the message has the room in which it is prepared.
        expect(await messageText(page, stayGuestId, "extended")).toContain(`${tag}A`);
        await call(page, "mutation", "stays.changeRoom", { stayId, roomId: otherRoomId, channel: "cash" });
        await phone.reload();
        await expect(phone.getByText(`${tag}B`, { exact: true })).toBeVisible();
        await expect(phone.getByText(`${tag}A`, { exact: true })).toHaveCount(0);
        await expect(phone.getByText(codeText(code))).toBeVisible({ timeout: LOCK_ANSWERS_MS });
        expect(second.door(macs[1])?.lock.enterCode(code)).toMatchObject({ opened: true });
        await takePicture(phone, "stay-4-other-room");

        // The guest leaves without the desk, which sees every message and what the guest did.
        await phone.getByRole("button", { name: t("guestPage.checkOut.title") }).click();
        await phone.getByRole("button", { name: t("guestPage.checkOut.confirm") }).click();
        await expect(phone.getByText(t("guestPage.checkOut.doneTitle"))).toBeVisible();
        const opens = () => second.door(macs[1])?.lock.enterCode(code).opened;
        await expect.poll(opens, { timeout: LOCK_ANSWERS_MS, message: "the code is taken back" }).toBe(false);
        await takePicture(phone, "stay-5-left");
        await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
        await expect(page.getByRole("heading", { level: 1, name: guest })).toBeVisible();
        if (process.env.PICTURES)
          await page.screenshot({ path: test.info().outputPath("stay-6-desk.png"), fullPage: true });
      } finally {
        await first.stop();
        await second.stop();
      }
    });
  });
}

interface LockRow {
  mac: string;
  online: boolean;
  blockedOutAt: string | null;
}

const lockOf = async (desk: Page, mac: string): Promise<LockRow | undefined> =>
  (await call<LockRow[]>(desk, "query", "locks.list", undefined)).find((lock) => lock.mac === mac);
const isOnline = async (desk: Page, mac: string): Promise<boolean | undefined> => (await lockOf(desk, mac))?.online;

for (const stayLanguage of ["en", "Arabic"]) {
  test.describe(`an arrival without the desk, ${stayLanguage}`, () => {
    test.use({ language: stayLanguage });

    test("goes from the details to the check-in and the code that opens the door, and the desk can undo it", async ({
      page,
      openDesk,
      t,
      tag,
      enter,
      picture,
    }) => {
      test.setTimeout(180_000);
      const guest = `Ines Vale ${tag}`;
      await enter();
      const mac = newMac();
      const roomId = await createRoom(page, tag, 10_000, mac);
      street = await connectVirtualLock(page, mac);
      const stayId = await createStay(page, "reserve", { roomId, guest, documentNumber: "C01X00T4K" });
      const [{ stayGuestId } = { stayGuestId: 0 }] = (await findStay(page, guest)).guests;
      await changeHotel(page, { guestChecksIn: true, guestGivesIdentity: true });
      const { url } = await call<{ url: string }>(page, "mutation", "guestLinks.make", { stayGuestId });

      const phone = await openOnPhone(openDesk, url, stayLanguage);
      await phone.getByLabel(t("guestPage.proof.label")).fill("t4k");
      await phone.getByRole("button", { name: t("guestPage.proof.show") }).click();
      await expect(phone.getByText(t("guestPage.checkIn.detailsMissing"))).toBeVisible();
      await takePicture(phone, "arrival-1-details");
      await phone.getByLabel(t("guestPage.preCheckIn.birthDate")).fill("1990-02-03");
      await phone.getByLabel(t("guestPage.preCheckIn.nationality")).selectOption("PT");
      await phone.getByRole("button", { name: t("guestPage.preCheckIn.send") }).click();
      await expect(phone.getByText(t("guestPage.checkIn.notPaid"))).toBeVisible();
      await takePicture(phone, "arrival-2-not-paid");
      await call(page, "mutation", "folio.pay", { stayId, channel: "card", amountMinor: 10_000 });

      // The room is not clean when the guest presses the button, although the page still shows it.
      await phone.reload();
      const button = phone.getByRole("button", { name: t("guestPage.checkIn.act") });
      await expect(button).toBeVisible();
      await takePicture(phone, "arrival-3-ready");
      const status = { roomIds: [roomId], until: null, note: "" };
      await call(page, "mutation", "rooms.setStatus", { ...status, status: "dirty" });
      await button.click();
      await expect(phone.getByText(t("guestPage.checkIn.seeDesk")).first()).toBeVisible();
      await expect(button).toHaveCount(0);
      await takePicture(phone, "arrival-4-see-desk");
      await call(page, "mutation", "rooms.setStatus", { ...status, status: "vacant" });

      await phone.reload();
      await button.click();
      await expect(phone.getByText(tag, { exact: true })).toBeVisible();
      const digits = phone.locator(".digits");
      await expect(digits).toBeVisible({ timeout: LOCK_ANSWERS_MS });
      const code = ((await digits.textContent()) ?? "").replace(/\D/g, "");
      expect(street.door(mac)?.lock.enterCode(code)).toMatchObject({ opened: true });
      await takePicture(phone, "arrival-5-in");
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

      await page.goto("/home");
      await page.getByRole("tab", { name: t("home.lists.inHouse") }).click();
      await expect(page.locator(`li[data-room="${roomId}"]`).getByText(t("home.row.byGuest"))).toBeVisible();
      await picture("today-by-guest");
      await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
      await expect(page.getByText(t("history.byGuest"))).toBeVisible();
      await picture("record-by-guest");
      await call(page, "mutation", "stays.undoCheckIn", { stayId });
      await phone.reload();
      await expect(phone.getByText(t("guestPage.checkIn.seeDesk"))).toBeVisible();
      const opens = () => street?.door(mac)?.lock.enterCode(code).opened;
      await expect.poll(opens, { timeout: LOCK_ANSWERS_MS, message: "the code is revoked" }).toBe(false);
    });
  });
}

test("a reservation of a clerk who may not give out door codes waits on Home until a colleague confirms it", async ({
  page,
  openDesk,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  const guest = `Olga Reed ${tag}`;
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const grants = { capabilities: ["rooms.view", "stays.view", "stays.manage"], roomIds: [roomId] };
  const operator = { name: `Desk ${tag}`, account: `desk-${tag.toLowerCase()}@example.com`, role: "staff" };
  await call(page, "mutation", "staff.save", { ...operator, ...grants, password: `first-of-${tag}` });
  const { guestChecksIn } = await call<{ guestChecksIn: boolean }>(page, "query", "hotel.get", undefined);
  await changeHotel(page, { guestChecksIn: true });
  await page.goto("/home");
  const main = page.getByRole("main");
  const waiting = main.getByRole("link", { name: t("home.care.unconfirmed") });
  await expect(main.getByRole("heading", { name: t("home.care.title") })).toBeVisible();
  await expect(waiting).toHaveCount(0);

  const clerk = await openDesk(operator.account, `first-of-${tag}`);
  const own = { password: `own-of-${tag}`, confirmPassword: `own-of-${tag}` };
  await call(clerk, "mutation", "auth.changePassword", { oldPassword: `first-of-${tag}`, ...own });
  await createStay(clerk, "reserve", { roomId, guest, documentNumber: "C01X00T4K" });
  // The page of the colleague shows it without being loaded again.
  await expect(waiting).toContainText(guest);
  await expectAccessible();
  await picture("home-unconfirmed");
  await waiting.click();
  await expect(page.getByText(t("guestLink.unconfirmed"))).toBeVisible();
  await expectAccessible();
  await picture("reservation-unconfirmed");
  await page.getByRole("button", { name: t("guestLink.confirmBooking") }).click();
  await expect(page.getByText(t("guestLink.bookingConfirmed"))).toBeVisible();
  await expect(page.getByText(t("guestLink.unconfirmed"))).toHaveCount(0);
  await page.goto("/home");
  await expect(main.getByRole("heading", { name: t("home.care.title") })).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await changeHotel(page, { guestChecksIn });
});

test("a guest gives their details before they arrive, and the desk adds them to the record", async ({
  page,
  openDesk,
  language,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  const guest = `Ada Quince ${tag}`;
  const ownName = `Ada Maria Quince ${tag}`;
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  const stayId = await createStay(page, "reserve", { roomId, guest, documentNumber: "C01X00T4K" });
  const [{ stayGuestId } = { stayGuestId: 0 }] = (await findStay(page, guest)).guests;
  const questions = {
    guestGivesIdentity: true,
    guestGivesDocument: true,
    guestGivesArrival: true,
    guestChecksIn: false,
  };
  const pictures = { guestGivesPhoto: true, guestGivesSignature: true };
  await changeHotel(page, { ...questions, ...pictures });
  const { url } = await call<{ url: string }>(page, "mutation", "guestLinks.make", { stayGuestId });

  const phone = await openOnPhone(openDesk, url, language);
  await phone.getByLabel(t("guestPage.proof.label")).fill("t4k");
  await phone.getByRole("button", { name: t("guestPage.proof.show") }).click();
  await phone.getByLabel(t("guestPage.preCheckIn.name")).fill(ownName);
  await phone.getByLabel(t("guestPage.preCheckIn.birthDate")).fill("1990-02-03");
  await phone.getByLabel(t("guestPage.preCheckIn.nationality")).selectOption("PT");
  await phone.getByLabel(t("guestPage.preCheckIn.documentNumber")).fill("P7731X");
  await phone.getByLabel(t("guestPage.preCheckIn.arrivalTime")).fill("18:30");
  const buffer = await phone.screenshot({ clip: { x: 0, y: 0, width: 390, height: 250 } });
  const photo = { name: "document.png", mimeType: "image/png", buffer };
  await phone.getByLabel(t("guestPage.preCheckIn.photo")).setInputFiles(photo);
  const canvas = phone.locator("#signature");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (!box) throw new Error("there is nothing to sign on");
  await phone.mouse.move(box.x + 40, box.y + box.height / 2);
  await phone.mouse.down();
  for (const step of [1, 2, 3, 4]) await phone.mouse.move(box.x + 40 + step * 50, box.y + (step % 2 ? 30 : 90));
  await phone.mouse.up();
  await takePicture(phone, "guest-page-details");
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await phone.getByRole("button", { name: t("guestPage.preCheckIn.send") }).click();
  await expect(phone.getByText(t("guestPage.preCheckIn.again"))).toBeVisible();

  // However much there is to see in its row of today, the guest's name stays readable.
  await page.goto("/home");
  const row = page.locator(`li[data-room="${roomId}"]`);
  await expect(row.getByText(t("home.row.preCheckIn"))).toBeVisible();
  expect((await row.getByRole("link", { name: guest }).boundingBox())?.width).toBeGreaterThan(60);
  await page.goto(`/room/thetouristsDetails?id=${stayGuestId}`);
  await expect(page.getByText(ownName)).toBeVisible();
  for (const kind of ["signature", "document"] as const) {
    const image = page.getByRole("img", { name: t(`preCheckIn.picture.${kind}`) });
    await expect
      .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(300);
  }
  await expectAccessible();
  await picture("details-from-guest");
  await page.getByRole("button", { name: t("preCheckIn.takeOver") }).click();
  await expect(page.getByRole("heading", { level: 1, name: ownName })).toBeVisible();
  await expect(page.getByRole("button", { name: t("preCheckIn.takeOver") })).toHaveCount(0);
  const stay = await call<{ guests: { name: string; documentNumber: string }[] }>(page, "query", "stays.detail", {
    stayId,
  });
  expect(stay.guests).toMatchObject([{ name: ownName, documentNumber: "P7731X" }]);
  await phone.reload();
  await expect(phone.getByText(t("guestPage.preCheckIn.answered"))).toBeVisible();

  // The pictures stay in the record until they are deleted.
  await expect(page.getByRole("heading", { name: t("preCheckIn.picturesTitle") })).toBeVisible();
  await page.getByRole("button", { name: t("preCheckIn.deletePictures"), exact: true }).click();
  const confirmation = page.getByRole("alertdialog");
  await confirmation.getByRole("button", { name: t("preCheckIn.deletePictures"), exact: true }).click();
  await expect(page.getByRole("heading", { name: t("preCheckIn.picturesTitle") })).toHaveCount(0);
});

test("a guest who can't draw signs with their typed name", async ({ page, openDesk, language, t, tag, enter }) => {
  const guest = `Ada Quince ${tag}`;
  await enter();
  const roomId = await createRoom(page, tag, 10_000);
  await createStay(page, "reserve", { roomId, guest, documentNumber: "C01X00T4K" });
  const [{ stayGuestId } = { stayGuestId: 0 }] = (await findStay(page, guest)).guests;
  const questions = { guestGivesIdentity: false, guestGivesDocument: false, guestGivesArrival: false };
  const pictures = { guestGivesPhoto: false, guestGivesSignature: true };
  await changeHotel(page, { ...questions, ...pictures });
  const { url } = await call<{ url: string }>(page, "mutation", "guestLinks.make", { stayGuestId });
  const phone = await openOnPhone(openDesk, url, language);
  await phone.getByLabel(t("guestPage.proof.label")).fill("t4k");
  await phone.keyboard.press("Enter");
  const send = phone.getByRole("button", { name: t("guestPage.preCheckIn.send") });
  await send.press("Enter");
  await expect(phone.getByText(t("guestPage.preCheckIn.check"))).toBeVisible();
  await phone.getByLabel(t("guestPage.preCheckIn.typedSignature")).fill("Ada Quince");
  await phone.getByLabel(t("guestPage.preCheckIn.signsTyped")).press("Space");
  await send.press("Enter");
  await expect(phone.getByText(t("guestPage.preCheckIn.pictureSent"))).toBeVisible();
  expect(await call<object[]>(page, "query", "preCheckIns.pictures", { stayGuestId })).toMatchObject([
    { kind: "signature", taken: false },
  ]);
});

test("a phone shows each guest's page by its own link alone, and forgets it when asked", async ({
  page,
  browser,
  language,
  t,
  tag,
  enter,
}) => {
  await enter();
  const names = [`Ada Quince ${tag}`, `Ben Medlar ${tag}`];
  const links: string[] = [];
  for (const guest of names) {
    const roomId = await createRoom(page, `${tag}${links.length}`, 10_000);
    await createStay(page, "checkIn", { roomId, guest, documentNumber: `C0${links.length}X00T4K` });
    const [{ stayGuestId } = { stayGuestId: 0 }] = (await findStay(page, guest)).guests;
    links.push((await call<{ url: string }>(page, "mutation", "guestLinks.make", { stayGuestId })).url);
  }
  const [link = "", otherLink = ""] = links;
  const [name = ""] = names;
  const tokenOf = (url: string): string => url.split("#")[1] ?? "";

  const context = await browser.newContext({ serviceWorkers: "allow" });
  const phone = await context.newPage();
  const isName = phone.getByText(name);
  const proof = phone.getByRole("heading", { level: 2, name: t("guestPage.proof.title") });
  const goTo = (token: string): Promise<void> =>
    phone.evaluate((fragment) => {
      location.hash = fragment;
    }, token);
  const storedLink = (): Promise<string | null> =>
    phone.evaluate(
      () => (JSON.parse(localStorage.getItem("page") ?? "null") as { token: string } | null)?.token ?? null,
    );
  await phone.addInitScript((code) => localStorage.setItem("language", code), language);
  await phone.goto(link);
  await phone.getByLabel(t("guestPage.proof.label")).fill("t4k");
  await phone.getByRole("button", { name: t("guestPage.proof.show") }).click();
  await expect(isName).toBeVisible();

  // What the service worker stores has no secret in its address.
  await phone.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await phone.reload();
  await expect(isName).toBeVisible();
  const addresses = await phone.evaluate(async () => {
    const caching = await Promise.all((await caches.keys()).map((key) => caches.open(key)));
    return (await Promise.all(caching.map((cache) => cache.keys()))).flat().map(({ url }) => url);
  });
  expect(addresses).toContain(new URL("/", link).href);
  expect(addresses.filter((address) => address.includes("#"))).toEqual([]);

  // An answer that comes late is not shown at the link that was opened meanwhile.
  await phone.evaluate((token) => {
    const send = window.fetch.bind(window);
    const late = new Promise<void>((resolve) => window.addEventListener("release", () => resolve()));
    window.fetch = async (...request) => {
      const answer = await send(...request);
      await Promise.all([answer.clone().text(), late]);
      document.title = "late";
      return answer;
    };
    document.dispatchEvent(new Event("visibilitychange"));
    window.fetch = send;
    location.hash = token;
  }, tokenOf(otherLink));
  await expect(proof).toBeVisible();
  await phone.evaluate(() => window.dispatchEvent(new Event("release")));
  await expect(phone).toHaveTitle("late");
  await phone.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await expect(proof).toBeVisible();
  await expect(isName).toHaveCount(0);
  expect(await storedLink()).toBe(tokenOf(link));

  // A wrong link takes nothing away, and one that gets no answer shows nothing of the page before.
  await goTo("A".repeat(22));
  await expect(phone.getByText(t("guestPage.gone.title"))).toBeVisible();
  expect(await storedLink()).toBe(tokenOf(link));
  await goTo(tokenOf(link));
  await expect(isName).toBeVisible();
  await phone.evaluate((token) => {
    const send = window.fetch.bind(window);
    window.fetch = async () => {
      window.fetch = send;
      return new Response("{}", { status: 429 });
    };
    location.hash = token;
  }, tokenOf(otherLink));
  await expect(phone.getByText(t("guestPage.busy.title"))).toBeVisible();
  await phone.locator("#language").selectOption("German");
  await expect(phone.getByText(textsIn("German")("guestPage.busy.title"))).toBeVisible();
  await expect(isName).toHaveCount(0);
  await phone.locator("#language").selectOption(language);

  // A phone that is handed back knows nothing of the guest, in none of its windows.
  await goTo(tokenOf(link));
  await expect(isName).toBeVisible();
  const otherWindow = await context.newPage();
  await otherWindow.goto(link);
  await expect(otherWindow.getByText(name)).toBeVisible();
  await takePicture(phone, "guest-page-forget");
  await phone.getByRole("button", { name: t("guestPage.forget.act") }).click();
  await expect(phone.getByText(t("guestPage.forget.doneTitle"))).toBeVisible();
  expect([phone.url(), await storedLink(), await context.cookies()]).toEqual([new URL("/", link).href, null, []]);
  await expect(otherWindow.getByRole("heading", { level: 2, name: t("guestPage.proof.title") })).toBeVisible();
  await expect(otherWindow.getByText(name)).toHaveCount(0);
  await goTo(tokenOf(link));
  await expect(proof).toBeVisible();
  await expect(isName).toHaveCount(0);
  await context.close();
});

/** Opens a guest's link in a browser of its own, as wide as a phone. */
async function openOnPhone(openDesk: () => Promise<Page>, url: string, language: string): Promise<Page> {
  const phone = await openDesk();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto(url);
  await phone.evaluate((code) => localStorage.setItem("language", code), language);
  await phone.reload();
  return phone;
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true, animations: "disabled" });
}
