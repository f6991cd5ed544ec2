import type { PasskeyProof } from "@innkey/shared/schemas/identity/two-step";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Authenticator, createAuthenticator } from "../../../../test/harness/authenticator.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";
import { withApp, withPasskey } from "../../../../test/harness/two-step.ts";

let server: TestServer;
let hotel: TestHotel;
let clerk: TestOperator;
let desk: Browser;
let key: Authenticator;

const PROOF_MS = 10 * 60_000;
const CHALLENGE_MS = 5 * 60_000;

beforeEach(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  clerk = await server.createOperator(hotel, { role: "staff" });
  desk = await server.loginAs(clerk);
  key = await withPasskey(desk);
  server.clock.advance(PROOF_MS);
});
afterEach(() => server.close());

async function askProof({ api }: Browser = desk): Promise<PasskeyProof> {
  const question = await api.twoStep.askProof.mutate();
  if (!question) throw new Error("no passkey was asked for");
  return question;
}
/** Tries to change the account's protection and returns whether this was allowed. */
const mayChange = async ({ api }: Browser = desk): Promise<boolean> =>
  api.twoStep.newRecoveryCodes.mutate().then(
    () => true,
    async (error) => {
      expect((await failure(Promise.reject(error))).code).toBe("proof_needed");
      return false;
    },
  );

describe("a passkey in place of the password", () => {
  it("allows its person to change the account's protection, and is recorded", async () => {
    const { challenge, passkey } = await askProof();
    expect(passkey).toMatchObject({
      rpId: "localhost",
      allowCredentials: [{ id: key.credentialId }],
      userVerification: "required",
    });
    expect(await mayChange()).toBe(false);
    await desk.api.twoStep.provePasskey.mutate({ challenge, assertion: key.get(passkey) });
    expect(await mayChange()).toBe(true);
    const { id: sessionId } = await server.database.prisma.session.findFirstOrThrow({
      where: { operatorId: clerk.id },
    });
    const entry = await server.database.prisma.auditEntry.findFirst({ where: { action: "session.prove" } });
    expect(entry).toMatchObject({ actorId: clerk.id, entityId: sessionId, after: { factor: "passkey" } });
    server.clock.advance(PROOF_MS);
    expect(await mayChange()).toBe(false);
  });

  it("proves nothing in another session, even of the same operator", async () => {
    const elsewhere = await server.loginAs(clerk);
    server.clock.advance(PROOF_MS);
    const { challenge, passkey } = await askProof();
    const answer = { challenge, assertion: key.get(passkey) };
    expect((await failure(elsewhere.api.twoStep.provePasskey.mutate(answer))).code).toBe("challenge_gone");
    await desk.api.twoStep.provePasskey.mutate(answer);
    expect(await mayChange(elsewhere)).toBe(false);
  });

  it("is valid once, for its own challenge", async () => {
    const { challenge, passkey } = await askProof();
    const assertion = key.get(passkey);
    await desk.api.twoStep.provePasskey.mutate({ challenge, assertion });
    server.clock.advance(PROOF_MS);
    const again = desk.api.twoStep.provePasskey.mutate({ challenge, assertion });
    expect((await failure(again)).code).toBe("challenge_gone");
    const second = await askProof();
    const replayed = desk.api.twoStep.provePasskey.mutate({ challenge: second.challenge, assertion });
    expect((await failure(replayed)).code).toBe("passkey_wrong");
    expect(await mayChange()).toBe(false);
  });

  it("is accepted within five minutes and five tries", async () => {
    const late = await askProof();
    server.clock.advance(CHALLENGE_MS);
    const answer = { challenge: late.challenge, assertion: key.get(late.passkey) };
    expect((await failure(desk.api.twoStep.provePasskey.mutate(answer))).code).toBe("challenge_gone");
    const { challenge, passkey } = await askProof();
    const wrong = { challenge, assertion: key.get(passkey, { verified: false }) };
    const codes: string[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      codes.push((await failure(desk.api.twoStep.provePasskey.mutate(wrong))).code);
    }
    expect(codes).toEqual(Array(5).fill("passkey_wrong"));
    const right = { challenge, assertion: key.get(passkey) };
    expect((await failure(desk.api.twoStep.provePasskey.mutate(right))).code).toBe("challenge_gone");
    expect(await mayChange()).toBe(false);
  });

  it.each([
    { origin: "http://evil.localhost" },
    { rpId: "evil.localhost" },
    { challenge: "AAAA" },
    { type: "webauthn.create" },
    { verified: false },
    { userHandle: "AAAA" },
  ])("is refused with %j", async (tampering) => {
    const { challenge, passkey } = await askProof();
    const answer = desk.api.twoStep.provePasskey.mutate({ challenge, assertion: key.get(passkey, tampering) });
    expect((await failure(answer)).code).toBe("passkey_wrong");
    expect(await mayChange()).toBe(false);
  });

  it("must be one's own: not a colleague's, an unknown one, or one whose counter goes back", async () => {
    const colleague = await server.loginAs(await server.createOperator(hotel, { role: "staff" }));
    const foreign = await withPasskey(colleague);
    const stale = key.get((await askProof()).passkey, { counter: 0 });
    await desk.api.twoStep.provePasskey.mutate(await answerProof({ counter: 9 }));
    server.clock.advance(PROOF_MS);
    for (const by of [foreign, createAuthenticator()]) {
      const { challenge, passkey } = await askProof();
      const answer = desk.api.twoStep.provePasskey.mutate({ challenge, assertion: by.get(passkey) });
      expect((await failure(answer)).code).toBe("passkey_wrong");
    }
    const { challenge } = await askProof();
    const behind = desk.api.twoStep.provePasskey.mutate({ challenge, assertion: stale });
    expect((await failure(behind)).code).toBe("passkey_wrong");
    const backwards = desk.api.twoStep.provePasskey.mutate(await answerProof({ counter: 8 }));
    expect((await failure(backwards)).code).toBe("passkey_wrong");
    expect(await mayChange()).toBe(false);
  });

  it("answers no login challenge, and a login's answer is no proof", async () => {
    const visitor = server.visitor();
    const login = await visitor.api.auth.passkeyChallenge.mutate();
    const proof = { challenge: login.challenge, assertion: key.get(login.passkey) };
    expect((await failure(desk.api.twoStep.provePasskey.mutate(proof))).code).toBe("challenge_gone");
    expect((await failure(visitor.api.auth.passkeyLogin.mutate(await answerProof()))).code).toBe("challenge_gone");
  });

  it("is not requested from somebody who has none here", async () => {
    const other = await server.loginAs(await server.createOperator(hotel, { role: "staff" }));
    expect(await other.api.twoStep.askProof.mutate()).toBeNull();
    await withApp(server, other);
    expect(await other.api.twoStep.askProof.mutate()).toBeNull();
    const headers = { host: "desk.example", origin: "https://desk.example", "content-type": "application/json" };
    const elsewhere = await desk.http("POST", "/api/trpc/twoStep.askProof", { headers });
    expect(elsewhere.json()).toEqual({ result: { data: null } });
  });
});

async function answerProof(
  tampering = {},
): Promise<{ challenge: string; assertion: ReturnType<Authenticator["get"]> }> {
  const { challenge, passkey } = await askProof();
  return { challenge, assertion: key.get(passkey, tampering) };
}
