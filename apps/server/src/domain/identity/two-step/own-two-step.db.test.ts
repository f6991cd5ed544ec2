import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeAt, createAuthenticator } from "../../../../test/harness/authenticator.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";
import { firstStep, withApp, withPasskey } from "../../../../test/harness/two-step.ts";

let server: TestServer;
let hotel: TestHotel;
let clerk: TestOperator;
let desk: Browser;

beforeEach(async () => {
  server = await createTestServer();
  hotel = await server.createHotel({ name: "Harbour" });
  clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] });
  desk = await server.loginAs(clerk);
});
afterEach(() => server.close());

const TEN_MINUTES = 10 * 60_000;

async function actions(): Promise<string[]> {
  const rows = await server.database.prisma.auditEntry.findMany({
    where: { hotelId: hotel.id },
    orderBy: { seq: "asc" },
  });
  return rows.map(({ action }) => action).filter((action) => /twoStep|prove|resetTwoStep/.test(action));
}

it("shows the factors, and gives ten recovery codes with the first one only", async () => {
  expect(await desk.api.twoStep.state.query()).toEqual({
    ...{ on: false, required: false, totpSince: null, passkeys: [], recoveryCodesLeft: 0 },
  });
  const { recoveryCodes } = await withApp(server, desk);
  expect(recoveryCodes).toHaveLength(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  const { challenge, passkey } = await desk.api.twoStep.beginPasskey.mutate();
  const attestation = createAuthenticator().create(passkey);
  const added = await desk.api.twoStep.addPasskey.mutate({ challenge, name: "Desk", attestation });
  expect(added.recoveryCodes).toBeNull();
  expect(await desk.api.twoStep.state.query()).toMatchObject({
    on: true,
    totpSince: expect.any(String),
    passkeys: [{ name: "Desk", host: "localhost", here: true, backedUp: false, lastUsedAt: null }],
    recoveryCodesLeft: 10,
  });
  expect(await actions()).toEqual(["twoStep.app", "twoStep.addPasskey"]);
});

it("stores the app's secret encrypted, and never shows it again", async () => {
  const { secret } = await withApp(server, desk);
  const row = await server.database.prisma.operatorTotp.findUniqueOrThrow({ where: { operatorId: clerk.id } });
  expect(Buffer.from(row.secretBox).toString("latin1")).not.toContain(secret);
  expect(JSON.stringify(await desk.api.twoStep.state.query())).not.toContain(secret);
});

describe("every change", () => {
  it("requires the password again ten minutes after it was entered", async () => {
    await withApp(server, desk);
    const key = await withPasskey(desk);
    const { passkeys } = await desk.api.twoStep.state.query();
    const id = passkeys[0]?.id ?? "";
    const { challenge, secret } = await desk.api.twoStep.beginTotp.mutate();
    const making = await desk.api.twoStep.beginPasskey.mutate();
    const attestation = key.create(making.passkey);
    const { twoStep } = desk.api;
    const acts = [
      () => twoStep.beginTotp.mutate(),
      () => twoStep.confirmTotp.mutate({ challenge, code: codeAt(secret, server.clock.now()) }),
      () => twoStep.removeTotp.mutate(),
      () => twoStep.beginPasskey.mutate(),
      () => twoStep.addPasskey.mutate({ challenge: making.challenge, name: "x", attestation }),
      () => twoStep.renamePasskey.mutate({ id, name: "x" }),
      () => twoStep.removePasskey.mutate({ id }),
      () => twoStep.newRecoveryCodes.mutate(),
    ];
    server.clock.advance(TEN_MINUTES);
    for (const act of acts) expect((await failure(act())).code).toBe("proof_needed");
    expect((await failure(twoStep.prove.mutate({ password: "wrong" }))).fields).toHaveProperty("password");
    expect((await failure(twoStep.newRecoveryCodes.mutate())).code).toBe("proof_needed");
    await twoStep.prove.mutate({ password: TEST_PASSWORD });
    expect((await twoStep.newRecoveryCodes.mutate()).recoveryCodes).toHaveLength(10);
    expect((await actions()).slice(-2)).toEqual(["session.prove", "twoStep.recoveryCodes"]);
  });

  it("notifies the account's owner in their language, except for renaming and unfinished set-ups", async () => {
    /** Returns the last message sent to the person since the previous call. */
    const lastNotice = async (): Promise<string | null> => {
      const text = await server.lastMessage(clerk.account);
      await server.database.prisma.outgoingMessage.deleteMany();
      return text;
    };
    const { twoStep } = desk.api;
    await twoStep.beginTotp.mutate();
    expect(await lastNotice()).toBeNull();
    await withApp(server, desk);
    expect(await lastNotice()).toBe(
      "An authenticator app was set up for your Innkey account. If this wasn’t you, change your password immediately and contact an owner of Harbour.",
    );
    await withApp(server, desk);
    expect(await lastNotice()).toMatch(/^The authenticator app for your Innkey account was replaced/);
    await withPasskey(desk);
    expect(await lastNotice()).toMatch(/^A passkey was added/);
    const [{ id } = { id: "" }] = (await twoStep.state.query()).passkeys;
    await twoStep.renamePasskey.mutate({ id, name: "Ring" });
    expect(await lastNotice()).toBeNull();
    await twoStep.newRecoveryCodes.mutate();
    expect(await lastNotice()).toMatch(/^New recovery codes were created/);
    await twoStep.removeTotp.mutate();
    expect(await lastNotice()).toMatch(/^The authenticator app was removed/);
    await server.database.prisma.operator.update({ where: { id: clerk.id }, data: { language: "German" } });
    await twoStep.removePasskey.mutate({ id });
    expect(await lastNotice()).toMatch(/^Die Anmeldung in zwei Schritten wurde für Ihr Innkey-Konto ausgeschaltet/);
    await withPasskey(desk);
    await withPasskey(desk);
    expect(await lastNotice()).toMatch(/^Ihrem Innkey-Konto wurde ein Passkey hinzugefügt/);
    const { passkeys } = await twoStep.state.query();
    await twoStep.removePasskey.mutate({ id: passkeys[0]?.id ?? "" });
    expect(await lastNotice()).toMatch(/^Von Ihrem Innkey-Konto wurde ein Passkey entfernt/);
  });

  it("belongs to one session: a proof in another one does not count", async () => {
    server.clock.advance(TEN_MINUTES);
    const elsewhere = await server.loginAs(clerk);
    await elsewhere.api.twoStep.beginTotp.mutate();
    expect((await failure(desk.api.twoStep.beginTotp.mutate())).code).toBe("proof_needed");
  });
});

describe("an app", () => {
  it("counts only after one of its codes was entered, within five tries", async () => {
    const { challenge, secret } = await desk.api.twoStep.beginTotp.mutate();
    expect((await desk.api.twoStep.state.query()).on).toBe(false);
    const right = codeAt(secret, server.clock.now());
    const wrong = right === "000000" ? "000001" : "000000";
    const codes: string[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      codes.push((await failure(desk.api.twoStep.confirmTotp.mutate({ challenge, code: wrong }))).code);
    }
    expect(codes).toEqual([...Array(4).fill("code_wrong"), "challenge_gone"]);
    expect((await failure(desk.api.twoStep.confirmTotp.mutate({ challenge, code: right }))).code).toBe(
      "challenge_gone",
    );
  });

  it("replaces the previous one, whose codes no longer count", async () => {
    const first = await withApp(server, desk);
    const second = await withApp(server, desk);
    expect(second.recoveryCodes).toEqual([]);
    const visitor = server.visitor();
    const { challenge } = await firstStep(visitor, clerk.account);
    const answer = (secret: string) => {
      const proof = { method: "totp", code: codeAt(secret, server.clock.now()) } as const;
      return visitor.api.auth.secondFactor.mutate({ challenge, proof });
    };
    expect((await failure(answer(first.secret))).code).toBe("code_wrong");
    expect((await answer(second.secret)).operatorId).toBe(clerk.id);
  });

  it("is set up by the operator who began it, and by no other", async () => {
    const { challenge, secret } = await desk.api.twoStep.beginTotp.mutate();
    const other = await server.loginAs(await server.createOperator(hotel, { role: "staff" }));
    const answer = other.api.twoStep.confirmTotp.mutate({ challenge, code: codeAt(secret, server.clock.now()) });
    expect((await failure(answer)).code).toBe("challenge_gone");
  });

  it("removes the recovery codes when it was the last factor", async () => {
    await withApp(server, desk);
    await desk.api.twoStep.removeTotp.mutate();
    expect(await desk.api.twoStep.state.query()).toMatchObject({ on: false, recoveryCodesLeft: 0 });
    expect((await failure(desk.api.twoStep.removeTotp.mutate())).code).toBe("not_found");
    expect((await failure(desk.api.twoStep.newRecoveryCodes.mutate())).code).toBe("not_found");
    expect(
      await server.visitor().api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD }),
    ).toMatchObject({ next: "enter" });
  });
});

