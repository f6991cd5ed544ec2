import type { TwoStepPolicy } from "@innkey/shared/schemas/property/hotel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gatewayProgram } from "../../../../test/clients/gateway-client.ts";
import { manageClient, manageLogin } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";
import { someFactors, withApp, withPasskey } from "../../../../test/harness/two-step.ts";
import { resetTwoStepOfAccount } from "../staff/two-step.service.ts";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let clerk: TestOperator;
let ownerDesk: Browser;

beforeEach(async () => {
  server = await createTestServer();
  hotel = await server.createHotel({ name: "Harbour" });
  owner = await server.createOperator(hotel, { role: "owner" });
  clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] });
  ownerDesk = await server.loginAs(owner);
});
afterEach(() => server.close());

async function setPolicy(twoStep: TwoStepPolicy): Promise<void> {
  const { id: _id, roomCount: _rooms, lockCount: _locks, ...data } = await ownerDesk.api.hotel.get.query();
  await ownerDesk.api.hotel.update.mutate({ ...data, twoStep });
}

const openFor = async (browser: Browser): Promise<boolean> =>
  (await browser.api.auth.me.query().catch(() => null)) !== null;

describe("a hotel that requires a second factor", () => {
  it("requires it from nobody, from owners and administrators, or from everybody", async () => {
    const administrator = await server.createOperator(hotel, { role: "administrator" });
    await withApp(server, ownerDesk);
    const accountState = async (operator: TestOperator): Promise<string> => {
      const answer = await server
        .visitor()
        .api.auth.login.mutate({ account: operator.account, password: TEST_PASSWORD });
      return answer.next;
    };
    const all = async () => [await accountState(owner), await accountState(administrator), await accountState(clerk)];
    expect(await all()).toEqual(["second_factor", "enter", "enter"]);
    await setPolicy("administrators");
    expect(await all()).toEqual(["second_factor", "duty", "enter"]);
    await setPolicy("everyone");
    expect(await all()).toEqual(["second_factor", "duty", "duty"]);
  });

  it("lets operators without one only set it up or leave, in every channel, including existing sessions", async () => {
    const before = await server.loginAs(clerk);
    const client = await manageLogin(server, clerk);
    const { data } = await gatewayProgram(server).post<{ token: string }>("/auth/login", {
      account: clerk.account,
      password: TEST_PASSWORD,
    });
    const program = gatewayProgram(server, data.token);
    const visitor = server.visitor();
    await withApp(server, ownerDesk);
    await setPolicy("everyone");
    await visitor.api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
    for (const desk of [before, visitor]) {
      expect((await failure(desk.api.rooms.page.query({}))).code).toBe("two_step_due");
      expect((await failure(desk.api.auth.me.query())).code).toBe("two_step_due");
      expect((await failure(desk.api.auth.sessions.query())).code).toBe("two_step_due");
      expect((await failure(desk.api.auth.saveProfile.mutate({ name: "x", avatarFileId: null }))).code).toBe(
        "two_step_due",
      );
      expect((await failure(desk.api.auth.switchHotel.mutate({ hotelId: hotel.id }))).code).toBe("two_step_due");
      for (const path of ["/api/board", "/api/events", "/files/00000000-0000-4000-8000-000000000000"]) {
        const response = await desk.http("GET", path);
        expect([response.statusCode, response.json().code], path).toEqual([403, "two_step_due"]);
      }
      const due = { setupNeeded: false, session: null, due: "two_step" };
      expect(await desk.api.auth.status.query()).toEqual(due);
    }
    expect((await client.call("room/setHotelData")).errno).toBe(100_006);
    expect((await program.get("/linQuan/getRoomListByHotelId", { hotelId: hotel.id })).code).toBe(403);

    await withPasskey(visitor);
    expect((await visitor.api.auth.me.query()).operatorId).toBe(clerk.id);
    expect((await visitor.api.rooms.page.query({})).rows).toEqual([]);
    expect(await visitor.api.auth.status.query()).toMatchObject({
      session: { operatorId: clerk.id },
      due: null,
    });
  });

  it("lets operators without one sign out", async () => {
    await withApp(server, ownerDesk);
    await setPolicy("everyone");
    const visitor = server.visitor();
    await visitor.api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
    const { cookie } = visitor;
    await visitor.api.auth.logout.mutate();
    expect(visitor.cookie).toBeUndefined();
    visitor.cookie = cookie;
    expect((await failure(visitor.api.twoStep.state.query())).code).toBe("session_revoked");
  });

  it("refuses to remove the last factor", async () => {
    await withApp(server, ownerDesk);
    await setPolicy("administrators");
    expect((await failure(ownerDesk.api.twoStep.removeTotp.mutate())).code).toBe("last_factor");
    await withPasskey(ownerDesk);
    await ownerDesk.api.twoStep.removeTotp.mutate();
    const id = (await ownerDesk.api.twoStep.state.query()).passkeys[0]?.id ?? "";
    expect((await failure(ownerDesk.api.twoStep.removePasskey.mutate({ id }))).code).toBe("last_factor");
    expect(await ownerDesk.api.twoStep.state.query()).toMatchObject({
      on: true,
      required: true,
      recoveryCodesLeft: 10,
    });
  });

  it("sets this with hotel.manage", async () => {
    const desk = await server.loginAs(clerk);
    const { id: _id, roomCount: _rooms, lockCount: _locks, ...data } = await ownerDesk.api.hotel.get.query();
    const answer = desk.api.hotel.update.mutate({ ...data, twoStep: "everyone" });
    expect((await failure(answer)).code).toBe("no_permission");
  });
});

