import type { CDPSession, Page } from "@playwright/test";
import { codeAt } from "../../apps/server/test/harness/authenticator.ts";
import { expireProof } from "../support/database.ts";
import { call, createOperator } from "../support/desk.ts";
import { launchServer } from "../support/server.ts";
import { expect, OWNER, type Translate, test } from "../support/test.ts";

const STEP_MS = 30_000;
/** Returns the code of the next time step: each code is accepted once, and one step early is allowed. */
const nextCode = (secret: string): string => codeAt(secret, new Date(Date.now() + STEP_MS));

async function logIn(page: Page, t: Translate, account: string, password: string): Promise<void> {
  await page.getByLabel(t("auth.account"), { exact: true }).fill(account);
  await page.getByLabel(t("auth.password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
}

/**
 * Sets up an authenticator app on the page's card and returns its secret; the dialog with the recovery codes is then
 * open.
 */
async function setUpApp(page: Page, t: Translate): Promise<string> {
  await page.getByRole("button", { name: t("twoStep.setUp"), exact: true }).click();
  await expect(page.getByRole("img", { name: t("twoStep.qr") })).toBeVisible();
  const secret = ((await page.getByTestId("secret").textContent()) ?? "").replace(/\s/g, "");
  await page.getByLabel(t("twoStep.code"), { exact: true }).fill(codeAt(secret, new Date()));
  await page.getByRole("button", { name: t("twoStep.confirm"), exact: true }).click();
  await expect(page.getByText(t("twoStep.codesOnce"))).toBeVisible();
  return secret;
}

test("login asks for an app's code, or a single-use recovery code, after the password", async ({
  page,
  t,
  tag,
  enter,
  openDesk,
  expectAccessible,
}) => {
  const { account, password } = await createOperator(await openDesk(OWNER), tag);
  await enter(account, password);
  await page.goto("/center/personalCenter");
  const secret = await setUpApp(page, t);
  const codes = await page.getByTestId("recovery-code").allTextContents();
  expect(codes).toHaveLength(10);
  await expectAccessible();
  await page.getByRole("button", { name: t("twoStep.codesKept") }).click();
  await expect(page.getByText(t("twoStep.on"), { exact: true })).toBeVisible();
  await expectAccessible();

  const other = await openDesk();
  await other.goto("/login");
  await logIn(other, t, account, password);
  const code = other.getByLabel(t("twoStep.code"), { exact: true });
  await expect(code).toBeFocused();
  await code.fill(nextCode(secret) === "000000" ? "000001" : "000000");
  await expect(other.getByRole("alert")).toHaveText(t("errors.code_wrong"));
  await code.fill(nextCode(secret));
  await expect(other).toHaveURL(/\/room$/);

  const third = await openDesk();
  for (const [index, spare] of [codes[0], codes[0]].entries()) {
    await third.goto("/login");
    await logIn(third, t, account, password);
    await third.getByRole("button", { name: t("twoStep.useRecoveryCode") }).click();
    await third.getByLabel(t("twoStep.recoveryCode"), { exact: true }).fill(spare ?? "");
    await third.getByRole("button", { name: t("twoStep.confirm"), exact: true }).click();
    if (index === 0) {
      await expect(third).toHaveURL(/\/room$/);
      await call(third, "mutation", "auth.logout", undefined);
    } else await expect(third.getByRole("alert")).toHaveText(t("errors.code_wrong"));
  }

  await page.getByRole("button", { name: t("twoStep.remove"), exact: true }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("twoStep.remove"), exact: true })
    .click();
  await expect(page.getByText(t("twoStep.appRemoved"))).toBeVisible();
  await third.goto("/login");
  await logIn(third, t, account, password);
  await expect(third).toHaveURL(/\/room$/);
});

async function withAuthenticator(page: Page): Promise<CDPSession> {
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return device;
}

/** Returns a URL of the same server by host name, because passkeys need one. */
const localhostUrl = (path: string): string =>
  `${(process.env.E2E_URL ?? "").replace("127.0.0.1", "localhost")}${path}`;

/** Logs in and starts to add a first passkey; its dialog is then open. */
async function beginPasskey(page: Page, t: Translate, account: string, password: string): Promise<void> {
  await page.goto(localhostUrl("/login"));
  await logIn(page, t, account, password);
  await expect(page).toHaveURL(/\/room$/);
  await page.goto(localhostUrl("/center/personalCenter"));
  await page.getByRole("button", { name: t("twoStep.addPasskey"), exact: true }).click();
}

test("a passkey is added, logs in beside the password and without it, and is removed", async ({
  page,
  t,
  tag,
  openDesk,
  expectAccessible,
}) => {
  const { account, password } = await createOperator(await openDesk(OWNER), tag);
  await withAuthenticator(page);
  await beginPasskey(page, t, account, password);
  await page.getByLabel(t("twoStep.passkeyName"), { exact: true }).fill(`Key ${tag}`);
  await page.getByRole("button", { name: t("twoStep.createPasskey"), exact: true }).click();
  await page.getByRole("button", { name: t("twoStep.codesKept") }).click();
  await expect(page.getByText(`Key ${tag}`, { exact: true })).toBeVisible();
  await expectAccessible();

  await page.context().clearCookies();
  await page.goto(localhostUrl("/login"));
  await expectAccessible();
  await logIn(page, t, account, password);
  const use = page.getByRole("button", { name: t("twoStep.usePasskey"), exact: true });
  await expect(use).toBeVisible();
  await expectAccessible();
  await use.click();
  await expect(page).toHaveURL(/\/room$/);

  await page.context().clearCookies();
  await page.goto(localhostUrl("/login"));
  await page.getByRole("button", { name: t("auth.passkeyLogin") }).click();
  await expect(page).toHaveURL(/\/room$/);

  await page.goto(localhostUrl("/center/personalCenter"));
  await page.getByRole("button", { name: t("twoStep.renameOf", { name: `Key ${tag}` }) }).click();
  await page.getByLabel(t("twoStep.passkeyName"), { exact: true }).fill(`Ring ${tag}`);
  await page.getByRole("button", { name: t("common.save"), exact: true }).click();
  await page.getByRole("button", { name: t("twoStep.removeOf", { name: `Ring ${tag}` }) }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("twoStep.remove"), exact: true })
    .click();
  await expect(page.getByText(t("twoStep.passkeyRemoved"))).toBeVisible();
});

