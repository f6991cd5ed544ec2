import { timingSafeEqual } from "node:crypto";
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

  constructor(held: { accountBox: SecretBox; clock: Clock }) {
    this.#box = held.accountBox;
    this.#clock = held.clock;
  }

  /** The query of a link, good for `seconds`. Whoever asks for it must have been allowed to see the picture. */
  sign(file: LinkedFile, seconds: number): string {
    const expires = Math.floor(this.#clock.now().getTime() / 1000) + seconds;
    return new URLSearchParams({ expires: String(expires), signature: this.#signature(file, expires) }).toString();
  }

  holds(file: LinkedFile, expires: number, signature: string): boolean {
    if (!(expires * 1000 > this.#clock.now().getTime())) return false;
    const [given, right] = [Buffer.from(signature), Buffer.from(this.#signature(file, expires))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  #signature({ hotelId, id }: LinkedFile, expires: number): string {
    return this.#box.fingerprint(`file:${hotelId}:${id}:${expires}`).toString("base64url");
  }
}
