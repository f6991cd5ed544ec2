import type { LoginOutput } from "@innkey/shared/schemas/identity/auth";
import { type Authenticator, codeAt, createAuthenticator } from "./authenticator.ts";
import type { Browser } from "./browser.ts";
import { TEST_PASSWORD, type TestServer } from "./server.ts";

export const STEP_MS = 30_000;

/** Sets up an authenticator app, which uses up the code that confirms it. */
export async function withApp(
  server: Pick<TestServer, "clock">,
  { api }: Browser,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { challenge, secret } = await api.twoStep.beginTotp.mutate();
  const code = codeAt(secret, server.clock.now());
  const { recoveryCodes } = await api.twoStep.confirmTotp.mutate({ challenge, code });
  server.clock.advance(STEP_MS);
  return { secret, recoveryCodes: recoveryCodes ?? [] };
}

export async function withPasskey({ api }: Browser, name = "Key"): Promise<Authenticator> {
  const authenticator = createAuthenticator();
  const { challenge, passkey } = await api.twoStep.beginPasskey.mutate();
  await api.twoStep.addPasskey.mutate({ challenge, name, attestation: authenticator.create(passkey) });
  return authenticator;
}

type SecondFactorChallenge = Extract<LoginOutput, { next: "second_factor" }>;

/** Logs in with a correct password and returns the request for a second factor. @throws Error if none follows */
export async function firstStep(
  { api }: Browser,
  account: string,
  password = TEST_PASSWORD,
): Promise<SecondFactorChallenge> {
  const answer = await api.auth.login.mutate({ account, password });
  if (answer.next !== "second_factor") throw new Error(`expected a second step, got ${answer.next}`);
  return answer;
}

/** Writes a passkey and an app directly into the tables; they can't be used to log in. */
export async function someFactors(
  { database: { prisma }, clock }: Pick<TestServer, "clock" | "database">,
  operatorId: number,
  passkeyId: string,
): Promise<void> {
  const bytes = new Uint8Array(Buffer.from(passkeyId));
  await prisma.operatorTotp.create({
    data: { operatorId, secretBox: bytes, confirmedAt: clock.now(), lastUsedStep: 0 },
  });
  await prisma.operatorPasskey.create({
    data: {
      ...{ id: passkeyId, operatorId, credentialId: bytes, publicKey: bytes, userHandle: bytes, counter: 0 },
      ...{ rpId: "localhost", name: "Key", backedUp: false, createdAt: clock.now() },
    },
  });
}
