import type { LockEvent } from "@innkey/shared/locks/protocol";
import type { MqttMessage } from "../../infra/mqtt.ts";
import type { DeviceLinks } from "../../modules/locks/device-links.ts";
import type { LinkedEvents } from "../../modules/locks/linked-events.ts";
import type { LockReports } from "../../modules/locks/reports.ts";
import type { AwaitedCommand, ZigbeeLocks, ZigbeeUserStatus } from "../../modules/locks/zigbee-locks.ts";
import { type BadMessages, jsonOf } from "./bad-messages.ts";
import type { Turns } from "./turns.ts";
import { openingOf, presenceOf, type ZigbeeState, zigbeeState } from "./zigbee-words.ts";

export interface ZigbeeMessagesNeeds {
  links: Pick<DeviceLinks, "all" | "note">;
  reports: Pick<LockReports, "acknowledge" | "status">;
  events: Pick<LinkedEvents, "keep">;
  locks: Pick<ZigbeeLocks, "awaited" | "credentialOf" | "noteUsers" | "free">;
  turns: Turns;
  bad: BadMessages;
  now: () => Date;
}

/** The same words again this soon are an echo. */
const ECHO_MS = 2_000;
const STATUSES: ReadonlySet<string> = new Set<ZigbeeUserStatus>(["available", "enabled", "disabled"]);
const isStatus = (text: string): text is ZigbeeUserStatus => STATUSES.has(text);

/** Takes what zigbee2mqtt publishes of a hotel's locks. Null if the topic is below no link's base. */
export function zigbeeMessages(needs: ZigbeeMessagesNeeds): (message: MqttMessage) => Promise<void> | null {
  const { links, reports, turns, bad } = needs;
  const echoes = new Map<string, { words: string; at: number }>();
  return (message) => {
    const { topic, payload } = message;
    const link = links.all("zigbee2mqtt").find(({ settings }) => topic.startsWith(`${settings.baseTopic}/`));
    if (!link) return null;
    const { hotelId } = link;
    const rest = topic.slice(link.settings.baseTopic.length + 1);
    if (rest === "bridge/state") {
      return links.note(hotelId, "zigbee2mqtt", presenceOf(payload) === "offline" ? "gateway" : "");
    }
    if (rest.startsWith("bridge/") || /\/(set|get)(\/|$)/.test(rest)) return Promise.resolve();
    const address = rest.replace(/\/availability$/, "");
    const name = { hotelId, driver: "zigbee2mqtt" as const, address };
    const key = `${hotelId}/zigbee2mqtt/${address}`;
    if (address !== rest) {
      const state = presenceOf(payload);
      return state ? turns.take(key, () => reports.status(name, { state })) : Promise.resolve();
    }
    const state = zigbeeState.safeParse(jsonOf(payload));
    if (!state.success) {
      bad.drop(key, "state");
      return Promise.resolve();
    }
    const words = payload.toString("base64");
    const before = echoes.get(key);
    const now = performance.now();
    if (before && before.words === words && now - before.at < ECHO_MS) return Promise.resolve();
    if (echoes.size > 10_000) echoes.clear();
    echoes.set(key, { words, at: now });
    return turns.take(key, takeState(needs, name, state.data, words, message.retained));
  };
}

type ZigbeeName = { hotelId: number; driver: "zigbee2mqtt"; address: string };

/**
 * The same work each time it is tried: an event has its time and so its identity from the beginning. Another worker may
 * have heard the echo.
 */
function takeState(needs: ZigbeeMessagesNeeds, name: ZigbeeName, state: ZigbeeState, words: string, retained: boolean) {
  const { reports, locks, events } = needs;
  const at = needs.now().toISOString();
  return async (): Promise<void> => {
    if (state.battery != null) await reports.status(name, { state: "online", power: state.battery });
    const users = usersOf(state);
    // What the broker kept is what was, not what happens.
    if (!retained) {
      const opening = openingOf(state);
      const unlocked = state.state === "UNLOCK" || state.lock_state === "unlocked";
      const awaited = opening || unlocked || users.size > 0 ? await locks.awaited(name.hotelId, name.address) : null;
      if (opening) {
        const credential = await shownOf(needs, name, state, awaited);
        await events.keep(name, { at, ...opening, ...(credential && { credential }) }, words, ECHO_MS);
      }
      if (awaited && isDone(awaited, users, unlocked)) {
        await reports.acknowledge(name, { id: awaited.commandId, ok: true });
        if (awaited.type === "remove_credential" && awaited.userIndex !== null) {
          await locks.free(name.hotelId, name.address, awaited.userIndex);
        }
      }
    }
    if (users.size > 0) await locks.noteUsers(name.hotelId, name.address, users);
  };
}

function usersOf({ users }: ZigbeeState): ReadonlyMap<number, ZigbeeUserStatus> {
  const found = new Map<number, ZigbeeUserStatus>();
  for (const [index, { status }] of Object.entries(users ?? {})) {
    if (/^\d{1,3}$/.test(index) && isStatus(status)) found.set(Number(index), status);
  }
  return found;
}

/**
 * Whether a state shows that a command was done. zigbee2mqtt repeats what it remembers of all users with every state; a
 * code is believed gone only where the lock is known to have had it, or the state is about that user alone.
 */
function isDone(awaited: AwaitedCommand, users: ReadonlyMap<number, ZigbeeUserStatus>, unlocked: boolean): boolean {
  const { type, userIndex, lastStatus, begun } = awaited;
  if (type === "unlock") return unlocked;
  const status = userIndex === null ? undefined : users.get(userIndex);
  if (type === "set_credential") return status === (begun ? "enabled" : "disabled");
  if (type !== "remove_credential" || status !== "available") return false;
  return users.size === 1 || lastStatus === "enabled" || lastStatus === "disabled";
}

/** A person is known by their code; an opening that the console asked for, by its command. */
async function shownOf(
  { locks }: ZigbeeMessagesNeeds,
  name: ZigbeeName,
  { action_user: user, action_source_name: source }: ZigbeeState,
  awaited: AwaitedCommand | null,
): Promise<LockEvent["credential"]> {
  if (awaited?.type === "unlock" && source === "rf") return { kind: "command", id: awaited.commandId };
  if (user == null || source !== "keypad") return undefined;
  const slot = await locks.credentialOf(name.hotelId, name.address, user);
  return slot === null ? undefined : { kind: "slot", slot };
}
