import { z } from "zod";
import * as f from "../fields.ts";

/** The second step of a login, and how people set it up. */
const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/);
/** 1023 bytes at most (WebAuthn, "Credential ID"). */
const credentialId = base64url(1364);
const signedParts = { id: credentialId, rawId: credentialId, type: z.literal("public-key") };

/** Answer of a passkey to a login request (WebAuthn, AuthenticationResponseJSON). */
export const passkeyAssertion = z.object({
  ...signedParts,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(8000),
    userHandle: base64url(200).optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** Data of a new passkey (WebAuthn, RegistrationResponseJSON). */
export const passkeyAttestation = z.object({
  ...signedParts,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(40_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>;

const credentialName = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()).optional(),
});
const UserVerification = z.enum(["required", "preferred", "discouraged"]);

/** Argument of `navigator.credentials.get`. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(credentialName).optional(),
  userVerification: UserVerification,
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** Argument of `navigator.credentials.create`. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal("public-key") })),
  timeout: z.int(),
  excludeCredentials: z.array(credentialName),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
});
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

export const SecondFactorMethod = z.enum(["totp", "passkey", "recovery_code"]);
export type SecondFactorMethod = z.infer<typeof SecondFactorMethod>;

/** The password was correct; one of these factors is still required. */
export const secondStep = z.object({
  challenge: z.string(),
  methods: z.array(SecondFactorMethod),
  /** set if `methods` includes passkeys */
  passkey: passkeyRequest.nullable(),
});
export type SecondStep = z.infer<typeof secondStep>;

/** Six-digit code as authenticator apps show it, with or without a space. */
export const totpCode = z
  .string({ error: f.v.required })
  .max(20, f.v.smsCode)
  .transform((value) => value.replace(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, f.v.smsCode));

/** Sixteen characters in any notation: upper case, other separators, or letters that look like digits. */
export const recoveryCode = z
  .string({ error: f.v.required })
  .max(60, f.v.recoveryCode)
  .transform((value) => value.toLowerCase().replace(/[\s-]/g, "").replace(/[il]/g, "1").replace(/o/g, "0"))
  .pipe(z.string().regex(/^[0-9a-z]{16}$/, f.v.recoveryCode));

export const secondFactorInput = z.object({
  challenge: f.uuid,
  proof: z.discriminatedUnion("method", [
    z.object({ method: z.literal("totp"), code: totpCode }),
    z.object({ method: z.literal("recovery_code"), code: recoveryCode }),
    z.object({ method: z.literal("passkey"), assertion: passkeyAssertion }),
  ]),
});
export type SecondFactorInput = z.output<typeof secondFactorInput>;
export type SecondFactorProof = SecondFactorInput["proof"];

/** Challenge for a login without account and password, or for the proof that the operator is still at the desk. */
export const passkeyChallenge = z.object({ challenge: z.string(), passkey: passkeyRequest });
export const passkeyLoginInput = z.object({ challenge: f.uuid, assertion: passkeyAssertion });
export type PasskeyLoginInput = z.output<typeof passkeyLoginInput>;
/** Challenge for the logged-in operator; null if none of their passkeys works here. */
export const passkeyProof = passkeyChallenge.nullable();
export type PasskeyProof = z.infer<typeof passkeyChallenge>;

/** Second factors that the caller has set up. */
export const twoStepState = z.object({
  on: z.boolean(),
  /** the hotel requires a second factor of the caller */
  required: z.boolean(),
  /** since when an authenticator app is set up; null: none is */
  totpSince: z.string().nullable(),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** the host at which it works, and whether that is the current one */
      host: z.string(),
      here: z.boolean(),
      backedUp: z.boolean(),
      createdAt: z.string(),
      lastUsedAt: z.string().nullable(),
    }),
  ),
  recoveryCodesLeft: z.int(),
});
export type TwoStepState = z.infer<typeof twoStepState>;

export const proveInput = z.object({
  password: z.string({ error: f.v.required }).min(1, f.v.required).max(200, f.v.tooLong),
});
export const totpSetup = z.object({ challenge: z.string(), secret: z.string(), uri: z.string() });
export const confirmTotpInput = z.object({ challenge: f.uuid, code: totpCode });
export const passkeySetup = z.object({ challenge: z.string(), passkey: passkeyCreation });
const passkeyName = f.requiredText(60);
export const addPasskeyInput = z.object({ challenge: f.uuid, name: passkeyName, attestation: passkeyAttestation });
export type AddPasskeyInput = z.output<typeof addPasskeyInput>;
export const renamePasskeyInput = z.object({ id: f.uuid, name: passkeyName });
export const passkeyRef = z.object({ id: f.uuid });
/** New codes, shown only once; null: the earlier ones are still valid. */
export const factorAdded = z.object({ recoveryCodes: z.array(z.string()).nullable() });
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
