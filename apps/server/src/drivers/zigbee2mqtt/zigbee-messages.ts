import type { MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { DeviceLinks } from "../../domain/access/lock-links/device-links.ts";
import type { LockReports, ReceivedEvent } from "../../domain/access/lock-links/driver.ts";
import type { LinkedEvents } from "../../domain/access/lock-links/linked-events.ts";
import {
  nameOfUser,
  type OpenCodeCommand,
  type ZigbeeLocks,
  type ZigbeeUserStatus,
} from "../../domain/access/lock-links/zigbee-locks.ts";
import { type BadMessages, jsonOf, type KeyedQueue } from "../mqtt/lock-messages.ts";

import {
  codeChangeOf,
  lastOpeningOf,
  type Opening,
  openingOf,
  presenceOf,
  type ZigbeeDevices,
  type ZigbeeState,
  zigbeeState,
} from "./zigbee-words.ts";

export interface ZigbeeMessagesDeps {
  links: Pick<DeviceLinks, "all" | "storeState">;
  reports: Pick<LockReports, "acknowledge" | "status">;
  events: LinkedEvents;
  locks: Pick<ZigbeeLocks, "findOpenCommands" | "findCredential" | "storeUsers" | "freeUser">;
  devices: Pick<ZigbeeDevices, "setAbilities" | "setPresence" | "isAway">;
  keyedQueue: KeyedQueue;
  bad: BadMessages;
  now: () => Date;
}

/** An identical message within this time is an echo. */
const ECHO_MS = 2_000;
/** Two reports of one opening arrive within this time. */
const SAME_OPENING_MS = 3_000;
const MAX_LOCKS = 10_000;
const STATUSES: ReadonlySet<string> = new Set<ZigbeeUserStatus>(["available", "enabled", "disabled"]);
const isStatus = (text: string): text is ZigbeeUserStatus => STATUSES.has(text);

/** The last values that a lock repeats with every state. Only a change is an event. */
interface RepeatedValues {
  opening: string | null;
  /** when a code was last set and cleared, as the lock reports it; milliseconds */
  savedAt: number | null;
  clearedAt: number | null;
  /** Time of the last accepted opening, by the monotonic clock (milliseconds). */
  openedAt: number;
}

/**
 * Handles what zigbee2mqtt publishes about a hotel's locks. The handler returns null for topics outside every link's
 * base.
 */
export function zigbeeMessages(deps: ZigbeeMessagesDeps): (message: MqttMessage) => Promise<void> | null {
  const { links, reports, devices, keyedQueue, bad } = deps;
  const lastValues = new Map<string, RepeatedValues>();
  /** Openings by code that wait for a second message with the lock's user. */
  const openingsWithoutUser = new Map<string, (last: Opening) => void>();
  const waitForUser = (key: string, opening: Opening): Promise<Opening> =>
    new Promise((resolve) => {
      const finish = (finalOpening: Opening): void => {
        clearTimeout(timer);
        openingsWithoutUser.delete(key);
        resolve(finalOpening);
      };
      const timer = setTimeout(finish, SAME_OPENING_MS, opening).unref();
      openingsWithoutUser.get(key)?.(opening);
      openingsWithoutUser.set(key, ({ style, user }) =>
        finish(style === opening.style ? { ...opening, user } : opening),
      );
    });
  return (message) => {
    const { topic, payload, retained } = message;
    const link = links.all("zigbee2mqtt").find(({ settings }) => topic.startsWith(`${settings.baseTopic}/`));
    if (!link) return null;
    const { hotelId } = link;
    const rest = topic.slice(link.settings.baseTopic.length + 1);
    if (rest === "bridge/state") {
      return links.storeState(hotelId, "zigbee2mqtt", presenceOf(payload) === "offline" ? "gateway" : null);
    }
    if (rest === "bridge/devices") {
      if (!devices.setAbilities(hotelId, jsonOf(payload))) bad.drop(`${hotelId}/zigbee2mqtt`, "devices");
      return Promise.resolve();
    }
    if (rest.startsWith("bridge/") || /\/(set|get)(\/|$)/.test(rest)) return Promise.resolve();
    const address = rest.replace(/\/availability$/, "");
    const name = { hotelId, driver: "zigbee2mqtt" as const, address };
    const key = `${hotelId}/zigbee2mqtt/${address}`;
    if (address !== rest) {
      const state = presenceOf(payload);
      if (!state) return Promise.resolve();
      devices.setPresence(hotelId, address, state === "online");
      return keyedQueue.take(key, () => reports.status(name, { state }, retained));
    }
    const state = zigbeeState.safeParse(jsonOf(payload));
    if (!state.success) {
      bad.drop(key, "state");
      return Promise.resolve();
    }
    if (lastValues.size >= MAX_LOCKS) lastValues.clear();
    const before = lastValues.get(key) ?? null;
    const change = stateChangeOf(state.data, before, retained);
    lastValues.set(key, change.values);
    const messageText = payload.toString("base64");
    const { opening } = change;
    if (change.lastOpening) openingsWithoutUser.get(key)?.(change.lastOpening);
    if (!opening || !change.isUserPending)
      return keyedQueue.take(key, createStateHandler(deps, name, state.data, change, messageText, retained));
    const at = deps.now().toISOString();
    const withoutOpening = { ...change, opening: null };
    const handled = keyedQueue.take(
      key,
      createStateHandler(deps, name, state.data, withoutOpening, messageText, retained),
    );
    const stored = waitForUser(key, opening).then((finalOpening) =>
      keyedQueue.take(key, () => storeOpening(deps, name, finalOpening, at, messageText)),
    );
    return Promise.all([handled, stored]).then(() => undefined);
  };
}

/** The events contained in one state message. */
interface StateChange {
  values: RepeatedValues;
  opening: Opening | null;
  /** The opening is by code, and a second message may name the user, because this lock reports its last user separately. */
  isUserPending: boolean;
  /** The repeated last opening, if it has just changed. */
  lastOpening: Opening | null;
  /** A code was set or cleared, without the number of its user. */
  savedAt: number | null;
  clearedAt: number | null;
  /** First message from this lock since this process started; repeated values in it may be old. */
  isFirst: boolean;
}

function stateChangeOf(state: ZigbeeState, before: RepeatedValues | null, retained: boolean): StateChange {
  const now = performance.now();
  const last = lastOpeningOf(state);
  const lastText = last ? `${state.last_unlock_source} ${state.last_unlock_user}` : (before?.opening ?? null);
  const reported = openingOf(state);
  const hasChanged = last !== null && before?.opening != null && before.opening !== lastText;
  const isRecent = before !== null && now - before.openedAt < SAME_OPENING_MS;
  // If a lock reports one opening both as an action and as a changed last opening, we count it once.
  const reportedWithUser =
    reported && hasChanged && reported.user === null ? { ...reported, user: last.user } : reported;
  const opening = retained
    ? null
    : last === null
      ? reported
      : reportedWithUser
        ? isRecent
          ? null
          : reportedWithUser
        : hasChanged && !isRecent
          ? last
          : null;
  const { last_successful_pincode_save: savedAt = null, last_successful_pincode_clear: clearedAt = null } = state;
  return {
    values: {
      opening: lastText,
      savedAt: savedAt ?? before?.savedAt ?? null,
      clearedAt: clearedAt ?? before?.clearedAt ?? null,
      openedAt: opening && lastText !== null ? now : (before?.openedAt ?? Number.NEGATIVE_INFINITY),
    },
    opening,
    isUserPending: opening?.style === "passcode" && opening.user === null && lastText !== null && !hasChanged,
    lastOpening: hasChanged && !retained ? last : null,
    savedAt: savedAt === before?.savedAt ? null : savedAt,
    clearedAt: clearedAt === before?.clearedAt ? null : clearedAt,
    isFirst: before === null,
  };
}

type ZigbeeName = { hotelId: number; driver: "zigbee2mqtt"; address: string };

/**
 * Returns the work for one state message. The time is taken here, so that retries store the same event. Another worker
 * may have handled an echo.
 */
function createStateHandler(
  deps: ZigbeeMessagesDeps,
  name: ZigbeeName,
  state: ZigbeeState,
  change: StateChange,
  messageText: string,
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
      const { opening, savedAt, clearedAt } = change;
      const codeChange = codeChangeOf(state);
      const isUnlocked = state.state === "UNLOCK" || state.lock_state === "unlocked";
      const mayAnswerCommand =
        opening || isUnlocked || codeChange || users.size > 0 || savedAt !== null || clearedAt !== null;
      const { unlockId, code } = mayAnswerCommand
        ? await locks.findOpenCommands(name.hotelId, name.address)
        : { code: null, unlockId: null };
      const openedByCommand = opening?.success && isRemote(opening, state) ? unlockId : null;
      if (opening) {
        const { user: _user, ...event } = opening;
        const key = await keyOf(deps, name, opening, openedByCommand);
        await events.store(name, { at, ...event, ...key }, messageText, ECHO_MS);
      }
      if (unlockId && (isUnlocked || openedByCommand)) await reports.acknowledge(name, { id: unlockId, ok: true });
      const answer = code && answerOf(code, users, codeChange, change);
      if (codeChange) users.set(codeChange.user, codeChange.act === "set" ? "enabled" : "available");
      if (code && answer) {
        await reports.acknowledge(name, { id: code.commandId, ok: true });
        if (code.userIndex !== null) users.set(code.userIndex, answer);
      }
      if (users.size > 0) await locks.storeUsers(name.hotelId, name.address, users);
      if (code?.type === "remove_credential" && answer && code.userIndex !== null) {
        await locks.freeUser(name.hotelId, name.address, code.userIndex);
      }
    } else if (users.size > 0) await locks.storeUsers(name.hotelId, name.address, users);
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
  { type, userIndex, lastStatus, enabled, sentAtMs }: OpenCodeCommand,
  users: ReadonlyMap<number, ZigbeeUserStatus>,
  codeChange: ReturnType<typeof codeChangeOf>,
  { savedAt, clearedAt, isFirst }: StateChange,
): ZigbeeUserStatus | null {
  if (userIndex === null) return null;
  const act = codeChange?.user === userIndex ? codeChange.act : null;
  const status = users.get(userIndex);
  const isSinceSending = (at: number | null): boolean => at !== null && (!isFirst || at >= sentAtMs);
  if (type === "set_credential") {
    const target = enabled ? "enabled" : "disabled";
    return act === "set" || status === target || isSinceSending(savedAt) ? target : null;
  }
  if (type !== "remove_credential") return null;
  const isDeleted =
    status === "available" && (users.size === 1 || lastStatus === "enabled" || lastStatus === "disabled");
  return act === "cleared" || isDeleted || isSinceSending(clearedAt) ? "available" : null;
}

/** Stores an opening whose credential still has to be found. */
async function storeOpening(
  deps: ZigbeeMessagesDeps,
  name: ZigbeeName,
  opening: Opening,
  at: string,
  messageText: string,
): Promise<void> {
  const { user: _user, ...event } = opening;
  const key = await keyOf(deps, name, opening, null);
  await deps.events.store(name, { at, ...event, ...key }, messageText, ECHO_MS);
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
  const slot = await locks.findCredential(name.hotelId, name.address, user);
  return slot === null ? { foreignKey: nameOfUser(user) } : { credential: { kind: "slot", slot } };
}
