import { ackMessage, type EventAck, eventMessage, statusMessage } from "@innkey/shared/locks/protocol";
import type { MqttLink, MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { LockReports } from "../../domain/access/locks/reports.ts";
import { type BadMessages, jsonOf } from "./bad-messages.ts";
import type { KeyedQueue } from "./keyed-queue.ts";

const TOPIC = /^lockd\/(\d{1,9})\/([0-9A-F]{12})\/(ack|event|status)$/;

export interface LockMessagesDeps {
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
