import type { Me } from "@innkey/shared/schemas/auth";
import type { PasskeyLoginInput, passkeyChallenge, secondFactorInput } from "@innkey/shared/schemas/two-step";
import type { z } from "zod";
import { act } from "@/lib/login/entrance.ts";
import { signWithPasskey } from "./passkeys.ts";

export type Proof = z.input<typeof secondFactorInput>["proof"];

/** Completes a login with a second factor, after the password was accepted. */
export const endLogin = (challenge: string, proof: Proof): Promise<Me> => act<Me>("secondFactor", { challenge, proof });

/** Logs in with a passkey alone. Returns null if the person cancels. */
export async function logInWithPasskey(): Promise<Me | null> {
  const { challenge, passkey } = await act<z.infer<typeof passkeyChallenge>>("passkeyChallenge", {});
  const assertion = await signWithPasskey(passkey);
  return assertion && act<Me>("passkeyLogin", { challenge, assertion } satisfies PasskeyLoginInput);
}