describe("a passkey", () => {
  it.each([
    { origin: "http://evil.localhost" },
    { rpId: "evil.localhost" },
    { challenge: "AAAA" },
    { type: "webauthn.get" },
    { verified: false },
  ])("is refused when it was made with %j", async (tampering) => {
    const { challenge, passkey } = await desk.api.twoStep.beginPasskey.mutate();
    const attestation = createAuthenticator().create(passkey, tampering);
    const answer = desk.api.twoStep.addPasskey.mutate({ challenge, name: "x", attestation });
    expect((await failure(answer)).code).toBe("passkey_wrong");
    expect((await desk.api.twoStep.state.query()).on).toBe(false);
  });

  it("belongs to one operator: nobody else can register, finish, rename or remove it", async () => {
    const key = await withPasskey(desk);
    const other = await server.loginAs(await server.createOperator(hotel, { role: "staff" }));
    const own = await other.api.twoStep.beginPasskey.mutate();
    const same = { challenge: own.challenge, name: "x", attestation: key.create(own.passkey) };
    expect((await failure(other.api.twoStep.addPasskey.mutate(same))).code).toBe("passkey_wrong");
    const foreign = await desk.api.twoStep.beginPasskey.mutate();
    const foreignPasskey = {
      challenge: foreign.challenge,
      name: "x",
      attestation: createAuthenticator().create(foreign.passkey),
    };
    expect((await failure(other.api.twoStep.addPasskey.mutate(foreignPasskey))).code).toBe("challenge_gone");
    const id = (await desk.api.twoStep.state.query()).passkeys[0]?.id ?? "";
    expect((await failure(other.api.twoStep.renamePasskey.mutate({ id, name: "mine" }))).code).toBe("not_found");
    expect((await failure(other.api.twoStep.removePasskey.mutate({ id }))).code).toBe("not_found");
  });

  it("uses one handle for all of an operator's passkeys, and excludes registered ones", async () => {
    const key = await withPasskey(desk, "First");
    const [{ userHandle } = { userHandle: new Uint8Array() }] = await server.database.prisma.operatorPasskey.findMany();
    const { passkey } = await desk.api.twoStep.beginPasskey.mutate();
    expect(passkey.user.id).toBe(Buffer.from(userHandle).toString("base64url"));
    expect(passkey.excludeCredentials.map(({ id }) => id)).toEqual([key.credentialId]);
  });

  it("is renamed and removed", async () => {
    await withPasskey(desk, "First");
    const id = (await desk.api.twoStep.state.query()).passkeys[0]?.id ?? "";
    await desk.api.twoStep.renamePasskey.mutate({ id, name: "Second" });
    expect((await desk.api.twoStep.state.query()).passkeys[0]?.name).toBe("Second");
    await desk.api.twoStep.removePasskey.mutate({ id });
    expect((await desk.api.twoStep.state.query()).on).toBe(false);
    expect(await actions()).toEqual(["twoStep.addPasskey", "twoStep.renamePasskey", "twoStep.removePasskey"]);
  });
});
