import type { LockCommandState } from "@innkey/shared/enums";
import { api } from "@/lib/api.ts";
import { formatRelative } from "@/lib/format.ts";
import { appTexts, t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { askOpeningReason } from "./ask-opening-reason.ts";
import { lockErrorText } from "./lock-labels.ts";

const POLL_MILLISECONDS = 600;

const FINAL_STATES: readonly LockCommandState[] = ["acknowledged", "failed", "expired", "superseded", "cancelled"];

export function hasEnded(state: LockCommandState): boolean {
  return FINAL_STATES.includes(state);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Polls an unlock until it has ended or the waiting is cancelled, reports each state that a poll finds, and returns the
 * last. An unlock expires after half a minute, so the polling ends.
 */
async function followCommand(
  commandId: string,
  initialState: LockCommandState,
  waiting: AbortSignal,
  onState: (state: LockCommandState) => void,
): Promise<LockCommandState> {
  let state = initialState;
  onState(state);
  while (!hasEnded(state) && !waiting.aborted) {
    await pause(POLL_MILLISECONDS);
    const next = (await api.locks.commandState.query({ commandId })).state;
    if (next !== state && !waiting.aborted) onState(next);
    state = next;
  }
  return state;
}

/** A room's door, or a common door. */
export type Door = { roomName: string; lockId: number } & ({ roomId: number } | { doorId: number });
export type Opening = {
  state: LockCommandState;
  failed: boolean;
  text: string;
  /** Stops the waiting and withdraws what the lock wasn't sent yet; only while it waits. */
  cancel?: () => void;
};

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

/** Asks the lock to open; in an occupied room after asking the staff member why. Null: the door stays shut. */
async function requestOpening(door: Door): Promise<OpeningStarted | null> {
  if ("doorId" in door) return api.doors.open.mutate({ doorId: door.doorId });
  const { roomId, roomName } = door;
  try {
    return await api.locks.open.mutate({ roomId });
  } catch (error) {
    if (failureOf(error).code !== "opening_reason_needed") throw error;
    const why = await askOpeningReason(roomName);
    return why && (await api.locks.open.mutate({ roomId, ...why }));
  }
}

type OpeningStarted = { commandId: string; state: LockCommandState };

/** Withdraws an opening and says what became of it: the lock may have been asked already. */
async function cancelOpening({ roomName: room }: Door, commandId: string): Promise<Opening> {
  const { outcome } = await api.locks.cancelOpening.mutate({ commandId });
  const text = t(outcome === "withdrawn" ? "locks.door.withdrawn" : "locks.door.mayStillOpen", { room });
  return { state: "cancelled", failed: outcome !== "withdrawn", text };
}

/**
 * Opens a door remotely and follows the command to its end, or until the waiting is cancelled. Each step is reported;
 * the last one contains the result. Returns false if the staff member decided not to open an occupied room; nothing is
 * reported then.
 */
export async function openDoor(door: Door, onStep: (opening: Opening) => void): Promise<boolean> {
  const room = door.roomName;
  const waiting = new AbortController();
  const fail = async (error: unknown): Promise<void> =>
    onStep({ state: "failed", failed: true, text: await refusalText(door, error) });
  try {
    const started = await requestOpening(door);
    if (!started) return false;
    const { commandId, state } = started;
    const cancel = (): void => {
      if (waiting.signal.aborted) return;
      waiting.abort();
      cancelOpening(door, commandId).then(onStep, fail);
    };
    const end = await followCommand(commandId, state, waiting.signal, (now) => {
      if (now === "queued" || now === "sent")
        onStep({ state: now, failed: false, text: t(`locks.door.${now}`, { room }), cancel });
    });
    if (waiting.signal.aborted) return true;
    const opened = end === "acknowledged";
    onStep({
      state: end,
      failed: !opened,
      text: opened ? t("locks.door.open", { room }) : await failureReason(door, commandId),
    });
  } catch (error) {
    await fail(error);
  }
  return true;
}

/** Opens a door and shows the steps in a single toast, for places without space for the steps. */
export async function openDoorWithToast(door: Door): Promise<void> {
  await appTexts();
  const id = `open-door-${door.lockId}`;
  await openDoor(door, ({ state, failed, text, cancel }) => {
    if (failed) toast.error(text, { id, duration: 10_000, action: null });
    else if (state === "acknowledged" || !cancel) toast.success(text, { id, duration: 5000, action: null });
    else {
      const action = {
        label: t("common.cancel"),
        onClick: (event: { preventDefault: () => void }) => {
          // The toast stays, to say what became of the opening.
          event.preventDefault();
          cancel();
        },
      };
      toast.info(text, { id, duration: Number.POSITIVE_INFINITY, action });
    }
  });
}