describe("programs and old clients", () => {
  it("refuse accounts with a second factor, and say so only after the right password", async () => {
    await withApp(server, await server.loginAs(clerk));
    const client = manageClient(server.app, { address: "10.3.3.3" });
    const right = await client.call("login", { mobile: clerk.account, password: TEST_PASSWORD });
    expect(right).toMatchObject({ errno: 100_006, data: {} });
    expect(right.errmsg).toMatch(/two-step sign-in/i);
    expect((await client.call("login", { mobile: clerk.account, password: "wrong" })).errno).toBe(100_002);
    const program = gatewayProgram(server);
    const login = (password: string) => program.post("/auth/login", { account: clerk.account, password });
    expect(await login(TEST_PASSWORD)).toMatchObject({ code: 403, data: {} });
    expect((await login("wrong")).code).toBe(401);
    expect(
      await server.database.prisma.session.count({ where: { operatorId: clerk.id, door: { not: "console" } } }),
    ).toBe(0);
  });

  it("refuse accounts that must still set one up", async () => {
    await withApp(server, ownerDesk);
    await setPolicy("everyone");
    const client = manageClient(server.app);
    expect((await client.call("login", { mobile: clerk.account, password: TEST_PASSWORD })).errno).toBe(100_006);
  });
});

describe("a session opened with a password only", () => {
  /** Opens one session per channel with only the password, and returns a check of which are still valid. */
  async function withPasswordAlone(): Promise<() => Promise<boolean[]>> {
    const desk = server.visitor();
    await desk.api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
    const client = await manageLogin(server, clerk);
    const { data } = await gatewayProgram(server).post<{ token: string }>("/auth/login", {
      account: clerk.account,
      password: TEST_PASSWORD,
    });
    const program = gatewayProgram(server, data.token);
    return async () => [
      await openFor(desk),
      (await client.call("room/staffList")).errno !== 9_000_005,
      (await program.get("/linQuan/getRoomListByHotelId", { hotelId: hotel.id })).code === 200,
    ];
  }

  it("ends in every channel when its operator adds a second factor elsewhere, and stays ended without it", async () => {
    const open = await withPasswordAlone();
    expect(await open()).toEqual([true, true, true]);
    const desk = await server.loginAs(clerk);
    await withApp(server, desk);
    expect(await open()).toEqual([false, false, false]);
    expect(await openFor(desk), "the session that added it continues").toBe(true);
    await desk.api.twoStep.removeTotp.mutate();
    expect(await open()).toEqual([false, false, false]);
  });

  it("is invalid once its operator has a second factor, however that was added", async () => {
    const open = await withPasswordAlone();
    await someFactors(server, clerk.id, "3f0c7a52-6d3b-4a53-9d3a-0a6f2f6d6d2b");
    expect(await open()).toEqual([false, false, false]);
  });

  it.each(["adds another", "removes one", "replaces the app", "is given back the password alone"])(
    "ends like all others of an operator who %s",
    async (change) => {
      const desk = await server.loginAs(clerk);
      await withApp(server, desk);
      await withPasskey(desk);
      const other = await server.loginAs(clerk);
      expect(await openFor(other)).toBe(true);
      if (change === "adds another") await withPasskey(desk);
      else if (change === "removes one") await desk.api.twoStep.removeTotp.mutate();
      else if (change === "replaces the app") await withApp(server, desk);
      else await ownerDesk.api.staff.resetTwoStep.mutate({ operatorId: clerk.id });
      expect(await openFor(other)).toBe(false);
      expect(await openFor(desk)).toBe(change !== "is given back the password alone");
      const entry = await server.database.prisma.auditEntry.findFirst({
        where: { hotelId: hotel.id, action: { contains: "woStep" } },
        orderBy: { seq: "desc" },
      });
      expect(entry?.after).toMatchObject({ sessionsEnded: change === "is given back the password alone" ? 2 : 1 });
    },
  );
});

