import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, entered, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let administrator: TestOperator;
let [ownerDesk, adminDesk]: Browser[] = [];
const roomIds: number[] = [];

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  administrator = await server.createOperator(hotel, { role: "administrator" });
  ownerDesk = await server.loginAs(owner);
  adminDesk = await server.loginAs(administrator);
  for (const name of ["101", "102", "103"]) roomIds.push(await createRoom(hotel, name));
});
afterAll(() => server.close());

async function createRoom({ id: hotelId }: TestHotel, name: string): Promise<number> {
  return (await server.database.prisma.room.create({ data: { hotelId, name, createdAt: server.clock.now() } })).id;
}

const desk = (browser: Browser | undefined): Browser["api"] => {
  if (!browser) throw new Error("not logged in");
  return browser.api;
};
const form = (fields: object = {}) => ({
  name: "Clara",
  account: `137${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`,
  password: "clara's password",
  role: "staff" as const,
  ...fields,
});

/** Returns the subjects of the messages sent to an account. */
async function messagesTo(recipient: string): Promise<string[]> {
  const messages = await server.database.prisma.outgoingMessage.findMany({ where: { recipient } });
  return messages.map(({ subject }) => subject).sort();
}

describe("access to encryption and to other programs", () => {
  const isOpenTo = async (operatorId: number) =>
    (await desk(adminDesk).staff.list.query()).find((operator) => operator.operatorId === operatorId)?.apiKeyAuth;

  it("is given and withdrawn by an owner, takes effect at once, and is recorded", async () => {
    const input = form({ role: "administrator" });
    const { operatorId } = await desk(ownerDesk).staff.save.mutate(input);
    expect(await isOpenTo(operatorId)).toBe(false);
    const colleague = await server.loginAs({ ...administrator, id: operatorId });
    await server.keepPasswords();
    expect((await failure(colleague.api.integrations.keys.query())).code).toBe("feature_off");

    const { password: _password, ...others } = input;
    await desk(ownerDesk).staff.save.mutate({ ...others, operatorId, apiKeyAuth: true });
    expect(await isOpenTo(operatorId)).toBe(true);
    expect(await colleague.api.integrations.keys.query()).toEqual([]);
    const entry = await server.database.prisma.auditEntry.findFirst({
      where: { hotelId: hotel.id, entityId: String(operatorId), action: "operator.permit" },
    });
    expect(entry).toMatchObject({ before: { apiKeyAuth: false }, after: { apiKeyAuth: true } });

    await desk(ownerDesk).staff.save.mutate({ ...others, operatorId });
    expect(await isOpenTo(operatorId), "left out").toBe(true);
    await desk(ownerDesk).staff.save.mutate({ ...others, operatorId, apiKeyAuth: false });
    expect((await failure(colleague.api.integrations.keys.query())).code).toBe("feature_off");
  });

  it("is not given by an administrator, to a new person, a colleague or themselves", async () => {
    const input = form();
    expect((await failure(desk(adminDesk).staff.save.mutate({ ...input, apiKeyAuth: true }))).code).toBe(
      "no_permission",
    );
    const { operatorId } = await desk(adminDesk).staff.save.mutate(input);
    const { password: _password, ...others } = input;
    const change = { ...others, operatorId, apiKeyAuth: true };
    expect((await failure(desk(adminDesk).staff.save.mutate(change))).code).toBe("no_permission");
    await desk(adminDesk).staff.save.mutate({ ...others, operatorId, apiKeyAuth: false });
    expect(await isOpenTo(operatorId)).toBe(false);
    const stranger = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    expect((await failure(stranger.api.staff.save.mutate(change))).code).toBe("not_found");
  });
});

