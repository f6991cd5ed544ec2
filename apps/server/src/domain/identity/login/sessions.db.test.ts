import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { gatewayProgram } from "../../../../test/clients/gateway-client.ts";
import { manageLogin } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, entered, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
});
afterAll(() => server.close());

describe("a session", () => {
  it("expires after its idle time, and not before", async () => {
    const desk = await server.loginAs(owner);
    server.clock.advance(11 * HOUR);
    await desk.api.auth.me.query();
    server.clock.advance(11 * HOUR);
    await desk.api.auth.me.query();
    server.clock.advance(12 * HOUR);
    expect((await failure(desk.api.auth.me.query())).code).toBe("session_expired");
  });

  it("expires after a week, however busy it is", async () => {
    const desk = await server.loginAs(owner);
    for (let hours = 6; hours < 7 * 24; hours += 6) {
      server.clock.advance(6 * HOUR);
      await desk.api.auth.me.query();
    }
    server.clock.advance(6 * HOUR);
    expect((await failure(desk.api.auth.me.query())).code).toBe("session_expired");
  });

  it("updates its last use at most once a minute, and not by background reads", async () => {
    const desk = await server.loginAs(owner);
    const lastSeen = async (): Promise<string | undefined> =>
      (await desk.api.auth.sessions.query()).find(({ current }) => current)?.lastSeenAt;
    const first = await lastSeen();
    server.clock.advance(MINUTE - 1);
    expect(await lastSeen()).toBe(first);
    server.clock.advance(1);
    await desk.api.auth.me.query();
    expect(await lastSeen()).toBe(server.clock.now().toISOString());
  });

  it("is checked together with all that open streams check at once, and each gets its own answer", async () => {
    const { sessions } = server.services.auth;
    const visitor = {
      address: "127.0.0.1",
      userAgent: "",
      language: "en",
      channel: "console",
      requestId: "1",
    } as const;
    const hotels = [hotel, await server.createHotel()];
    const people = await Promise.all(hotels.map((here) => server.createOperator(here, { role: "owner" })));
    const signedIn = [];
    for (const person of [...people, ...people]) {
      signedIn.push(await sessions.begin(await server.scopeOf(person), visitor, { how: "login", factors: 1 }));
    }
    const ended = await sessions.resolve(signedIn[3]?.token ?? "", visitor);
    if (ended.scope) await sessions.end(ended.scope, ended.sessionId ?? "");
    const queries = vi.spyOn(server.database.pool, "query");
    const tokens = [...signedIn.map(({ token }) => token), "unknown"];
    const answers = await Promise.all(tokens.map((token) => sessions.resolve(token, visitor, false)));
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();
    const [first, second] = people.map(({ id }, index) => [hotels[index]?.id, id]);
    expect(answers.map(({ scope }) => scope && [scope.hotelId, scope.operatorId])).toEqual([
      first,
      second,
      first,
      null,
      null,
    ]);
    expect(answers.slice(3).map(({ sessionEnd }) => sessionEnd)).toEqual(["session_revoked", "session_revoked"]);
  });

  it("ends at sign-out in every tab, and its cookie is removed", async () => {
    const desk = await server.loginAs(owner);
    const { cookie } = desk;
    await desk.api.auth.logout.mutate();
    expect(desk.cookie).toBeUndefined();
    expect((await failure(desk.api.auth.me.query())).code).toBe("session_missing");
    desk.cookie = cookie;
    expect((await failure(desk.api.auth.me.query())).code).toBe("session_revoked");
    expect((await desk.api.auth.status.query()).session).toBeNull();
  });

  it("ends when somebody logs in again in the same browser, with a new token", async () => {
    const desk = await server.loginAs(owner);
    const { cookie } = desk;
    const clerk = await server.createOperator(hotel, { role: "staff" });
    await desk.api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
    expect((await desk.api.auth.me.query()).operatorId).toBe(clerk.id);
    const [before, other] = [server.visitor(), await server.loginAs(owner)];
    before.cookie = cookie;
    expect((await failure(before.api.auth.me.query())).code).toBe("session_revoked");
    expect((await failure(desk.api.auth.login.mutate({ account: owner.account, password: "wrong" }))).code).toBe(
      "credentials_wrong",
    );
    expect((await desk.api.auth.me.query()).operatorId, "a failed login ends nothing").toBe(clerk.id);
    expect((await other.api.auth.me.query()).operatorId, "nor a session in another browser").toBe(owner.id);
  });

  it("ends the longest idle one when an operator opens more than twenty in a channel", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff" });
    const client = await manageLogin(server, clerk);
    const desks: Browser[] = [];
    for (let at = 0; at < 20; at += 1) {
      desks.push(await server.loginAs(clerk));
      server.clock.advance(2 * MINUTE);
    }
    await desks[0]?.api.auth.me.query();
    const last = await server.loginAs(clerk);
    const open = await Promise.all(
      [...desks, last].map(({ api }) =>
        api.auth.me.query().then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(open.map((isOpen, at) => (isOpen ? null : at)).filter((at) => at !== null)).toEqual([1]);
    expect((await client.call("room/staffList")).errno, "another channel").not.toBe(9_000_005);
    const ended = await server.database.prisma.session.findMany({
      where: { operatorId: clerk.id, NOT: { endedAt: null } },
    });
    expect(ended.map(({ endReason }) => endReason)).toEqual(["too_many"]);
  });

  it("is valid only in the channel that opened it", async () => {
    const clerk = await server.createOperator(hotel, { role: "administrator" });
    const client = await manageLogin(server, clerk);
    const login = { account: clerk.account, password: TEST_PASSWORD };
    const { data } = await gatewayProgram(server).post<{ token: string }>("/auth/login", login);
    const roomsAtGateway = (token: string | undefined) =>
      gatewayProgram(server, token).get("/linQuan/getRoomListByHotelId", { hotelId: hotel.id });
    expect((await roomsAtGateway(data.token)).code).toBe(200);
    expect((await roomsAtGateway(client.token)).code).toBe(401);
    expect((await client.call("room/staffList")).errno).toBe(0);
    client.token = data.token;
    expect((await client.call("room/staffList")).errno).toBe(9_000_005);
  });

  it("can be ended from another of one's own sessions, and by nobody else", async () => {
    const [desk, phone] = [await server.loginAs(owner), await server.loginAs(owner)];
    const stranger = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    const colleague = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    const id = (await phone.api.auth.sessions.query()).find(({ current }) => current)?.id ?? "";
    for (const other of [stranger, colleague]) {
      expect((await other.api.auth.sessions.query()).map((row) => row.id)).not.toContain(id);
      expect((await failure(other.api.auth.revokeSession.mutate({ id }))).code).toBe("not_found");
    }
    await desk.api.auth.revokeSession.mutate({ id });
    expect((await failure(phone.api.auth.me.query())).code).toBe("session_revoked");
    expect((await desk.api.auth.me.query()).operatorId).toBe(owner.id);
  });

  it("sees the rooms that are granted now", async () => {
    const { prisma } = server.database;
    const roomOf = async (name: string): Promise<number> =>
      (await prisma.room.create({ data: { hotelId: hotel.id, name, createdAt: server.clock.now() } })).id;
    const [always, today, tomorrow] = [await roomOf("1"), await roomOf("2"), await roomOf("3")];
    const clerk = await server.createOperator(hotel, { role: "staff", roomIds: [always] });
    const { membershipId } = clerk;
    const change = new Date(server.clock.now().getTime() + 24 * HOUR);
    await prisma.roomGrant.createMany({
      data: [
        { hotelId: hotel.id, membershipId, roomId: today, endsAt: change },
        { hotelId: hotel.id, membershipId, roomId: tomorrow, startsAt: change },
      ],
    });
    expect((await server.scopeOf(clerk)).roomIds?.sort()).toEqual([always, today].sort());
    server.clock.advance(24 * HOUR);
    expect((await server.scopeOf(clerk)).roomIds?.sort()).toEqual([always, tomorrow].sort());
    expect((await server.scopeOf(owner)).roomIds).toBeNull();
  });
});

describe("changing one's password", () => {
  const passwords = { password: "new password", confirmPassword: "new password" };

  it("requires a new login everywhere else", async () => {
    const operator = await server.createOperator(hotel, { role: "administrator" });
    const [desk, phone] = [await server.loginAs(operator), await server.loginAs(operator)];
    await desk.api.auth.changePassword.mutate({ oldPassword: TEST_PASSWORD, ...passwords });
    expect((await failure(phone.api.auth.me.query())).code).toBe("session_revoked");
    expect((await desk.api.auth.me.query()).operatorId).toBe(operator.id);
    const { account } = operator;
    const visitor = server.visitorFrom("10.2.0.1");
    expect((await failure(visitor.api.auth.login.mutate({ account, password: TEST_PASSWORD }))).code).toBe(
      "credentials_wrong",
    );
    expect(entered(await visitor.api.auth.login.mutate({ account, password: "new password" })).operatorId).toBe(
      operator.id,
    );
  });

  it("notifies its owner, but a wrong try does not", async () => {
    const operator = await server.createOperator(hotel, { role: "staff", account: "bea@example.com" });
    const desk = await server.loginAs(operator);
    await failure(desk.api.auth.changePassword.mutate({ oldPassword: "guess", ...passwords }));
    expect(await server.lastMessage(operator.account)).toBeNull();
    await desk.api.auth.changePassword.mutate({ oldPassword: TEST_PASSWORD, ...passwords });
    expect(await server.lastMessage(operator.account)).toMatch(/^The password for your Innkey account was changed/);
  });

  it("requires the old one, and names the wrong field", async () => {
    const desk = await server.loginAs(await server.createOperator(hotel, { role: "administrator" }));
    const wrong = await failure(desk.api.auth.changePassword.mutate({ oldPassword: "guess", ...passwords }));
    expect(wrong).toMatchObject({
      code: "credentials_wrong",
      fields: { oldPassword: { key: "validation.oldPassword" } },
    });
    const short = { oldPassword: TEST_PASSWORD, password: "123456", confirmPassword: "123456" };
    expect((await failure(desk.api.auth.changePassword.mutate(short))).fields).toEqual({
      password: { key: "validation.password", params: { min: 7 } },
    });
    const differing = { oldPassword: TEST_PASSWORD, password: "1234567", confirmPassword: "7654321" };
    expect((await failure(desk.api.auth.changePassword.mutate(differing))).fields).toHaveProperty("confirmPassword");
  });

  it("does not overwrite a password that a colleague sets meanwhile", async () => {
    const operator = await server.createOperator(hotel, { role: "staff" });
    const [desk, ownerDesk] = [await server.loginAs(operator), await server.loginAs(owner)];
    const { id: operatorId, account } = operator;
    const { hasher } = server.services.auth;
    const hash = hasher.hash.bind(hasher);
    // The old password has been checked by now, but the new one isn't stored yet.
    const hashing = vi.spyOn(hasher, "hash").mockImplementationOnce(async (password) => {
      const newMember = {
        operatorId,
        name: "Clara",
        account,
        role: "staff" as const,
        password: "given by a colleague",
      };
      await ownerDesk.api.staff.save.mutate(newMember);
      return hash(password);
    });
    const change = desk.api.auth.changePassword.mutate({ oldPassword: TEST_PASSWORD, ...passwords });
    expect(await failure(change)).toMatchObject({
      code: "credentials_wrong",
      fields: { oldPassword: { key: "validation.oldPassword" } },
    });
    hashing.mockRestore();
    const login = (password: string) => server.visitorFrom("10.2.0.3").api.auth.login.mutate({ account, password });
    expect((await failure(login(passwords.password))).code).toBe("credentials_wrong");
    expect(await login("given by a colleague")).toEqual({ next: "duty", due: "password" });
    const where = { hotelId: hotel.id, entity: "operator", entityId: String(operatorId) };
    const auditEntry = await server.database.prisma.auditEntry.findMany({ where });
    expect(auditEntry.map(({ action }) => action)).not.toContain("password.change");
    expect(await server.lastMessage(account)).toMatch(/has set a new password for your Innkey account/);
  });

  it("cannot be guessed through an open session", async () => {
    const desk = await server.loginAs(await server.createOperator(hotel, { role: "administrator" }));
    for (let guesses = 0; guesses < 10; guesses += 1) {
      await failure(desk.api.auth.changePassword.mutate({ oldPassword: `guess ${guesses}`, ...passwords }));
    }
    const right = await failure(desk.api.auth.changePassword.mutate({ oldPassword: TEST_PASSWORD, ...passwords }));
    expect(right.code).toBe("too_many_attempts");
  });
});

describe("an operator of two hotels", () => {
  it("switches between them, and to no other", async () => {
    const second = await server.createHotel({ name: "Second", timeZone: "Asia/Kathmandu" });
    const foreign = await server.createHotel({ name: "Foreign" });
    const { prisma } = server.database;
    const both = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] });
    await prisma.membership.create({ data: { hotelId: second.id, operatorId: both.id, role: "owner" } });
    const desk = await server.loginAs(both);
    expect((await desk.api.auth.me.query()).hotels.map(({ id }) => id).sort()).toEqual([hotel.id, second.id].sort());
    expect((await desk.api.auth.switchHotel.mutate({ hotelId: second.id })).role).toBe("owner");
    expect((await desk.api.auth.me.query()).hotel).toMatchObject({ id: second.id, timeZone: "Asia/Kathmandu" });
    expect((await failure(desk.api.auth.switchHotel.mutate({ hotelId: foreign.id }))).code).toBe("not_found");
    await prisma.membership.updateMany({
      where: { operatorId: both.id, hotelId: hotel.id },
      data: { frozenAt: new Date() },
    });
    expect((await failure(desk.api.auth.switchHotel.mutate({ hotelId: hotel.id }))).code).toBe("not_found");
    const again = server.visitorFrom("10.2.0.2");
    expect(
      entered(await again.api.auth.login.mutate({ account: both.account, password: TEST_PASSWORD })).hotel.id,
    ).toBe(second.id);
  });

  it.each(["freezes", "removes"])("stays logged in to one when the other %s them", async (act) => {
    const second = await server.createHotel({ name: "Second" });
    const boss = await server.loginAs(await server.createOperator(second, { role: "owner" }));
    const both = await server.createOperator(hotel, { role: "administrator" });
    const { prisma } = server.database;
    await prisma.membership.create({ data: { hotelId: second.id, operatorId: both.id, role: "staff" } });
    const firstDesk = await server.loginAs(both);
    const secondDesk = await server.loginAs(both);
    await firstDesk.api.auth.switchHotel.mutate({ hotelId: hotel.id });
    await secondDesk.api.auth.switchHotel.mutate({ hotelId: second.id });
    const devices = await prisma.knownDevice.count({ where: { operatorId: both.id } });
    expect(devices).toBeGreaterThan(0);
    if (act === "freezes") await boss.api.staff.freeze.mutate({ operatorId: both.id, frozen: true });
    else await boss.api.staff.remove.mutate({ operatorId: both.id });
    expect((await failure(secondDesk.api.auth.me.query())).code).toBe("session_revoked");
    expect((await firstDesk.api.auth.me.query()).hotel.id).toBe(hotel.id);
    expect((await failure(firstDesk.api.auth.switchHotel.mutate({ hotelId: second.id }))).code).toBe("not_found");
    expect(await prisma.knownDevice.count({ where: { operatorId: both.id } })).toBe(devices);
  });
});