describe("an owner's reset", () => {
  it("removes a colleague's second factor, notifies them, and is recorded", async () => {
    const desk = await server.loginAs(clerk);
    await withApp(server, desk);
    await withPasskey(desk);
    const listSessions = async () =>
      (await ownerDesk.api.staff.list.query()).find(({ operatorId }) => operatorId === clerk.id)?.twoStep;
    expect(await listSessions()).toBe(true);
    server.clock.advance(1);
    await ownerDesk.api.staff.resetTwoStep.mutate({ operatorId: clerk.id });
    expect(await listSessions()).toBe(false);
    expect(await server.lastMessage(clerk.account)).toMatch(/An owner of Harbour has reset/);
    const answer = await server.visitor().api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
    expect(answer.next).toBe("enter");
    expect(await server.database.prisma.secondFactorCode.count()).toBe(0);
    const entry = await server.database.prisma.auditEntry.findFirst({ where: { action: "operator.resetTwoStep" } });
    expect(entry).toMatchObject({ actorId: owner.id, entityId: String(clerk.id), before: { app: true, passkeys: 1 } });
    expect((await failure(ownerDesk.api.staff.resetTwoStep.mutate({ operatorId: clerk.id }))).code).toBe(
      "state_conflict",
    );
  });

  it("is refused to administrators, for oneself, and for somebody who also works elsewhere", async () => {
    await withApp(server, await server.loginAs(clerk));
    await withApp(server, ownerDesk);
    const administrator = await server.loginAs(await server.createOperator(hotel, { role: "administrator" }));
    const reset = (browser: Browser, operatorId: number) => browser.api.staff.resetTwoStep.mutate({ operatorId });
    expect((await failure(reset(administrator, clerk.id))).code).toBe("no_permission");
    expect((await failure(reset(ownerDesk, owner.id))).code).toBe("no_permission");
    const other = await server.createHotel();
    await server.database.prisma.membership.create({
      data: { hotelId: other.id, operatorId: clerk.id, role: "staff" },
    });
    expect((await failure(reset(ownerDesk, clerk.id))).code).toBe("no_permission");
    const stranger = await server.loginAs(await server.createOperator(other, { role: "owner" }));
    expect((await failure(reset(stranger, owner.id))).code).toBe("not_found");
    expect(await openFor(ownerDesk)).toBe(true);
  });
});

it("is done at the command line for an owner whom nobody else can help", async () => {
  await withApp(server, ownerDesk);
  const { openScope } = await scopeMaker();
  await resetTwoStepOfAccount(server.database, openScope, owner.account);
  const answer = await server.visitor().api.auth.login.mutate({ account: owner.account, password: TEST_PASSWORD });
  expect(answer.next).toBe("enter");
  await expect(resetTwoStepOfAccount(server.database, openScope, owner.account)).rejects.toMatchObject({
    code: "state_conflict",
  });
  await expect(resetTwoStepOfAccount(server.database, openScope, "13900000000")).rejects.toMatchObject({
    code: "not_found",
  });
  const entry = await server.database.prisma.auditEntry.findFirst({ where: { action: "operator.resetTwoStep" } });
  expect(entry).toMatchObject({ actorKind: "system", entityId: String(owner.id) });
});

async function scopeMaker() {
  const { scopeFactory } = await import("../../../kernel/scope.ts");
  const { secretsOf } = await import("../../../kernel/scope.ts");
  const { database, clock, rootKey } = server;
  return { openScope: scopeFactory({ database, clock, secrets: secretsOf(rootKey) }) };
}