describe("hiring", () => {
  it("gives staff exactly the granted capabilities and rooms", async () => {
    const input = form({
      capabilities: ["rooms.view", "stays.view", "staff.manage", "nonsense"],
      roomIds: roomIds.slice(0, 2),
    });
    const { operatorId } = await desk(adminDesk).staff.save.mutate(input);
    await server.keepPasswords();
    const clerk = server.visitor();
    const me = entered(await clerk.api.auth.login.mutate({ account: input.account, password: input.password }));
    expect(me).toMatchObject({ operatorId, role: "staff", capabilities: ["rooms.view", "stays.view"] });
    const row = (await desk(adminDesk).staff.list.query()).find((operator) => operator.operatorId === operatorId);
    expect(row).toMatchObject({ name: "Clara", mobile: input.account, roomIds: roomIds.slice(0, 2), frozen: false });
    expect((await failure(clerk.api.staff.list.query())).code).toBe("no_permission");
    expect((await failure(clerk.api.staff.save.mutate(form()))).code).toBe("no_permission");
    expect((await failure(clerk.api.staff.freeze.mutate({ operatorId: owner.id, frozen: true }))).code).toBe(
      "no_permission",
    );
  });

  it("refuses an account that is taken in any hotel, with the same words", async () => {
    const elsewhere = await server.createOperator(await server.createHotel(), { role: "owner" });
    const before = await server.database.prisma.operator.findUniqueOrThrow({ where: { id: elsewhere.id } });
    for (const { account } of [elsewhere, owner]) {
      expect(await failure(desk(ownerDesk).staff.save.mutate(form({ account })))).toMatchObject({
        code: "account_taken",
        fields: { account: { key: "errors.account_taken" } },
      });
    }
    expect(await server.database.prisma.operator.findUnique({ where: { id: elsewhere.id } })).toEqual(before);
    expect(await server.database.prisma.membership.count({ where: { operatorId: elsewhere.id } })).toBe(1);
  });

  it("gives an account to one of many simultaneous requests", async () => {
    const account = "13711112222";
    const calls = Array.from({ length: 5 }, () => desk(ownerDesk).staff.save.mutate(form({ account })));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const codes = await Promise.all(
      calls.map((call) =>
        call.then(
          () => "ok",
          () => failure(call).then(({ code }) => code),
        ),
      ),
    );
    expect(codes.sort()).toEqual(["account_taken", "account_taken", "account_taken", "account_taken", "ok"]);
  });

  it("requires a password, and rooms of this hotel", async () => {
    const missing = await failure(desk(ownerDesk).staff.save.mutate(form({ password: undefined })));
    expect(missing).toMatchObject({ code: "invalid_input", fields: { password: { key: "validation.required" } } });
    const foreign = await createRoom(await server.createHotel(), "1");
    expect((await failure(desk(ownerDesk).staff.save.mutate(form({ roomIds: [foreign] })))).code).toBe("not_found");
  });

  it("cannot create owners", async () => {
    const owners = { ...form(), role: "owner" } as unknown as ReturnType<typeof form>;
    expect((await failure(desk(ownerDesk).staff.save.mutate(owners))).code).toBe("invalid_input");
  });
});

