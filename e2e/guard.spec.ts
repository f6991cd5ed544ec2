import { LANGUAGES } from "../packages/shared/src/languages.ts";
import { call } from "./support/desk.ts";
import { expect, OWNER, test } from "./support/test.ts";
import { textsIn } from "./support/texts.ts";

/** Access to pages, and the frame around every page (source: the product specification, section 2). */
const redirectOf = (url: string): string | null => new URL(url).searchParams.get("redirect");

test("without a session every page redirects to the login, and the login back to the page", async ({ page, t }) => {
  for (const target of ["/room", "/customer/customer", "/user/changePsw", "/staff", "/nowhere"]) {
    await page.goto(target);
    await expect(page).toHaveURL(/\/login\?/);
    expect(redirectOf(page.url())).toBe(target);
  }
  await page.goto("/guests?state=in");
  await expect(page).toHaveTitle(`${t("nav.login")} · ${t("common.siteName")}`);
  await page.getByLabel(t("auth.account"), { exact: true }).fill(OWNER);
  await page.getByLabel(t("auth.password"), { exact: true }).fill(process.env.E2E_PASSWORD ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/guests?state=in");
  await expect(page.getByRole("heading", { level: 1, name: t("nav.guests") })).toBeVisible();
});

test("a redirect to another site is not followed", async ({ page, t }) => {
  await page.goto("/login?redirect=//example.com/room");
  await page.getByLabel(t("auth.account"), { exact: true }).fill(OWNER);
  await page.getByLabel(t("auth.password"), { exact: true }).fill(process.env.E2E_PASSWORD ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/room");
});

test("public pages stay public", async ({ page, t }) => {
  const pages = { "/login": "nav.login", "/find": "nav.find", "/404": "nav.notFound" };
  for (const [path, title] of Object.entries(pages)) {
    await page.goto(path);
    await expect(page).toHaveTitle(`${t(title)} · ${t("common.siteName")}`);
    await expect(page).toHaveURL(path);
  }
});

test("with a session pages redirect as specified", async ({ page, enter }) => {
  await enter();
  const targets = {
    "/login": "/room",
    "/": "/customer/customer",
    "/customer": "/customer/customer",
    "/user": "/user/changePsw",
    "/nowhere": "/404",
    "/room/no-number": "/404",
    "/thirdPartyAuthorization?tab=webhooks": "/thirdPartyAuthorization/thirdPartyAuthorization?tab=webhooks",
    "/customer?q=Harbour": "/customer/customer?q=Harbour",
  };
  for (const [path, target] of Object.entries(targets)) {
    await page.goto(path);
    await expect(page, path).toHaveURL(target);
  }
});

test("an address of nothing keeps the menu, says what is missing, and leads back", async ({ page, t, enter }) => {
  await enter();
  const menu = page.getByRole("complementary").getByRole("navigation", { name: t("shell.mainMenu") });
  const pages = {
    "/room/999999": ["room", "nav.rooms", "/room"],
    "/room/thetouristsDetails?id=999999": ["guest", "nav.guests", "/guests"],
    "/locks/999999": ["lock", "nav.locks", "/locks"],
    "/customer/customer/999999": ["customer", "nav.customers", "/customer/customer"],
    "/doors/entered?stay=999999": ["stay", "nav.doorRecords", "/doors"],
  } as const;
  for (const [path, [subject, list, back]] of Object.entries(pages)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(t(`shell.missing.${subject}`));
    await expect(menu).toBeVisible();
    await page.getByRole("link", { name: t("shell.backTo", { page: t(list) }) }).click();
    await expect(page, path).toHaveURL(back);
  }
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("shell.notFoundTitle"));
  await expect(menu).toBeVisible();
});

test("the title is that of the route, and a room's page has the room's name", async ({ page, t, enter }) => {
  await enter();
  const titles = { "/room": "nav.rooms", "/guests": "nav.guests", "/orders": "nav.folio", "/audit": "nav.audit" };
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(path);
    await expect(page).toHaveTitle(`${t(title)} · ${t("common.siteName")}`);
  }
  await page.goto("/room/1");
  await expect(page).toHaveTitle(`${t("board.roomNamed", { name: "101" })} · ${t("common.siteName")}`);
  const crumbs = page.getByRole("navigation", { name: t("shell.breadcrumb") });
  await crumbs.getByRole("link", { name: t("nav.rooms") }).click();
  await expect(page).toHaveURL("/room");
});