test("security settings ask for confirmation again, by passkey or password", async ({
  page,
  t,
  tag,
  openDesk,
  expectAccessible,
  picture,
}) => {
  const { account, password, operatorId } = await createOperator(await openDesk(OWNER), tag);
  await withAuthenticator(page);
  await beginPasskey(page, t, account, password);
  await page.getByRole("button", { name: t("twoStep.createPasskey"), exact: true }).click();
  await page.getByRole("button", { name: t("twoStep.codesKept") }).click();

  const newCodes = page.getByRole("button", { name: t("twoStep.newCodes"), exact: true });
  const proof = page.getByRole("dialog", { name: t("twoStep.proofTitle") });
  const askForCodes = async (): Promise<void> => {
    await expireProof(operatorId);
    await newCodes.click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: t("twoStep.newCodes"), exact: true })
      .click();
    await expect(proof).toBeVisible();
  };
  await askForCodes();
  await expectAccessible();
  await picture("proof");
  await proof.getByRole("button", { name: t("twoStep.usePasskey"), exact: true }).click();
  await expect(page.getByText(t("twoStep.codesOnce"))).toBeVisible();
  await page.getByRole("button", { name: t("twoStep.codesKept") }).click();

  await askForCodes();
  await proof.getByLabel(t("auth.password"), { exact: true }).fill(password);
  await proof.getByRole("button", { name: t("twoStep.confirm"), exact: true }).click();
  await expect(page.getByText(t("twoStep.codesOnce"))).toBeVisible();
});

test("an owner resets the second factor of a member who has lost it", async ({ page, t, tag, enter, openDesk }) => {
  await enter();
  const { account, password, name } = await createOperator(page, tag);
  const colleague = await openDesk(account, password);
  await colleague.goto("/center/personalCenter");
  await setUpApp(colleague, t);
  await page.goto("/staff");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row.getByText(t("twoStep.on"), { exact: true })).toBeVisible();
  await row.getByRole("button", { name: t("common.actions"), exact: false }).click();
  await page.getByRole("menuitem", { name: t("staff.resetTwoStep") }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("staff.resetTwoStep"), exact: true })
    .click();
  await expect(page.getByText(t("staff.resetTwoStepDone", { name }))).toBeVisible();
  const again = await openDesk();
  await again.goto("/login");
  await logIn(again, t, account, password);
  await expect(again).toHaveURL(/\/room$/);
});

test("a hotel that requires a second factor sends everybody to set it up first", async ({
  page,
  t,
  expectAccessible,
}) => {
  const server = await launchServer({ args: ["--empty"] });
  try {
    const owner = { name: "Ann", account: "ann@example.com", password: "brass-key" };
    const at = (path: string): string => `${server.url}${path}`;
    const headers = { "x-innkey": "1", "content-type": "application/json" };
    const post = (name: string, data: unknown) => page.request.post(at(`/api/trpc/${name}`), { headers, data });
    const hotel = { name: "Harbour", timeZone: "Europe/Berlin", currency: "EUR" };
    expect((await post("setup.create", { hotel, owner })).ok()).toBe(true);
    await page.goto(at("/hotel"));
    await page.getByRole("radio", { name: t("hotel.twoStepPolicy.everyone") }).click();
    await page.getByRole("button", { name: t("common.save"), exact: true }).click();
    await expect(page).toHaveURL(/\/two-step/);
    await expect(page.getByRole("heading", { name: t("twoStep.dueTitle") })).toBeVisible();
    await page.goto(at("/guests"));
    await expect(page).toHaveURL(/\/two-step/);
    await expectAccessible();
    const secret = await setUpApp(page, t);
    await page.getByRole("button", { name: t("twoStep.codesKept") }).click();
    await page.getByRole("button", { name: t("twoStep.goOn") }).click();
    await expect(page).toHaveURL(/\/guests$/);
    await expect(page.getByRole("heading", { level: 1, name: t("nav.guests") })).toBeVisible();

    await page.context().clearCookies();
    await page.goto(at("/login"));
    await logIn(page, t, owner.account, owner.password);
    await page.getByLabel(t("twoStep.code"), { exact: true }).fill(nextCode(secret));
    await expect(page).toHaveURL(/\/room$/);
  } finally {
    // The board is still loading data after its rooms.
    await page.goto("about:blank");
    await server.stop();
  }
});
