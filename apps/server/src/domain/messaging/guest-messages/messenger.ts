import type { Database } from "../../../adapters/postgres/client.ts";
import type { SealContext, SecretBox } from "../../../kernel/secret-box.ts";
import { postEvent, signedHeaders } from "../webhooks/deliver-event.ts";

/** Seal context of the secret that signs a hotel's messages to its messenger service. */
export const messengerSecretContext = (hotelId: number): SealContext => ({
  column: "guest_message_settings.webhook_secret_box",
  hotelId,
  row: "",
});

/** A message for a phone number; `id` is the same at every try. */
interface MessengerMessage {
  id: string;
  hotelId: number;
  to: string;
  subject: string;
  text: string;
}

interface MessengerDeps {
  database: Pick<Database, "prisma">;
  secrets: { webhook: SecretBox };
  now: Date;
  allowLocal: boolean;
}

/** Problem that a retry would not solve. */
export class Undeliverable extends Error {}

/**
 * Posts a message to the hotel's messenger service, signed like the events of webhooks. Any 2xx means accepted.
 * @throws Undeliverable if there is no service, Error if it didn't accept the message
 */
export async function sendToMessenger(message: MessengerMessage, deps: MessengerDeps): Promise<void> {
  const { id, hotelId, to, subject, text } = message;
  const { database, secrets, now, allowLocal } = deps;
  const settings = await database.prisma.guestMessageSettings.findUnique({ where: { hotelId } });
  if (!settings?.webhookUrl || !settings.webhookSecretBox) throw new Undeliverable("No messenger service is set up");
  const secret = secrets.webhook.open(settings.webhookSecretBox, messengerSecretContext(hotelId));
  if (secret === null) throw new Undeliverable("The secret can't be decrypted: SECRET_KEY has changed");
  const data = { messageId: id, to, subject, text };
  const body = JSON.stringify({ type: "guest.message", timestamp: now.toISOString(), data });
  const headers = signedHeaders({ id, body, sentAt: now }, [secret]);
  const { status, error } = await postEvent(settings.webhookUrl, { headers, body }, allowLocal);
  if (error === "not_allowed") throw new Undeliverable("The messenger service's address may not be reached");
  if (error !== "")
    throw new Error(status === null ? `Messenger service: ${error}` : `Messenger service answered ${status}`);
}
