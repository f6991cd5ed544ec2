import type { Page } from "@playwright/test";
import { readCaptcha } from "./support/database.ts";
import { call, createOperator, logInThroughApi } from "./support/desk.ts";
import { expect, OWNER, type Translate, test } from "./support/test.ts";

const logInAs = async (page: Page, t: Translate, account: string, password: string): Promise<void> => {
  await page.getByLabel(t("auth.account"), { exact: true }).fill(account);
  await page.getByLabel(t("auth.password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
};

const captchaIdOf = async (answer: { json: () => Promise<unknown> }): Promise<string> => {
  const [{ result }] = (await answer.json()) as [{ result: { data: { captchaId: string } } }];
  return result.data.captchaId;
};

const newPicture = (page: Page) => page.waitForResponse((answer) => answer.url().includes("auth.captcha"));

test("a wrong password doesn't say whether the account exists", async ({ page, t, tag, openDesk }) => {
  const { account } = await createOperator(await openDesk(OWNER), tag);
  await page.goto("/login");
  await logInAs(page, t, account, "not-the-password");
  await expect(page.getByRole("alert")).toHaveText(t("errors.credentials_wrong"));
  await logInAs(page, t, `nobody-${tag}@example.com`, "not-the-password");
  await expect(page.getByRole("alert")).toHaveText(t("errors.credentials_wrong"));
  await expect(page.getByLabel(t("auth.account"), { exact: true })).toHaveValue(`nobody-${tag}@example.com`);
  await expect(page).toHaveURL("/login");
});

test("after three failures the graphic code is required", async ({ page, t, tag, openDesk }) => {
  const { account, password } = await createOperator(await openDesk(OWNER), tag);
  await page.goto("/login");
  const code = page.getByRole("textbox", { name: t("auth.graphicCode") });
  const picture = page.getByAltText(t("auth.graphicCodeAlt"));
  for (let failures = 0; failures < 3; failures += 1) {
    const answered = page.waitForResponse((answer) => answer.url().includes("auth.login"));
    await logInAs(page, t, account, "not-the-password");
    await answered;
    await expect(page.getByRole("alert")).toHaveText(t("errors.credentials_wrong"));
    await expect(code).toBeHidden();
  }
  await logInAs(page, t, account, password);
  await expect(page.getByText(t("errors.captcha_required"))).toBeVisible();
  await expect(code).toBeFocused();
  await code.fill("abc");
  await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
  await expect(page.getByText(t("validation.graphicCode"))).toBeVisible();

  const first = await picture.getAttribute("src");
  const request = newPicture(page);
  await code.fill("0000");
  await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
  const captchaId = await captchaIdOf(await request);
  await expect(page.getByText(t("errors.captcha_wrong"))).toBeVisible();
  await expect(picture).not.toHaveAttribute("src", first ?? "");
  await expect(code).toHaveValue("");

  await code.fill(await readCaptcha(captchaId));
  await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
  await expect(page).toHaveURL("/room");
});

test("a forgotten password is reset with the code from the outbox", async ({ page, t, tag, openDesk }) => {
  const owner = await openDesk(OWNER);
  const { account, password } = await createOperator(owner, tag);
  await page.goto("/login");
  const request = newPicture(page);
  await page.getByRole("link", { name: t("auth.forgot") }).click();
  const captchaId = await captchaIdOf(await request);
  await expect(page).toHaveURL("/find");
  await page.getByLabel(t("auth.account"), { exact: true }).fill(account);
  await page.getByRole("textbox", { name: t("auth.graphicCode") }).fill(await readCaptcha(captchaId));
  await page.getByRole("button", { name: t("auth.sendCode") }).click();

  const smsCode = page.getByLabel(t("auth.smsCode"), { exact: true });
  await smsCode.fill("12345");
  await page.getByRole("button", { name: t("auth.reset") }).click();
  await expect(page.getByText(t("validation.smsCode"))).toBeVisible();
  await page.getByLabel(t("auth.newPassword"), { exact: true }).fill(`new-${password}`);
  await page.getByLabel(t("auth.confirmPassword"), { exact: true }).fill(`new-${password}`);
  await smsCode.fill("000000");
  await page.getByRole("button", { name: t("auth.reset") }).click();
  await expect(page.getByText(t("errors.code_wrong"))).toBeVisible();

  await owner.goto("/outbox");
  const message = owner.getByRole("listitem").filter({ hasText: account });
  await smsCode.fill((await message.getByText(/^\d{6}$/).textContent()) ?? "");
  await page.getByRole("button", { name: t("auth.reset") }).click();
  await expect(page.getByText(t("auth.resetDone"))).toBeVisible();
  await expect(page).toHaveURL("/login");

  await logInAs(page, t, account, password);
  await expect(page.getByRole("alert")).toHaveText(t("errors.credentials_wrong"));
  await logInAs(page, t, account, `new-${password}`);
  await expect(page).toHaveURL("/room");
});

test("a form that is sent before its picture has arrived waits for it", async ({ page, t, tag }) => {
  let sendPicture = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    sendPicture = resolve;
  });
  await page.route(/auth\.captcha/, (route) => released.then(() => route.continue()));
  await page.goto("/find");
  await page.getByLabel(t("auth.account"), { exact: true }).fill(`nobody-${tag}@example.com`);
  await page.getByRole("textbox", { name: t("auth.graphicCode") }).fill("0000");
  await page.getByRole("button", { name: t("auth.sendCode") }).click();
  await expect(page.getByAltText(t("auth.graphicCodeAlt"))).toBeHidden();
  sendPicture();
  await expect(page.getByText(t("errors.captcha_wrong"))).toBeVisible();
});