test("the sidebar collapses, and a cookie remembers it", async ({ page, t, enter, context }) => {
  await enter();
  await page.goto("/orders");
  const sidebar = page.getByRole("complementary");
  const width = async (): Promise<number> => Math.round((await sidebar.boundingBox())?.width ?? 0);
  const sidebarCookie = async (): Promise<string | undefined> =>
    (await context.cookies()).find(({ name }) => name === "sidebarStatus")?.value;
  await expect.poll(width).toBe(210);
  await page.getByRole("button", { name: t("shell.closeMenu") }).click();
  await expect.poll(width).toBe(64);
  await expect.poll(sidebarCookie).toBe("0");
  await page.reload();
  await expect.poll(width).toBe(64);
  await expect(sidebar.getByRole("link", { name: t("nav.guests") })).toBeVisible();
  await page.getByRole("button", { name: t("shell.openMenu") }).click();
  await expect.poll(width).toBe(210);
  await expect.poll(sidebarCookie).toBe("1");
});

test("below 992 px the menu is a drawer, and it is closed after the window narrows", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/orders");
  const menu = page.getByRole("navigation", { name: t("shell.mainMenu") });
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 991, height: 800 });
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: t("shell.openMenu") }).click();
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 992, height: 800 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: t("shell.openMenu") }).click();
  await menu.getByRole("link", { name: t("nav.guests") }).click();
  await expect(page).toHaveURL("/guests");
  await expect(menu).toBeHidden();
});

test("choosing a language saves it, reloads the page and sets its direction", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/guests");
  const root = page.locator("html");
  await expect(root).toHaveAttribute("lang", "en-GB");
  await expect(root).toHaveAttribute("dir", "ltr");
  await page.getByRole("button", { name: t("shell.languageIs", { name: "English" }) }).click();
  await page.getByRole("menuitemradio", { name: "العربية" }).click();
  await expect(root).toHaveAttribute("lang", "ar");
  await expect(root).toHaveAttribute("dir", "rtl");
  const arabic = textsIn("Arabic");
  await expect(page).toHaveTitle(`${arabic("nav.guests")} · ${arabic("common.siteName")}`);
  expect(await page.evaluate(() => localStorage.getItem("language"))).toBe("Arabic");
  const sidebarEnd = async (): Promise<number> => {
    const box = await page.getByRole("complementary").boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  await expect.poll(sidebarEnd).toBe(page.viewportSize()?.width);
});

test("each of the twelve languages shows its own texts", async ({ page }) => {
  await page.goto("/login");
  for (const { code, tag, dir } of LANGUAGES) {
    await page.evaluate((language) => localStorage.setItem("language", language), code);
    await page.reload();
    const t = textsIn(code);
    await expect(page).toHaveTitle(`${t("nav.login")} · ${t("common.siteName")}`);
    await expect(page.locator("html")).toHaveAttribute("lang", tag);
    await expect(page.locator("html")).toHaveAttribute("dir", dir);
    await expect(page.getByRole("heading", { level: 1, name: t("auth.loginTitle") })).toBeVisible();
  }
});

test("signing out ends the session and remembers the page", async ({ page, t, enter }) => {
  await enter();
  await page.goto("/guests?state=in");
  const { session } = await call<{ session: { name: string } }>(page, "query", "auth.status", undefined);
  await page.getByRole("button", { name: t("shell.userMenu", { name: session.name }) }).click();
  await expect(page.getByRole("menuitem", { name: t("shell.home") })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: t("shell.changePassword") })).toBeVisible();
  await page.getByRole("menuitem", { name: t("shell.signOut") }).click();
  await expect(page).toHaveURL(/\/login\?/);
  expect(redirectOf(page.url())).toBe("/guests?state=in");
  await page.goto("/room");
  await expect(page).toHaveURL(/\/login\?/);
});

test("light and dark follow the system until one is chosen, and the choice is remembered", async ({
  page,
  t,
  enter,
}) => {
  await enter();
  await page.goto("/orders");
  const root = page.locator("html");
  const choose = async (theme: string): Promise<void> => {
    await page.getByRole("button", { name: t("shell.theme") }).click();
    await page.getByRole("menuitemradio", { name: t(`shell.${theme}`) }).click();
  };
  await expect(root).toHaveAttribute("data-theme", "light");
  await choose("themeDark");
  await expect(root).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(root).toHaveAttribute("data-theme", "dark");
  await choose("themeSystem");
  await expect(root).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(root).toHaveAttribute("data-theme", "dark");
});
