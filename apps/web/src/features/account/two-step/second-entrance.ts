import type { Me } from "@innkey/shared/schemas/auth";
import type { PasskeyLoginInput, passkeyChallenge, secondFactorInput } from "@innkey/shared/schemas/two-step";
import type { z } from "zod";
import { act } from "@/lib/login/entrance.ts";
import { signWithPasskey } from "./passkeys.ts";

export type Proof = z.input<typeof secondFactorInput>["proof"];

/** Ends a login that the password began. */
export const endLogin = (challenge: string, proof: Proof): Promise<Me> => act<Me>("secondFactor", { challenge, proof });

/** A login without account and password; null if the person changed their mind. */
export async function logInWithPasskey(): Promise<Me | null> {
  const { challenge, passkey } = await act<z.infer<typeof passkeyChallenge>>("passkeyChallenge", {});
  const assertion = await signWithPasskey(passkey);
  return assertion && act<Me>("passkeyLogin", { challenge, assertion } satisfies PasskeyLoginInput);
}
