import { createHmac, randomBytes } from "node:crypto";
import type { SealContext } from "../../../kernel/secret-box.ts";

/** Signatures as in Standard Webhooks 1.0 (source: github.com/standard-webhooks/standard-webhooks, spec). */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns `whsec_` and 256 random bits as base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** Webhook that the sealed secrets are bound to. */
type Receiver = { id: number; hotelId: number };

export const secretContext = ({ id, hotelId }: Receiver): SealContext => ({
  column: "webhook.secret_box",
  hotelId,
  row: id,
});

/** Seal context of the previous secret, while both secrets sign. */
export const previousSecretContext = ({ id, hotelId }: Receiver): SealContext => ({
  column: "webhook.previous_secret_box",
  hotelId,
  row: id,
});

/** Returns the headers of one try, signed with all valid secrets. `sentAt` is the time of the try. */
export function signedHeaders(
  message: { id: string; body: string; sentAt: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${macOf(secret, signed)}`).join(" "),
  };
}

function macOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