describe("changing an operator", () => {
  it("changes permissions at once, in open sessions", async () => {
    const clerk = await server.createOperator(hotel, {
      role: "staff",
      capabilities: ["rooms.view"],
      roomIds: roomIds.slice(0, 1),
    });
    const browser = await server.loginAs(clerk);
    const input = { operatorId: clerk.id, name: "Clara", account: clerk.account, role: "staff" as const };
    await desk(adminDesk).staff.save.mutate({ ...input, capabilities: ["stays.view"], roomIds: roomIds.slice(1) });
    expect((await browser.api.auth.me.query()).capabilities).toEqual(["stays.view"]);
    expect((await server.scopeOf(clerk)).roomIds?.sort()).toEqual(roomIds.slice(1).sort());
  });

  it("ends their sessions with a new password", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff" });
    const browser = await server.loginAs(clerk);
    const input = {
      operatorId: clerk.id,
      name: "Clara",
      account: clerk.account,
      role: "staff" as const,
      password: "another one",
    };
    await desk(adminDesk).staff.save.mutate(input);
    expect((await failure(browser.api.auth.me.query())).code).toBe("session_revoked");
    const { account } = clerk;
    expect(await server.lastMessage(account)).toMatch(/has set a new password for your Innkey account/);
    await server.keepPasswords();
    expect(entered(await server.visitor().api.auth.login.mutate({ account, password: "another one" })).operatorId).toBe(
      clerk.id,
    );
  });

  it("notifies the previous address of a new password or account, and of nothing else", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff" });
    const input = { operatorId: clerk.id, name: "Cleo", account: clerk.account, role: "staff" as const };
    await desk(adminDesk).staff.save.mutate(input);
    expect(await messagesTo(clerk.account)).toEqual([]);
    await desk(adminDesk).staff.save.mutate({ ...input, password: "another one" });
    expect(await messagesTo(clerk.account)).toEqual(["A new password was set for your account"]);
    await desk(adminDesk).staff.save.mutate({ ...input, account: "cleo@example.com", password: "yet another one" });
    expect(await messagesTo(clerk.account)).toEqual([
      "A new password was set for your account",
      "A new password was set for your account",
      "Your account was changed",
    ]);
    await desk(adminDesk).staff.save.mutate({ ...input, account: clerk.account });
    expect(await messagesTo("cleo@example.com")).toEqual(["Your account was changed"]);
    expect(await server.lastMessage("cleo@example.com")).toMatch(/changed the phone number or email address/);
    expect(await messagesTo(clerk.account)).toHaveLength(3);
  });

  it("notifies nobody of a refused new account", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff" });
    const input = { operatorId: clerk.id, name: "Cleo", account: owner.account, role: "staff" as const };
    expect((await failure(desk(adminDesk).staff.save.mutate(input))).code).toBe("account_taken");
    expect(await messagesTo(clerk.account)).toEqual([]);
  });

  it("cannot set one's own password, which needs the old one", async () => {
    const self = await server.createOperator(hotel, { role: "administrator" });
    const browser = await server.loginAs(self);
    const input = { operatorId: self.id, name: "Self", account: self.account, role: "administrator" as const };
    expect((await failure(browser.api.staff.save.mutate({ ...input, password: "walked up to" }))).code).toBe(
      "no_permission",
    );
    await browser.api.staff.save.mutate(input);
    expect((await browser.api.auth.me.query()).name).toBe("Self");
  });

  it("replaces the account they log in with", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff" });
    const input = { operatorId: clerk.id, name: "Clara", account: "clara@example.com", role: "staff" as const };
    await desk(adminDesk).staff.save.mutate(input);
    const row = (await desk(adminDesk).staff.list.query()).find(({ operatorId }) => operatorId === clerk.id);
    expect(row).toMatchObject({ mobile: null, email: "clara@example.com" });
  });

  it("is refused for owners, one's own role, and people of another hotel", async () => {
    const change = (operatorId: number, account: string, role: "staff" | "administrator" = "staff") =>
      failure(desk(adminDesk).staff.save.mutate({ operatorId, name: "X", account, role, password: "taken over" }));
    expect((await change(owner.id, owner.account)).code).toBe("no_permission");
    expect((await change(administrator.id, administrator.account, "staff")).code).toBe("no_permission");
    const foreign = await server.createOperator(await server.createHotel(), { role: "staff" });
    expect((await change(foreign.id, foreign.account)).code).toBe("not_found");
  });

  it("changes only the permissions here of somebody who also works elsewhere", async () => {
    const second = await server.createHotel();
    const shared = await server.createOperator(second, { role: "owner" });
    await server.database.prisma.membership.create({
      data: { hotelId: hotel.id, operatorId: shared.id, role: "staff" },
    });
    const person = await server.database.prisma.operator.findUniqueOrThrow({ where: { id: shared.id } });
    const input = { operatorId: shared.id, name: person.name, account: shared.account, role: "staff" as const };
    await desk(ownerDesk).staff.save.mutate({ ...input, capabilities: ["rooms.view"] });
    const takeover = desk(ownerDesk).staff.save.mutate({ ...input, password: "taken over" });
    expect((await failure(takeover)).code).toBe("no_permission");
    expect((await failure(desk(ownerDesk).staff.save.mutate({ ...input, account: "13733334444" }))).code).toBe(
      "no_permission",
    );
    expect(await server.database.prisma.operator.findUnique({ where: { id: shared.id } })).toEqual(person);
  });
});