test("a wrong graphic code sends nothing", async ({ page, t, tag }) => {
  await page.goto("/find");
  await page.getByLabel(t("auth.account"), { exact: true }).fill(`nobody-${tag}@example.com`);
  await page.getByRole("textbox", { name: t("auth.graphicCode") }).fill("0000");
  await page.getByRole("button", { name: t("auth.sendCode") }).click();
  await expect(page.getByText(t("errors.captcha_wrong"))).toBeVisible();
  await expect(page.getByLabel(t("auth.account"), { exact: true })).toHaveValue(`nobody-${tag}@example.com`);
  await expect(page.getByLabel(t("auth.smsCode"), { exact: true })).toBeHidden();
});

test("a frozen operator is refused", async ({ page, t, tag, openDesk }) => {
  const owner = await openDesk(OWNER);
  const { operatorId, account, password } = await createOperator(owner, tag);
  await call(owner, "mutation", "staff.freeze", { operatorId, frozen: true });
  await page.goto("/login");
  await logInAs(page, t, account, password);
  await expect(page.getByRole("alert")).toHaveText(t("errors.frozen"));
});

test("a changed password is valid at once and ends the other sessions", async ({ page, t, tag, enter, openDesk }) => {
  const { account, password } = await createOperator(await openDesk(OWNER), tag);
  const elsewhere = await openDesk(account, password);
  await enter(account, password);
  await page.goto("/user/changePsw");
  const field = (name: string) => page.getByLabel(t(`auth.${name}`), { exact: true });
  const save = page.getByRole("button", { name: t("auth.savePassword") });

  await field("oldPassword").fill("not-the-password");
  await field("newPassword").fill("sixsix");
  await field("confirmPassword").fill("sixsix");
  await save.click();
  await expect(page.getByText(t("validation.password"))).toBeVisible();
  await field("newPassword").fill("noon-77");
  await save.click();
  await expect(page.getByText(t("validation.passwordsDiffer"))).toBeVisible();
  await field("confirmPassword").fill("noon-77");
  await save.click();
  await expect(page.getByText(t("validation.oldPassword"))).toBeVisible();
  await expect(field("newPassword")).toHaveValue("noon-77");
  await field("oldPassword").fill(password);
  for (const [guessed, reason] of [
    ["Password1", "passwordCommon"],
    ["Messing2026", "passwordKnown"],
  ] as const) {
    await field("newPassword").fill(guessed);
    await field("confirmPassword").fill(guessed);
    await save.click();
    await expect(field("newPassword")).toHaveAccessibleDescription(t(`validation.${reason}`));
  }
  await field("newPassword").fill("noon-77");
  await field("confirmPassword").fill("noon-77");
  await save.click();
  await expect(page.getByText(t("auth.changed"))).toBeVisible();

  await page.reload();
  await expect(page).toHaveURL("/user/changePsw");
  await elsewhere.goto("/guests");
  await expect(elsewhere).toHaveURL(/\/login\?/);
  await expect(logInThroughApi(elsewhere, account, password)).rejects.toThrow("credentials_wrong");
  await logInThroughApi(elsewhere, account, "noon-77");
});
