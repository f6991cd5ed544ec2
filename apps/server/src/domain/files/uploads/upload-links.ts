import type { Announced } from "../../../adapters/storage/upload-storage.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";

/** Parameters of an upload link besides the key: expiry and permitted content. */
export interface UploadLink extends Announced {
  /** Unix seconds. */
  expires: number;
  signature: string;
}

/** Signed links that accept one upload without a session. */
export class UploadLinks {
  readonly #box: SecretBox;
  readonly #clock: Clock;

  constructor(deps: { accountBox: SecretBox; clock: Clock }) {
    this.#box = deps.accountBox;
    this.#clock = deps.clock;
  }

  sign(key: string, announced: Announced, expires: number): UploadLink {
    const signature = this.#box.fingerprint(signed(key, announced, expires)).toString("base64url");
    return { ...announced, expires, signature };
  }

  holds(key: string, { expires, signature, ...announced }: UploadLink): boolean {
    if (!(expires * 1000 > this.#clock.now().getTime())) return false;
    const signatureBytes = Buffer.from(signature, "base64url");
    // The decoder ignores characters outside base64url, so we compare the spelling: each signature has only one.
    return (
      signatureBytes.toString("base64url") === signature &&
      this.#box.isFingerprint(signed(key, announced, expires), signatureBytes)
    );
  }
}

const signed = (key: string, { contentType, size }: Announced, expires: number): string =>
  `upload:${key}:${contentType}:${size}:${expires}`;
