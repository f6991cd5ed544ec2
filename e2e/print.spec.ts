import { call, createRoom, createStay } from "./support/desk.ts";
import { expect, test } from "./support/test.ts";

test("a printed page has its content without bars, filters and buttons", async ({ page, logIn, t }) => {
  await logIn();
  await page.goto("/room");
  const board = page.locator("main");
  const around = [
    page.getByRole("navigation").first(),
    page.getByRole("link", { name: t("shell.skipToContent") }),
    page.getByRole("search").first(),
    page.getByRole("banner").first(),
  ];
  await expect(page.getByRole("search").first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  for (const part of around) await expect(part).toBeHidden();
  await expect(board).toBeVisible();
  // All rooms are printed, including those below the screen's edge, and none is cut in half at a page break.
  const cards = board.locator("li:has([data-room])");
  // Other tests create rooms meanwhile.
  await expect(async () => {
    const { rooms } = (await (await page.request.get("/api/board")).json()) as { rooms: unknown[] };
    await expect(cards).toHaveCount(rooms.length, { timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
  await expect(cards.last()).toHaveCSS("position", "static");
  // Browsers print no backgrounds, so anything shown only by a fill, or in white on a fill, is missing on paper.
  await expect(page.locator("main fieldset button[aria-pressed=true]")).toHaveCSS(
    "color",
    await board.evaluate((main) => getComputedStyle(main).color),
  );
  await expect(board.getByTitle(t("status.checked_in"), { exact: false }).first()).toBeHidden();
  const cut = await cards.evaluateAll((rooms) =>
    rooms
      .flatMap((room) => [...room.querySelectorAll("[data-states], [data-states] .truncate")])
      .filter((part) => part.scrollWidth > part.clientWidth)
      .map((part) => part.textContent),
  );
  expect(cut, "states that the edge of their card cuts").toEqual([]);
  await page.goto("/guests");
  await expect(page.getByRole("table")).toBeVisible();
  await expect(page.getByRole("search").first()).toBeHidden();
});

test("the lists of today and of housekeeping are printed whole, without the page around them", async ({
  page,
  t,
  tag,
  enter,
}) => {
  await enter();
  const long = `Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh ${tag}`;
  const roomId = await createRoom(page, tag, 10_000);
  await createStay(page, "checkIn", { roomId, guest: long });
  await page.addInitScript(() => {
    window.print = () => {
      const sheet = document.querySelector<HTMLElement>("[data-print-sheet]");
      document.documentElement.dataset.printed = sheet?.textContent ?? "";
    };
  });
  const printed = page.locator("html[data-printed]");
  const dirtyId = await createRoom(page, `${tag}D`, 10_000);
  await call(page, "mutation", "rooms.setStatus", { roomIds: [dirtyId], status: "dirty" });
  await page.goto("/home?list=inHouse");
  await page
    .getByRole("tabpanel")
    .getByRole("button", { name: t("board.print") })
    .click();
  await expect(printed).toHaveAttribute("data-printed", new RegExp(`${tag}${long}`));

  await page.goto("/room");
  await page.getByRole("button", { name: t("board.print"), exact: true }).click();
  await page.getByRole("menuitem", { name: t("board.printHousekeeping") }).click();
  await expect(printed).toHaveAttribute("data-printed", new RegExp(t("paper.housekeeping")));
  await expect(printed).toHaveAttribute("data-printed", new RegExp(`${tag}D${t("paper.dirty")}`));
});
