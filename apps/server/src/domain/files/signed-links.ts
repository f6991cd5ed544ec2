import type { UploadAnnouncement } from "../../adapters/storage/storage.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SecretBox } from "../../kernel/secret-box.ts";

/** Picture with the hotel that it belongs to. */
interface LinkedFile {
  hotelId: number;
  id: string;
}

/**
 * Signed links that open one picture for a limited time without a session, for clients that load pictures by address
 * alone.
 */
export class FileLinks {
  readonly #box: SecretBox;
  readonly #clock: Clock;

  constructor(deps: { accountBox: SecretBox; clock: Clock }) {
    this.#box = deps.accountBox;
    this.#clock = deps.clock;
  }

  /**
   * Returns the query of a link that is valid for `seconds`. The caller must have checked that the user may see the
   * picture.
   */
  sign(file: LinkedFile, seconds: number): string {
    const expires = Math.floor(this.#clock.now().getTime() / 1000) + seconds;
    const signature = this.#box.fingerprint(signedFileText(file, expires)).toString("base64url");
    return new URLSearchParams({ expires: String(expires), signature }).toString();
  }

  /** Checks whether the signature is genuine and the link not expired; `expires` in Unix seconds. */
  isValid(file: LinkedFile, expires: number, signature: string): boolean {
    if (!(expires * 1000 > this.#clock.now().getTime())) return false;
    const signatureBytes = Buffer.from(signature, "base64url");
    // The decoder ignores characters outside base64url, so we compare the spelling: each signature has only one.
    return (
      signatureBytes.toString("base64url") === signature &&
      this.#box.isFingerprint(signedFileText(file, expires), signatureBytes)
    );
  }
}

const signedFileText = ({ hotelId, id }: LinkedFile, expires: number): string => `file:${hotelId}:${id}:${expires}`;

/** Parameters of an upload link besides the key: expiry and permitted content. */
export interface UploadLink extends UploadAnnouncement {
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

  sign(key: string, announcement: UploadAnnouncement, expires: number): UploadLink {
    const signature = this.#box.fingerprint(signedUploadText(key, announcement, expires)).toString("base64url");
    return { ...announcement, expires, signature };
  }

  /** Checks whether the signature is genuine and the link not expired. */
  isValid(key: string, { expires, signature, ...announcement }: UploadLink): boolean {
    if (!(expires * 1000 > this.#clock.now().getTime())) return false;
    const signatureBytes = Buffer.from(signature, "base64url");
    // The decoder ignores characters outside base64url, so we compare the spelling: each signature has only one.
    return (
      signatureBytes.toString("base64url") === signature &&
      this.#box.isFingerprint(signedUploadText(key, announcement, expires), signatureBytes)
    );
  }
}

const signedUploadText = (key: string, { contentType, size }: UploadAnnouncement, expires: number): string =>
  `upload:${key}:${contentType}:${size}:${expires}`;
