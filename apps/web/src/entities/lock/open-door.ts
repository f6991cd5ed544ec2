import type { LockCommandState } from "@innkey/shared/enums";
import { api } from "@/lib/api.ts";
import { formatRelative } from "@/lib/format.ts";
import { appTexts, t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { lockErrorText } from "./lock-labels.ts";

const POLL_MILLISECONDS = 600;

const FINAL_STATES: readonly LockCommandState[] = ["acknowledged", "failed", "expired", "superseded"];

export function hasEnded(state: LockCommandState): boolean {
  return FINAL_STATES.includes(state);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Polls an unlock until it has ended, reports each state that a poll finds, and returns the last. An unlock expires after
 * half a minute, so the polling ends.
 */
async function followCommand(
  commandId: string,
  initialState: LockCommandState,
  onState: (state: LockCommandState) => void = () => undefined,
): Promise<LockCommandState> {
  let state = initialState;
  onState(state);
  while (!hasEnded(state)) {
    await pause(POLL_MILLISECONDS);
    const next = (await api.locks.commandState.query({ commandId })).state;
    if (next !== state) onState(next);
    state = next;
  }
  return state;
}

type Door = { roomId: number; roomName: string; lockId: number };
export type Opening = { state: LockCommandState; failed: boolean; text: string };

/** Returns a text that says since when the lock has been offline; undefined while it is online. */
async function offlineText({ roomName: room, lockId }: Door): Promise<string | undefined> {
  const { online, lastSeenAt } = await api.locks.detail.query({ lockId });
  if (online) return undefined;
  return lastSeenAt
    ? t("locks.door.offlineSince", { room, when: formatRelative(lastSeenAt) })
    : t("locks.door.neverSeen", { room });
}

async function lockError(lockId: number, commandId: string): Promise<string> {
  const { commands } = await api.locks.commands.query({ lockId, limit: 10 });
  return lockErrorText(commands.find(({ id }) => id === commandId)?.error ?? "");
}

/**
 * Returns why the door stayed shut: the lock is offline, or the lock's own reason. Operators who may open doors don't
 * necessarily have the permission to see locks.
 */
async function failureReason(door: Door, commandId: string): Promise<string> {
  const offline = await offlineText(door).catch(() => undefined);
  if (offline) return offline;
  const error = await lockError(door.lockId, commandId).catch(() => "");
  return [t("locks.door.stayedShut", { room: door.roomName }), error].filter(Boolean).join(" ");
}

async function refusalText(door: Door, error: unknown): Promise<string> {
  const failure = failureOf(error);
  const offline = failure.code === "lock_offline" ? await offlineText(door).catch(() => undefined) : undefined;
  return offline ?? failureText(failure);
}

/**
 * Opens a door remotely and follows the command to its end. Each step is reported; the last one contains the result.
 */
export async function openDoor(door: Door, onStep: (opening: Opening) => void): Promise<void> {
  const room = door.roomName;
  try {
    const { commandId, state } = await api.locks.open.mutate({ roomId: door.roomId });
    const end = await followCommand(commandId, state, (now) => {
      if (now === "queued" || now === "sent")
        onStep({ state: now, failed: false, text: t(`locks.door.${now}`, { room }) });
    });
    const opened = end === "acknowledged";
    onStep({
      state: end,
      failed: !opened,
      text: opened ? t("locks.door.open", { room }) : await failureReason(door, commandId),
    });
  } catch (error) {
    onStep({ state: "failed", failed: true, text: await refusalText(door, error) });
  }
}

/** Opens a door and shows the steps in a single toast, for places without space for the steps. */
export async function openDoorWithToast(door: Door): Promise<void> {
  await appTexts();
  const id = `open-door-${door.roomId}`;
  await openDoor(door, ({ state, failed, text }) => {
    if (failed) toast.error(text, { id, duration: 10_000 });
    else if (state === "acknowledged") toast.success(text, { id, duration: 5000 });
    else toast.info(text, { id, duration: Number.POSITIVE_INFINITY });
  });
}
