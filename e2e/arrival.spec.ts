import type { Page } from "@playwright/test";
import { PAGE_CALLS, SESSION_CALL } from "../apps/web/src/lib/loading/early-calls.ts";
import { createRoom, createStay, findStay, withholdChanges } from "./support/desk.ts";
import { expect, test } from "./support/test.ts";

test("the frame of the page is painted before any script of the console is there", async ({ page, enter, picture }) => {
  await enter();
  await page.route("**/assets/*.js", () => undefined);
  await page.goto("/room", { waitUntil: "commit" });
  await expect(page.locator("#shell .frame")).toBeVisible();
  await expect(page.locator("#shell .door")).toBeHidden();
  const painted = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
  await expect.poll(painted).toBe(1);
  await picture("frame");
});

test("a visitor without a session sees the frame of the login, in the chosen language's direction", async ({
  page,
  picture,
}) => {
  await page.route("**/assets/*.js", () => undefined);
  await page.addInitScript(() => localStorage.setItem("language", "Arabic"));
  await page.goto("/room", { waitUntil: "commit" });
  await expect(page.locator("#shell .door")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await picture("door");
});

/** Creates a room with a guest, and returns the number of one of them. */
async function createSubject(page: Page, name: string, tag: string): Promise<number> {
  const roomId = await createRoom(page, tag, 10_000);
  await createStay(page, "checkIn", { roomId, guest: `Ada ${tag}` });
  return name === "roomId" ? roomId : ((await findStay(page, `Ada ${tag}`)).guests[0]?.stayGuestId ?? 0);
}

const PHONE = { width: 390, height: 844 };
const CALLS = Object.entries(PAGE_CALLS).flatMap(([path, call]) =>
  typeof call === "string"
    ? [{ path, call }]
    : [
        { path, call: call.wide },
        { path, call: call.narrow, isNarrow: true },
      ],
);

for (const { path, call, isNarrow = false } of CALLS) {
  const place = isNarrow ? `${path} on a phone` : path;
  test(`${place} takes up the answers that were requested before its code was there`, async ({ page, tag, enter }) => {
    if (isNarrow) await page.setViewportSize(PHONE);
    await enter();
    await withholdChanges(page);
    const [, name] = /\{(\w+)\}/.exec(call) ?? [];
    const number = name === undefined ? "" : String(await createSubject(page, name, tag));
    const early = call.replace(`{${name}}`, number);
    const address =
      name === undefined ? path : path.includes("$") ? path.replace(`$${name}`, number) : `${path}?${name}=${number}`;
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url().slice(new URL(request.url()).origin.length)));
    const answered = page.waitForResponse((response) => response.url().endsWith(early));
    await page.goto(address);
    await answered;
    await expect(page.locator("main h1")).toBeVisible();
    await expect.poll(() => page.evaluate(() => [...(globalThis.earlyCalls?.keys() ?? [])])).toEqual([]);
    for (const url of [SESSION_CALL, early]) expect(requested.filter((one) => one === url)).toHaveLength(1);
    expect(requested.filter((url) => /^\/api\/trpc\/(auth\.status|.*\bauth\.status\b)/.test(url))).toHaveLength(1);
  });
}

test("a browser without Temporal gets it with the page", async ({ page, enter }) => {
  await enter();
  await page.addInitScript(() => {
    delete (globalThis as { Temporal?: object }).Temporal;
  });
  await page.goto("/timeline");
  await expect(page.locator("[data-bar]").first()).toBeVisible();
});

test("the console can be installed", async ({ page, enter }) => {
  await enter();
  await page.goto("/room");
  const devtools = await page.context().newCDPSession(page);
  const { url, errors } = await devtools.send("Page.getAppManifest");
  expect(url).toMatch(/\/manifest\.webmanifest$/);
  expect(errors).toEqual([]);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Tests run in private windows, which install nothing.
  const problems = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
  expect(problems).toEqual([]);
  for (const icon of ["icon-192", "icon-512", "icon-maskable-512", "apple-touch-icon"]) {
    const answer = await page.request.get(`/icons/${icon}.png`);
    expect(answer.headers()["content-type"]).toBe("image/png");
  }
});
