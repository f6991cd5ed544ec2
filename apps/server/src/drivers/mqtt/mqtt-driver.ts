import {
  ackMessage,
  type CommandMessage,
  type EventAck,
  eventMessage,
  lockArgs,
  lockTopics,
  statusMessage,
} from "@innkey/shared/locks/protocol";
import type { MqttLink, MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { DriverLock, LockDriver, LockReports, SendResult } from "../../domain/access/lock-links/driver.ts";
import { type BadMessages, jsonOf } from "./bad-messages.ts";
import type { KeyedQueue } from "./keyed-queue.ts";

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

const TOPIC = /^lockd\/(\d{1,9})\/([0-9A-F]{12})\/(ack|event|status)$/;

interface LockMessagesDeps {
  link: Pick<MqttLink, "publish">;
  reports: Omit<LockReports, "listening">;
  keyedQueue: KeyedQueue;
  bad: BadMessages;
}

/** Handles the messages of locks with driver `mqtt`, in order per lock. The handler returns null for other topics. */
export function lockMessages(deps: LockMessagesDeps): (message: MqttMessage) => Promise<void> | null {
  const { reports, keyedQueue, bad } = deps;
  return ({ topic, payload, retained }) => {
    const [, hotel, digits, part] = TOPIC.exec(topic) ?? [];
    if (hotel === undefined || digits === undefined) return null;
    const lock = { hotelId: Number(hotel), mac: digits.replace(/..(?=.)/g, "$&:") };
    const key = `${hotel}/${digits}`;
    const drop = async (): Promise<void> => bad.drop(key, part ?? "");
    if (part === "ack") {
      const ack = ackMessage.safeParse(jsonOf(payload));
      return ack.success ? keyedQueue.take(key, () => reports.acknowledge(lock, ack.data)) : drop();
    }
    if (part === "status") {
      // The last will is a bare word, because it is set in advance and can't contain a time.
      const bare = payload.toString("utf8").trim() === "offline";
      const status = statusMessage.safeParse(bare ? { state: "offline" } : jsonOf(payload));
      return status.success ? keyedQueue.take(key, () => reports.status(lock, status.data, retained)) : drop();
    }
    const batch = eventMessage.safeParse(jsonOf(payload));
    if (!batch.success) return drop();
    const { events, log } = batch.data;
    return keyedQueue.take(key, async () => {
      const seq = await reports.events(lock, events, log);
      acknowledge(deps.link, `${topic}/ack`, log === null ? { seq } : { seq, log });
    });
  };
}

/**
 * Acknowledges stored events only. We don't await the broker: while too many messages are in work its answers aren't
 * read, and a lock without an acknowledgement sends its events again.
 */
function acknowledge(link: LockMessagesDeps["link"], topic: string, ack: EventAck): void {
  link.publish(topic, JSON.stringify(ack)).catch(() => undefined);
}