describe("freezing", () => {
  it("ends every session at once and keeps the operator out until unfrozen", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff" });
    const browsers = [await server.loginAs(clerk), await server.loginAs(clerk)];
    await desk(adminDesk).staff.freeze.mutate({ operatorId: clerk.id, frozen: true });
    for (const browser of browsers) expect((await failure(browser.api.auth.me.query())).code).toBe("session_revoked");
    const again = server.visitor();
    const credentials = { account: clerk.account, password: TEST_PASSWORD };
    expect((await failure(again.api.auth.login.mutate(credentials))).code).toBe("frozen");
    expect((await failure(desk(adminDesk).staff.freeze.mutate({ operatorId: clerk.id, frozen: true }))).code).toBe(
      "state_conflict",
    );
    await desk(adminDesk).staff.freeze.mutate({ operatorId: clerk.id, frozen: false });
    expect(entered(await again.api.auth.login.mutate(credentials)).operatorId).toBe(clerk.id);
    expect((await failure(browsers[0]?.api.auth.me.query() ?? Promise.resolve())).code, "old sessions stay ended").toBe(
      "session_revoked",
    );
  });

  it("is refused for oneself, owners by administrators, the last owner, and people of another hotel", async () => {
    const freeze = (browser: Browser | undefined, operatorId: number) =>
      failure(desk(browser).staff.freeze.mutate({ operatorId, frozen: true }));
    expect((await freeze(adminDesk, administrator.id)).code).toBe("no_permission");
    expect((await freeze(adminDesk, owner.id)).code).toBe("no_permission");
    expect((await freeze(ownerDesk, owner.id)).code).toBe("last_owner");
    const foreign = await server.createOperator(await server.createHotel(), { role: "staff" });
    expect((await freeze(ownerDesk, foreign.id)).code).toBe("not_found");
    expect((await freeze(ownerDesk, 2_000_000_000)).code).toBe("not_found");
  });

  it("keeps one of two owners who freeze each other at the same moment", async () => {
    const hotel = await server.createHotel();
    const [first, second] = [
      await server.createOperator(hotel, { role: "owner" }),
      await server.createOperator(hotel, { role: "owner" }),
    ];
    const [a, b] = [await server.loginAs(first), await server.loginAs(second)];
    const outcomes = await Promise.allSettled([
      a.api.staff.freeze.mutate({ operatorId: second.id, frozen: true }),
      b.api.staff.freeze.mutate({ operatorId: first.id, frozen: true }),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
    expect(
      await server.database.prisma.membership.count({ where: { hotelId: hotel.id, frozenAt: null } }),
    ).toBeGreaterThanOrEqual(1);
  });
});

it("records every change with its author and without secrets", async () => {
  const rows = await server.database.prisma.auditEntry.findMany({
    where: { hotelId: hotel.id, action: { startsWith: "operator." } },
  });
  const actions = new Set(rows.map(({ action }) => action));
  for (const action of ["create", "update", "permit", "setPassword", "freeze", "unfreeze"])
    expect(actions).toContain(`operator.${action}`);
  expect(rows.every(({ actorId }) => actorId !== null)).toBe(true);
  const written = JSON.stringify(rows.map(({ before, after }) => ({ before, after })));
  expect(written).not.toMatch(/password"|argon2|taken over|another one/);
});
