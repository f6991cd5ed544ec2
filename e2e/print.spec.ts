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
  const { rooms } = (await (await page.request.get("/api/board")).json()) as { rooms: unknown[] };
  const cards = board.locator("li:has([data-room])");
  await expect(cards).toHaveCount(rooms.length);
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
