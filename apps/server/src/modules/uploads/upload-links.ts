import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Announced } from "../../infra/upload-storage.ts";

/** What a link to this server says beside the key: until when, and what may come. */
export interface UploadLink extends Announced {
  /** Unix seconds */
  expires: number;
  signature: string;
}

/** Links that take one upload in without a session. */
export class UploadLinks {
  readonly #box: SecretBox;
  readonly #clock: Clock;

  constructor(held: { accountBox: SecretBox; clock: Clock }) {
    this.#box = held.accountBox;
    this.#clock = held.clock;
  }

  sign(key: string, announced: Announced, expires: number): UploadLink {
    return { ...announced, expires, signature: this.#signature(key, announced, expires) };
  }

  holds(key: string, { expires, signature, ...announced }: UploadLink): boolean {
    if (!(expires * 1000 > this.#clock.now().getTime())) return false;
    const [given, right] = [Buffer.from(signature), Buffer.from(this.#signature(key, announced, expires))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  #signature(key: string, { contentType, size }: Announced, expires: number): string {
    return this.#box.fingerprint(`upload:${key}:${contentType}:${size}:${expires}`).toString("base64url");
  }
}
