import { launchServer, type Server } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

/** From an empty system to the first guest, as done by the person who has just installed it. */
const empty = test.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      const server = await launchServer({ args: ["--empty"] });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});

empty("an empty system is set up, and its first guest checks in", async ({ page, t, picture, openDesk }) => {
  await page.goto("/room");
  await expect(page).toHaveURL("/setup");
  const create = page.getByRole("button", { name: t("setup.create") });
  const choose = async (name: string, text: string): Promise<void> => {
    await page.getByRole("combobox", { name, exact: true }).click();
    await page.getByRole("combobox", { name: t("common.search") }).fill(text);
    await page.keyboard.press("Enter");
  };
  await page.getByLabel(t("setup.hotelName"), { exact: true }).fill("Hotel Genesis");
  await choose(t("setup.timeZone"), "Europe/Lisbon");
  // The currency of the zone's country is chosen already.
  await expect(page.getByRole("combobox", { name: t("setup.currency"), exact: true })).toContainText("Euro");
  await page.getByLabel(t("setup.ownerName"), { exact: true }).fill("Eve");
  await page.getByLabel(t("setup.ownerAccount"), { exact: true }).fill("eve@example.com");
  await page.getByLabel(t("setup.password"), { exact: true }).fill("short6");
  await create.click();
  await expect(page.getByText(t("validation.password"))).toBeVisible();
  await page.getByLabel(t("setup.password"), { exact: true }).fill("Hotel Genesis 1");
  await create.click();
  await expect(page.getByText(t("validation.passwordKnown"))).toBeVisible();
  await page.getByLabel(t("setup.password"), { exact: true }).fill("first-light");
  await picture("1-setup");
  await create.click();
  await expect(page).toHaveURL("/getReady");
  const menu = page.getByRole("navigation", { name: t("shell.mainMenu") });
  await expect(menu.getByRole("link", { name: t("nav.getReady") })).toBeVisible();
  const next = page.locator("li[aria-current=step]");
  await expect(next).toContainText(t("getReady.step.rooms"));
  await picture("2-get-ready");
  await page.goto("/room");
  await expect(page.getByText(t("board.noRooms"))).toBeVisible();
  await picture("2-empty-board");
  // Without rooms, an owner sees no advice to ask for rooms, because there is no one else to ask.
  await page.goto("/timeline");
  await expect(page.getByText(t("board.noRoomsText"))).toBeVisible();
  await expect(page.getByText(t("board.noRoomsGranted"))).toHaveCount(0);
  await page
    .getByRole("main")
    .getByRole("link", { name: t("nav.rooms"), exact: true })
    .click();
  await expect(page).toHaveURL("/room");

  const stranger = await openDesk();
  await stranger.goto("/setup");
  await expect(stranger).toHaveURL("/login");
  await page.goto("/setup");
  await expect(page).not.toHaveURL("/setup");

  const dialog = page.getByRole("dialog");
  await page.goto("/getReady");
  await page.getByRole("button", { name: t("getReady.act.rooms") }).click();
  await dialog.getByLabel(t("roomSeries.numbers"), { exact: true }).fill("101–120, 201");
  await dialog.getByRole("combobox", { name: t("groups.one") }).click();
  await page.getByRole("combobox", { name: t("roomSeries.findGroup") }).fill("Double");
  await page.keyboard.press("Enter");
  await dialog.getByLabel(t("prices.usual"), { exact: true }).fill("95");
  await expect(dialog.getByRole("region", { name: t("roomSeries.preview") })).toContainText("101–120");
  await picture("3-room-series");
  await dialog.getByRole("button", { name: t("roomSeries.create") }).click();
  // Rooms and prices are done at once, and the list goes on with the card reader.
  await expect(next).toContainText(t("getReady.step.reader"));
  await picture("3-get-ready");
  await page.goto("/room");
  await expect(page.getByRole("heading", { name: "Double" })).toBeVisible();
  await expect(page.getByText("201", { exact: true }).first()).toBeVisible();

  // A number that is taken is named before anything is sent, and nothing is created.
  const addRoom = page.getByRole("button", { name: t("board.addRoom"), exact: true });
  await addRoom.click();
  await dialog.getByRole("button", { name: t("room.severalAtOnce") }).click();
  await dialog.getByLabel(t("roomSeries.numbers"), { exact: true }).fill("119–122");
  await expect(dialog).toContainText(t("roomSeries.taken", { names: "119–120" }));
  await dialog.getByRole("button", { name: t("roomSeries.create") }).click();
  await expect(dialog).toContainText(t("validation.roomsTaken", { names: "119, 120" }));
  await dialog.getByLabel(t("roomSeries.numbers"), { exact: true }).fill("121–122");
  await dialog.getByRole("button", { name: t("roomSeries.create") }).click();
  await expect(dialog).toHaveCount(0);

  await addRoom.click();
  await dialog.getByLabel(t("room.name"), { exact: true }).fill("1");
  await dialog.getByRole("combobox", { name: t("groups.one") }).click();
  await page.getByRole("option", { name: "Double" }).click();
  await dialog.getByRole("button", { name: t("room.create") }).click();
  await expect(page).toHaveURL(/\/room\/\d+\?tab=prices/);

  await page.getByLabel(t("prices.usual"), { exact: true }).fill("80");
  await page.getByLabel(t("prices.weekend"), { exact: true }).fill("80");
  await page.getByRole("button", { name: t("prices.save_one") }).click();
  await expect(page.getByText(t("prices.saved_one"))).toBeVisible();

  await page.goto("/room");
  await page
    .getByRole("button", { name: t("board.actionInRoom", { action: t("board.checkIn"), room: "1" }), exact: true })
    .click();
  await dialog.getByRole("combobox", { name: t("guest.name"), exact: true }).fill("Adam");
  const submit = dialog.locator("button[type=submit]");
  // The price has loaded; with payment later, nothing is due now.
  await expect(dialog).toContainText("80");
  await submit.click();
  await expect(page.getByText(t("stay.checkedInDone", { guest: "Adam", room: "1" }))).toBeVisible();
  await picture("4-first-guest");

  await page.goto("/getReady");
  await page.getByRole("button", { name: t("getReady.close") }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("getReady.close") })
    .click();
  await expect(page).toHaveURL("/room");
  await expect(menu.getByRole("link", { name: t("nav.getReady") })).toHaveCount(0);
});
