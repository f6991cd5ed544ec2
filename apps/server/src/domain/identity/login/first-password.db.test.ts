import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gatewayProgram } from "../../../../test/clients/gateway-client.ts";
import { manageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, entered, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";
import { withPasskey } from "../../../../test/harness/two-step.ts";
import { translator } from "../../../kernel/translate.ts";
import { addOwner } from "../staff/members.ts";
import * as drawing from "./captcha-drawing.ts";

/** With a password that a colleague set, the console lets a person only choose another one. */

let server: TestServer;
let hotel: TestHotel;
let ownerDesk: Browser;

const FIRST_PASSWORD = TEST_PASSWORD;
const account = "13712345678";
const newPassword = (password: string) => ({ oldPassword: FIRST_PASSWORD, password, confirmPassword: password });

beforeEach(async () => {
  server = await createTestServer();
  hotel = await server.createHotel({ name: "Harbour" });
  ownerDesk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
});
afterEach(() => server.close());

const hire = (): Promise<{ operatorId: number }> =>
  ownerDesk.api.staff.save.mutate({
    ...{ name: "Clara", account, password: FIRST_PASSWORD, role: "staff" as const },
    capabilities: ["rooms.view", "hotel.view"],
  });

async function loggedIn(password = FIRST_PASSWORD): Promise<Browser> {
  const visitor = server.visitor();
  expect(await visitor.api.auth.login.mutate({ account, password })).toEqual({ next: "duty", due: "password" });
  return visitor;
}

it("a new member of staff can do nothing before choosing a password, on every route of the console", async () => {
  const { operatorId } = await hire();
  const clerk = await loggedIn();
  const { api } = clerk;
  const acts = [
    () => api.auth.me.query(),
    () => api.rooms.page.query({}),
    () => api.auth.sessions.query(),
    () => api.auth.saveProfile.mutate({ name: "x", avatarFileId: null }),
    () => api.auth.switchHotel.mutate({ hotelId: hotel.id }),
    () => api.twoStep.state.query(),
    () => api.twoStep.beginTotp.mutate(),
  ];
  for (const act of acts) expect((await failure(act())).code).toBe("password_due");
  for (const path of ["/api/board", "/api/events", "/files/00000000-0000-4000-8000-000000000000"]) {
    const response = await clerk.http("GET", path);
    expect([response.statusCode, response.json().code], path).toEqual([403, "password_due"]);
  }
  const due = { setupNeeded: false, session: null, due: "password" };
  expect(await api.auth.status.query()).toEqual(due);

  const same = await failure(api.auth.changePassword.mutate(newPassword(FIRST_PASSWORD)));
  expect(same).toMatchObject({ code: "invalid_input", fields: { password: { key: "validation.passwordSame" } } });
  expect(await api.auth.status.query()).toEqual(due);
  await api.auth.changePassword.mutate(newPassword("one of her own"));
  expect((await api.auth.me.query()).operatorId).toBe(operatorId);
  expect(await api.auth.status.query()).toMatchObject({ session: { operatorId }, due: null });
  const again = await server.visitor().api.auth.login.mutate({ account, password: "one of her own" });
  expect(entered(again).operatorId).toBe(operatorId);
});

it("choosing a password also requires the current one", async () => {
  await hire();
  const { api } = await loggedIn();
  const wrong = { ...newPassword("one of her own"), oldPassword: "a guess" };
  expect((await failure(api.auth.changePassword.mutate(wrong))).code).toBe("credentials_wrong");
  expect((await api.auth.status.query()).due).toBe("password");
});

it("somebody who does not want to choose can sign out", async () => {
  await hire();
  const clerk = await loggedIn();
  const { cookie } = clerk;
  await clerk.api.auth.logout.mutate();
  clerk.cookie = cookie;
  expect((await failure(clerk.api.auth.changePassword.mutate(newPassword("one of her own")))).code).toBe(
    "session_revoked",
  );
});

describe("a reset password", () => {
  it("set by a colleague must be replaced; one chosen or recovered in person need not be", async () => {
    const { operatorId } = await hire();
    const setByOther = async () =>
      (await server.database.prisma.operator.findUniqueOrThrow({ where: { id: operatorId } })).passwordSetByOther;
    await (await loggedIn()).api.auth.changePassword.mutate(newPassword("one of her own"));
    expect(await setByOther()).toBe(false);
    const form = { operatorId, name: "Clara", account, role: "staff" } as const;
    await ownerDesk.api.staff.save.mutate(form);
    expect(await setByOther()).toBe(false);
    await ownerDesk.api.staff.save.mutate({ ...form, password: "given once more" });
    expect(await setByOther()).toBe(true);
    await loggedIn("given once more");
  });

  it("cannot be the temporary one at recovery, and the recovery code stays valid for another", async () => {
    const draw = vi.spyOn(drawing, "randomCaptchaText");
    const { operatorId } = await hire();
    const { api } = server.visitor();
    const { captchaId } = await api.auth.captcha.mutate();
    const { handle } = await api.auth.sendRecoveryCode.mutate({
      account,
      captchaId,
      code: String(draw.mock.results.at(-1)?.value),
    });
    const code = /\b\d{6}\b/.exec((await server.lastMessage(account)) ?? "")?.[0] ?? "none";
    const setByOther = async () =>
      (await server.database.prisma.operator.findUniqueOrThrow({ where: { id: operatorId } })).passwordSetByOther;

    const again = { handle, account, code, password: FIRST_PASSWORD, confirmPassword: FIRST_PASSWORD };
    const wrong = { ...again, code: code === "000000" ? "000001" : "000000" };
    expect(
      (await failure(api.auth.resetPassword.mutate(wrong))).code,
      "a wrong code gives no hint about the password",
    ).toBe("code_wrong");
    const same = await failure(api.auth.resetPassword.mutate(again));
    expect(same).toMatchObject({ code: "invalid_input", fields: { password: { key: "validation.passwordSame" } } });
    const oldClient = manageClient(server.app, { address: "10.7.0.1" });
    await server.database.prisma.rateLimit.deleteMany({ where: { key: { startsWith: "recoveryPause:" } } });
    server.clock.advance(1);
    const { captcha_id } = await oldClient.ok<{ captcha_id: string }>("captcha", {});
    await oldClient.ok("getBack/sendMsg", {
      mobile: account,
      captcha_id,
      code: String(draw.mock.results.at(-1)?.value),
    });
    draw.mockRestore();
    const oldCode = /\b\d{6}\b/.exec((await server.lastMessage(account)) ?? "")?.[0] ?? "none";
    const oldForm = (password: string) => ({ mobile: account, code: oldCode, password, confirm_password: password });
    const { errno, data } = await refusalOf(oldClient, "getBack/reset", oldForm(FIRST_PASSWORD));
    expect([errno, data.fields]).toEqual([100_001, { password: translator("en")("validation.passwordSame") }]);
    expect(await setByOther()).toBe(true);

    await oldClient.ok("getBack/reset", oldForm("one of her own"));
    expect(await setByOther()).toBe(false);
    const login = await server.visitor().api.auth.login.mutate({ account, password: "one of her own" });
    expect(entered(login).operatorId).toBe(operatorId);
  });

  it("must be replaced by a returning operator, whatever they had before", async () => {
    const { operatorId } = await hire();
    await (await loggedIn()).api.auth.changePassword.mutate(newPassword("one of her own"));
    await ownerDesk.api.staff.remove.mutate({ operatorId });
    expect((await hire()).operatorId).toBe(operatorId);
    await loggedIn();
  });
});

it("comes before the second factor that a hotel requires, and does not replace it", async () => {
  await withPasskey(ownerDesk);
  const { id: _id, roomCount: _rooms, lockCount: _locks, ...data } = await ownerDesk.api.hotel.get.query();
  await ownerDesk.api.hotel.update.mutate({ ...data, twoStep: "everyone" });
  await hire();
  const { api } = await loggedIn();
  await api.auth.changePassword.mutate(newPassword("one of her own"));
  expect((await failure(api.rooms.page.query({}))).code).toBe("two_step_due");
  expect(await api.auth.status.query()).toMatchObject({ session: null, due: "two_step" });
  expect((await failure(api.auth.changePassword.mutate(newPassword("another one")))).code).toBe("two_step_due");
});

it("is also required from operators who log in with a second factor", async () => {
  const { operatorId } = await hire();
  const clerk = await loggedIn();
  await clerk.api.auth.changePassword.mutate(newPassword("one of her own"));
  const key = await withPasskey(clerk);
  const form = { operatorId, name: "Clara", account, role: "staff", password: "given once more" } as const;
  await ownerDesk.api.staff.save.mutate(form);
  const visitor = server.visitor();
  const { challenge, passkey } = await visitor.api.auth.passkeyChallenge.mutate();
  await visitor.api.auth.passkeyLogin.mutate({ challenge, assertion: key.get(passkey) });
  expect((await failure(visitor.api.auth.me.query())).code).toBe("password_due");
});

it("old clients and gateways accept a temporary password, because they have no page for it", async () => {
  await hire();
  const client = await manageLogin(server, { account });
  expect((await client.call("room/hotelInfo")).errno).toBe(0);
  const login = { account, password: FIRST_PASSWORD };
  expect((await gatewayProgram(server).post<{ token: string }>("/auth/login", login)).code).toBe(200);
  await loggedIn();
});

it("is not required from an owner created at the command line, who typed it themselves", async () => {
  const { scopeFactory } = await import("../../../kernel/scope.ts");
  const { secretsOf } = await import("../../../kernel/scope.ts");
  const { database, clock, rootKey, services } = server;
  const openScope = scopeFactory({ database, clock, secrets: secretsOf(rootKey) });
  const owner = { account: "ada@example.com", name: "Ada", password: "quill and lamp" };
  await addOwner({ database, hasher: services.auth.hasher, openScope }, hotel.id, owner);
  const answer = await server.visitor().api.auth.login.mutate({ account: owner.account, password: owner.password });
  expect(answer.next).toBe("enter");
});
