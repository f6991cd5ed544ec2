import { type CommandMessage, lockArgs, lockTopics } from "@innkey/shared/locks/protocol";
import type { MqttLink } from "../../infra/mqtt.ts";
import type { DriverLock, Handed, LockDriver } from "../../modules/locks/driver.ts";

/** The picture of a face for a lock: a small JPEG, base64; null if it is gone. */
export type FaceImages = (hotelId: number, faceId: number) => Promise<string | null>;

/** A JPEG of 45 kB in base64. */
const MAX_IMAGE_CHARACTERS = 60 * 1024;
const INVALID: Handed = { outcome: "answered", ack: { ok: false, error: "invalid" } };
const NOT_NOW: Handed = { outcome: "undelivered", error: "gateway", again: true };

/** Locks that speak our own topics (packages/shared/src/locks/protocol.ts). The lock's answer comes as a message. */
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
        return NOT_NOW;
      }
    },
  };
}

/** Pictures are too large to wait in the outbox: they are put in as the command leaves. Null if there is none. */
async function withFace(lock: DriverLock, command: CommandMessage, images: FaceImages): Promise<CommandMessage | null> {
  if (command.type !== "set_credential") return command;
  const { data } = lockArgs.set_credential.safeParse(command.args);
  if (data?.kind !== "face") return command;
  const image = data.faceId === undefined ? null : await images(lock.hotelId, data.faceId);
  if (!image || image.length > MAX_IMAGE_CHARACTERS) return null;
  return { ...command, args: { ...command.args, image } };
}
