import { type CommandMessage, lockArgs, lockTopics } from "@innkey/shared/locks/protocol";
import type { MqttLink } from "../../adapters/mqtt/mqtt.ts";
import type { DriverLock, LockDriver, SendResult } from "../../domain/access/lock-links/driver.ts";

/** Returns a face's picture for a lock as a small JPEG in base64, or null if it was deleted. */
export type FaceImages = (hotelId: number, faceId: number) => Promise<string | null>;

/** Size of a 45 kB JPEG in base64. */
const MAX_IMAGE_CHARACTERS = 60 * 1024;
const INVALID: SendResult = { outcome: "answered", ack: { ok: false, error: "invalid" } };
const NOT_DELIVERED: SendResult = { outcome: "undelivered", error: "gateway", again: true };

/**
 * Driver for locks that use our own topics (packages/shared/src/locks/protocol.ts). The lock answers with a later
 * message.
 */
export function mqttDriver(link: Pick<MqttLink, "publish">, faceImages: FaceImages): LockDriver {
  return {
    name: "mqtt",
    async send(lock, command, signal) {
      try {
        const message = await withFace(lock, command, faceImages);
        if (!message) return INVALID;
        await link.publish(`${lockTopics.root(lock.hotelId, lock.mac)}/command`, JSON.stringify(message), { signal });
        return { outcome: "sent" };
      } catch {
        return NOT_DELIVERED;
      }
    },
  };
}

/**
 * Adds the face's picture to a command as it leaves, because pictures are too large to store in the outbox. Returns
 * null if the picture is missing or too large.
 */
async function withFace(lock: DriverLock, command: CommandMessage, images: FaceImages): Promise<CommandMessage | null> {
  if (command.type !== "set_credential") return command;
  const { data } = lockArgs.set_credential.safeParse(command.args);
  if (data?.kind !== "face") return command;
  const image = data.faceId === undefined ? null : await images(lock.hotelId, data.faceId);
  if (!image || image.length > MAX_IMAGE_CHARACTERS) return null;
  return { ...command, args: { ...command.args, image } };
}
