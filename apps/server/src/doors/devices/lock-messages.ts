import { ackMessage, type EventAck, eventMessage, statusMessage } from "@innkey/shared/locks/protocol";
import type { MqttLink, MqttMessage } from "../../infra/mqtt.ts";
import type { LockReports } from "../../modules/locks/reports.ts";
import { type BadMessages, jsonOf } from "./bad-messages.ts";
import type { Turns } from "./keyed-queue.ts";

const TOPIC = /^lockd\/(\d{1,9})\/([0-9A-F]{12})\/(ack|event|status)$/;

export interface LockMessagesDeps {
  link: Pick<MqttLink, "publish">;
  reports: Omit<LockReports, "listening">;
  turns: Turns;
  bad: BadMessages;
}

/** Takes what locks of driver `mqtt` say, each lock's words one after the other. Null if the topic is none of theirs. */
export function lockMessages(deps: LockMessagesDeps): (message: MqttMessage) => Promise<void> | null {
  const { reports, turns, bad } = deps;
  return ({ topic, payload, retained }) => {
    const [, hotel, digits, part] = TOPIC.exec(topic) ?? [];
    if (hotel === undefined || digits === undefined) return null;
    const lock = { hotelId: Number(hotel), mac: digits.replace(/..(?=.)/g, "$&:") };
    const key = `${hotel}/${digits}`;
    const drop = async (): Promise<void> => bad.drop(key, part ?? "");
    if (part === "ack") {
      const ack = ackMessage.safeParse(jsonOf(payload));
      return ack.success ? turns.take(key, () => reports.acknowledge(lock, ack.data)) : drop();
    }
    if (part === "status") {
      // A last will can't know the time: the bare word will do.
      const bare = payload.toString("utf8").trim() === "offline";
      const status = statusMessage.safeParse(bare ? { state: "offline" } : jsonOf(payload));
      return status.success ? turns.take(key, () => reports.status(lock, status.data, retained)) : drop();
    }
    const batch = eventMessage.safeParse(jsonOf(payload));
    if (!batch.success) return drop();
    const { events, log } = batch.data;
    return turns.take(key, async () => {
      const seq = await reports.events(lock, events, log);
      acknowledge(deps.link, `${topic}/ack`, log === null ? { seq } : { seq, log });
    });
  };
}

/**
 * Only what is kept is acknowledged. Nothing waits for the broker here: while too much is in work its answers aren't read,
 * and a lock that hears nothing sends its events again.
 */
function acknowledge(link: LockMessagesDeps["link"], topic: string, ack: EventAck): void {
  link.publish(topic, JSON.stringify(ack)).catch(() => undefined);
}
