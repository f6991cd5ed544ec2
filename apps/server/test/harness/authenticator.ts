import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from "@innkey/shared/schemas/identity/two-step";
import { Secret, TOTP } from "otpauth";

/** Values that a test can falsify; a real authenticator and browser set them correctly. */
interface Tampering {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  /** Whether the authenticator verified the user; false: it was only touched */
  verified?: boolean;
  userHandle?: string;
  type?: string;
}

/** A software security key (ES256, attestation "none") with its browser. */
export interface Authenticator {
  create(request: PasskeyCreation, tampering?: Tampering): PasskeyAttestation;
  /** Signs a request; increments the counter */
  get(request: PasskeyRequest, tampering?: Tampering): PasskeyAssertion;
  readonly credentialId: string;
}

const FLAG = { present: 0x01, verified: 0x04, attested: 0x40 };
const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

export function createAuthenticator(origin = "http://localhost"): Authenticator {
  const credentialId = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let counter = 0;
  let userHandle = "AAAA";

  const clientData = (type: string, challenge: string, tampering: Tampering): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: tampering.type ?? type,
        challenge: tampering.challenge ?? challenge,
        origin: tampering.origin ?? origin,
        crossOrigin: false,
      }),
    );

  function authenticatorData(rpId: string, tampering: Tampering, attested: Buffer | null): Buffer {
    const flags =
      FLAG.present | (tampering.verified === false ? 0 : FLAG.verified) | (attested === null ? 0 : FLAG.attested);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(tampering.counter ?? counter);
    return Buffer.concat([sha256(tampering.rpId ?? rpId), Buffer.of(flags), count, attested ?? Buffer.alloc(0)]);
  }

  const descriptor = { id: text(credentialId), rawId: text(credentialId), type: "public-key" as const };
  return {
    credentialId: text(credentialId),
    create({ challenge, rp, user }, tampering = {}) {
      userHandle = user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const data = authenticatorData(rp.id, tampering, attested);
      const attestationObject = cborMap([
        [cborText("fmt"), cborText("none")],
        [cborText("attStmt"), cborMap([])],
        [cborText("authData"), cborBytes(data)],
      ]);
      return {
        ...descriptor,
        response: {
          clientDataJSON: text(clientData("webauthn.create", challenge, tampering)),
          attestationObject: text(attestationObject),
          transports: ["internal"],
        },
      };
    },
    get({ challenge, rpId }, tampering = {}) {
      counter += 1;
      const client = clientData("webauthn.get", challenge, tampering);
      const data = authenticatorData(rpId, tampering, null);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...descriptor,
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(signature),
          userHandle: tampering.userHandle ?? userHandle,
        },
      };
    },
  };
}

/** EC2, ES256, P-256, x, y (RFC 9053, section 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = (value: string): Buffer => cborBytes(Buffer.from(value, "base64url"));
  return cborMap([
    [Buffer.of(0x01), Buffer.of(0x02)],
    [Buffer.of(0x03), Buffer.of(0x26)],
    [Buffer.of(0x20), Buffer.of(0x01)],
    [Buffer.of(0x21), point(x)],
    [Buffer.of(0x22), point(y)],
  ]);
}

function cborHead(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.of((kind << 5) | length);
  if (length < 256) return Buffer.of((kind << 5) | 24, length);
  return Buffer.of((kind << 5) | 25, length >> 8, length & 255);
}
const cborBytes = (bytes: Uint8Array): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (value: string): Buffer => Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
const cborMap = (entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);

/** Returns the code that an authenticator app shows at a time. */
export const codeAt = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
