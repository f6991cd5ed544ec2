import type { Clock } from "../../core/clock.ts";
import type { SecretBox } from "../../core/secret-box.ts";

/** Which picture of which hotel. */
export interface LinkedFile {
  hotelId: number;
  id: string;
}

/** Links that open one picture for a while without a session, for clients that show pictures by address alone. */
export class FileLinks {
  readonly #box: SecretBox;
  readonly #clock: Clock;

  constructor(deps: { accountBox: SecretBox; clock: Clock }) {
    this.#box = deps.accountBox;
    this.#clock = deps.clock;
  }

  /** The query of a link, good for `seconds`. Whoever asks for it must have been allowed to see the picture. */
  sign(file: LinkedFile, seconds: number): string {
    const expires = Math.floor(this.#clock.now().getTime() / 1000) + seconds;
    const signature = this.#box.fingerprint(signed(file, expires)).toString("base64url");
    return new URLSearchParams({ expires: String(expires), signature }).toString();
  }

  holds(file: LinkedFile, expires: number, signature: string): boolean {
    if (!(expires * 1000 > this.#clock.now().getTime())) return false;
    const signatureBytes = Buffer.from(signature, "base64url");
    // The decoder overlooks what is no base64url; a signature has one spelling.
    return (
      signatureBytes.toString("base64url") === signature &&
      this.#box.isFingerprint(signed(file, expires), signatureBytes)
    );
  }
}

const signed = ({ hotelId, id }: LinkedFile, expires: number): string => `file:${hotelId}:${id}:${expires}`;
