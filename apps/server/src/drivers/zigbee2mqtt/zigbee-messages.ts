import type { MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { DeviceLinks } from "../../domain/access/lock-links/device-links.ts";
import type { LockReports } from "../../domain/access/lock-links/driver.ts";
import type { LinkedEvents } from "../../domain/access/lock-links/linked-events.ts";
import {
  type AwaitedCode,
  nameOfUser,
  type ZigbeeLocks,
  type ZigbeeUserStatus,
} from "../../domain/access/lock-links/zigbee-locks.ts";
import type { ReceivedEvent } from "../../domain/access/unlocks/reported-event.ts";
import { type BadMessages, jsonOf } from "../mqtt/bad-messages.ts";
import type { KeyedQueue } from "../mqtt/keyed-queue.ts";
import {
  lastOpeningOf,
  type Opening,
  openingOf,
  presenceOf,
  programmedOf,
  type ZigbeeDevices,
  type ZigbeeState,
  zigbeeState,
} from "./zigbee-words.ts";

export interface ZigbeeMessagesDeps {
  links: Pick<DeviceLinks, "all" | "note">;
  reports: Pick<LockReports, "acknowledge" | "status">;
  events: Pick<LinkedEvents, "keep">;
  locks: Pick<ZigbeeLocks, "awaited" | "credentialOf" | "noteUsers" | "free">;
  devices: Pick<ZigbeeDevices, "noteAll" | "notePresence" | "isAway">;
  keyedQueue: KeyedQueue;
  bad: BadMessages;
  now: () => Date;
}

/** An identical message within this time is an echo. */
const ECHO_MS = 2_000;
/** Two reports of one opening arrive within this time. */
const SAME_OPENING_MS = 3_000;
const MAX_REMEMBERED = 10_000;
const STATUSES: ReadonlySet<string> = new Set<ZigbeeUserStatus>(["available", "enabled", "disabled"]);
const isStatus = (text: string): text is ZigbeeUserStatus => STATUSES.has(text);

/** Values that a lock repeats with every state, as last seen. Only a change is an event. */
interface Repeated {
  opening: string | null;
  saved: number | null;
  cleared: number | null;
  /** Time of the last accepted opening, by the monotonic clock (milliseconds). */
  openedAt: number;
}

/**
 * Handles what zigbee2mqtt publishes about a hotel's locks. The handler returns null for topics outside every link's
 * base.
 */
export function zigbeeMessages(deps: ZigbeeMessagesDeps): (message: MqttMessage) => Promise<void> | null {
  const { links, reports, devices, keyedQueue, bad } = deps;
  const remembered = new Map<string, Repeated>();
  /** Openings by code that wait for a second message with the lock's user. */
  const unnamed = new Map<string, (last: Opening) => void>();
  const nameSoon = (key: string, opening: Opening): Promise<Opening> =>
    new Promise((resolve) => {
      const end = (announce: Opening): void => {
        clearTimeout(timer);
        unnamed.delete(key);
        resolve(announce);
      };
      const timer = setTimeout(end, SAME_OPENING_MS, opening).unref();
      unnamed.get(key)?.(opening);
      unnamed.set(key, ({ style, user }) => end(style === opening.style ? { ...opening, user } : opening));
    });
  return (message) => {
    const { topic, payload, retained } = message;
    const link = links.all("zigbee2mqtt").find(({ settings }) => topic.startsWith(`${settings.baseTopic}/`));
    if (!link) return null;
    const { hotelId } = link;
    const rest = topic.slice(link.settings.baseTopic.length + 1);
    if (rest === "bridge/state") {
      return links.note(hotelId, "zigbee2mqtt", presenceOf(payload) === "offline" ? "gateway" : null);
    }
    if (rest === "bridge/devices") {
      if (!devices.noteAll(hotelId, jsonOf(payload))) bad.drop(`${hotelId}/zigbee2mqtt`, "devices");
      return Promise.resolve();
    }
    if (rest.startsWith("bridge/") || /\/(set|get)(\/|$)/.test(rest)) return Promise.resolve();
    const address = rest.replace(/\/availability$/, "");
    const name = { hotelId, driver: "zigbee2mqtt" as const, address };
    const key = `${hotelId}/zigbee2mqtt/${address}`;
    if (address !== rest) {
      const state = presenceOf(payload);
      if (!state) return Promise.resolve();
      devices.notePresence(hotelId, address, state === "online");
      return keyedQueue.take(key, () => reports.status(name, { state }, retained));
    }
    const state = zigbeeState.safeParse(jsonOf(payload));
    if (!state.success) {
      bad.drop(key, "state");
      return Promise.resolve();
    }
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const before = remembered.get(key) ?? null;
    const news = newsOf(state.data, before, retained);
    remembered.set(key, news.repeated);
    const words = payload.toString("base64");
    const { opening } = news;
    if (news.last) unnamed.get(key)?.(news.last);
    if (!opening || !news.unnamed)
      return keyedQueue.take(key, takeState(deps, name, state.data, news, words, retained));
    const at = deps.now().toISOString();
    const status = keyedQueue.take(key, takeState(deps, name, state.data, { ...news, opening: null }, words, retained));
    const attributed = nameSoon(key, opening).then((one) =>
      keyedQueue.take(key, () => keepOpening(deps, name, one, at, words)),
    );
    return Promise.all([status, attributed]).then(() => undefined);
  };
}

/** The events contained in one state message. */
interface News {
  repeated: Repeated;
  opening: Opening | null;
  /**
   * The opening is by code and a second message may follow with the user, because this lock reports its last user
   * separately.
   */
  unnamed: boolean;
  /** The repeated last opening, if it has just changed. */
  last: Opening | null;
  /** A code was set or cleared, without the number of its user. */
  saved: number | null;
  cleared: number | null;
  /** First message from this lock since this process started; repeated values in it may be old. */
  first: boolean;
}

function newsOf(state: ZigbeeState, before: Repeated | null, retained: boolean): News {
  const now = performance.now();
  const last = lastOpeningOf(state);
  const words = last ? `${state.last_unlock_source} ${state.last_unlock_user}` : (before?.opening ?? null);
  const done = openingOf(state);
  const changed = last !== null && before?.opening != null && before.opening !== words;
  const recent = before !== null && now - before.openedAt < SAME_OPENING_MS;
  // If a lock reports one opening both as an action and as a changed last opening, we count it once.
  const attributedOpening = done && changed && done.user === null ? { ...done, user: last.user } : done;
  const opening = retained
    ? null
    : last === null
      ? done
      : attributedOpening
        ? recent
          ? null
          : attributedOpening
        : changed && !recent
          ? last
          : null;
  const { last_successful_pincode_save: saved = null, last_successful_pincode_clear: cleared = null } = state;
  return {
    repeated: {
      opening: words,
      saved: saved ?? before?.saved ?? null,
      cleared: cleared ?? before?.cleared ?? null,
      openedAt: opening && words !== null ? now : (before?.openedAt ?? Number.NEGATIVE_INFINITY),
    },
    opening,
    unnamed: opening?.style === "passcode" && opening.user === null && words !== null && !changed,
    last: changed && !retained ? last : null,
    saved: saved === before?.saved ? null : saved,
    cleared: cleared === before?.cleared ? null : cleared,
    first: before === null,
  };
}

type ZigbeeName = { hotelId: number; driver: "zigbee2mqtt"; address: string };

/**
 * Returns the work for one state message. The time is taken here, so that retries store the same event. Another worker
 * may have handled an echo.
 */
function takeState(
  deps: ZigbeeMessagesDeps,
  name: ZigbeeName,
  state: ZigbeeState,
  news: News,
  words: string,
  retained: boolean,
) {
  const { reports, locks, events, devices } = deps;
  const at = deps.now().toISOString();
  return async (): Promise<void> => {
    const users = usersOf(state);
    // Retained messages describe the past, so they cause no events.
    if (!retained) {
      // Any message from a lock shows that it is online.
      if (!devices.isAway(name.hotelId, name.address)) {
        await reports.status(name, { state: "online", ...(state.battery != null && { power: state.battery }) });
      }
      const { opening } = news;
      const programmed = programmedOf(state);
      const unlocked = state.state === "UNLOCK" || state.lock_state === "unlocked";
      const asks = opening || unlocked || programmed || users.size > 0 || news.saved !== null || news.cleared !== null;
      const awaited = asks ? await locks.awaited(name.hotelId, name.address) : { code: null, unlockId: null };
      const byUs = opening?.success && isRemote(opening, state) ? awaited.unlockId : null;
      if (opening) {
        const { user: _user, ...event } = opening;
        const key = await keyOf(deps, name, opening, byUs);
        await events.keep(name, { at, ...event, ...key }, words, ECHO_MS);
      }
      const { unlockId, code } = awaited;
      if (unlockId && (unlocked || byUs)) await reports.acknowledge(name, { id: unlockId, ok: true });
      const answer = code && answerOf(code, users, programmed, news);
      if (programmed) users.set(programmed.user, programmed.act === "set" ? "enabled" : "available");
      if (code && answer) {
        await reports.acknowledge(name, { id: code.commandId, ok: true });
        if (code.userIndex !== null) users.set(code.userIndex, answer);
      }
      if (users.size > 0) await locks.noteUsers(name.hotelId, name.address, users);
      if (code?.type === "remove_credential" && answer && code.userIndex !== null) {
        await locks.free(name.hotelId, name.address, code.userIndex);
      }
    } else if (users.size > 0) await locks.noteUsers(name.hotelId, name.address, users);
  };
}

function usersOf({ users }: ZigbeeState): Map<number, ZigbeeUserStatus> {
  const userStatuses = new Map<number, ZigbeeUserStatus>();
  for (const [index, { status }] of Object.entries(users ?? {})) {
    if (/^\d{1,3}$/.test(index) && isStatus(status)) userStatuses.set(Number(index), status);
  }
  return userStatuses;
}

/**
 * Returns the new status of a code's user if the state confirms its command, otherwise null. zigbee2mqtt may repeat
 * cached values of all users with every state, so we accept a deletion only if the lock is known to have had the code,
 * the state is about that user alone, or the lock reports that it has just deleted the code.
 */
function answerOf(
  { type, userIndex, lastStatus, enabled, sentAtMs }: AwaitedCode,
  users: ReadonlyMap<number, ZigbeeUserStatus>,
  programmed: ReturnType<typeof programmedOf>,
  { saved, cleared, first }: News,
): ZigbeeUserStatus | null {
  if (userIndex === null) return null;
  const act = programmed?.user === userIndex ? programmed.act : null;
  const status = users.get(userIndex);
  const isNews = (at: number | null): boolean => at !== null && (!first || at >= sentAtMs);
  if (type === "set_credential") {
    const target = enabled ? "enabled" : "disabled";
    return act === "set" || status === target || isNews(saved) ? target : null;
  }
  if (type !== "remove_credential") return null;
  const isDeleted =
    status === "available" && (users.size === 1 || lastStatus === "enabled" || lastStatus === "disabled");
  return act === "cleared" || isDeleted || isNews(cleared) ? "available" : null;
}

/** Stores an opening that needs only the credential looked up. */
async function keepOpening(
  deps: ZigbeeMessagesDeps,
  name: ZigbeeName,
  opening: Opening,
  at: string,
  words: string,
): Promise<void> {
  const { user: _user, ...event } = opening;
  const key = await keyOf(deps, name, opening, null);
  await deps.events.keep(name, { at, ...event, ...key }, words, ECHO_MS);
}

/** Whether the opening came through the lock's radio; some locks name no source for those. */
const isRemote = ({ style }: Opening, { action, action_source_name: source }: ZigbeeState): boolean =>
  style === "remote" || (action === "unlock" && source == null);

/**
 * Returns the key of an opening: the command for an opening by the console, the slot of a code, or the name of a code
 * that the console did not set.
 */
async function keyOf(
  { locks }: ZigbeeMessagesDeps,
  name: ZigbeeName,
  { style, user }: Opening,
  commandId: string | null,
): Promise<Pick<ReceivedEvent, "credential" | "foreignKey">> {
  if (commandId !== null) return { credential: { kind: "command", id: commandId } };
  if (user === null || style !== "passcode") return {};
  const slot = await locks.credentialOf(name.hotelId, name.address, user);
  return slot === null ? { foreignKey: nameOfUser(user) } : { credential: { kind: "slot", slot } };
}
