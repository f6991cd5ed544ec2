import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Page } from "@playwright/test";
import type { Street } from "../apps/simulators/src/locks/street.ts";
import { timeTag } from "../packages/shared/src/hour-format.ts";
import { languageOf } from "../packages/shared/src/languages.ts";
import { call, createRoom, createStay, findStay, newMac } from "./support/desk.ts";
import { connectVirtualLock } from "./support/doors.ts";
import { launchServer, type Server } from "./support/server.ts";
import { test as base, expect } from "./support/test.ts";

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
  await call(page, "mutation", "hotel.update", { ...hotel, ...texts, guestOpensDoor: true, hourFormat: "h12" });

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

  const phone = await openDesk();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto(url);
  await phone.evaluate((code) => localStorage.setItem("language", code), language);
  await phone.reload();
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

  await call(page, "mutation", "stays.checkOut", { stayId, channel: "cash" });
  await phone.reload();
  await expect(phone.getByText(t("guestPage.gone.title"))).toBeVisible();
  await expect(phone.getByText(code.slice(0, 3))).toHaveCount(0);
});

async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true, animations: "disabled" });
}
