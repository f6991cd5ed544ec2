import type { LockCommandState } from "@innkey/shared/enums";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { formatRelative } from "@/lib/format.ts";
import { appTexts, t } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { toast } from "@/lib/toast.ts";
import { api, trpc } from "@/lib/trpc.ts";
import { followCommand } from "./follow-command.ts";
import { lockErrorText } from "./lock-words.ts";

type Door = { roomId: number; roomName: string; lockId: number };
export type Opening = { state: LockCommandState; failed: boolean; text: string };

/** Since when the lock can't be reached; undefined while it can. */
async function awaySince({ roomName: room, lockId }: Door): Promise<string | undefined> {
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

/** Why the door stayed shut: that the lock is away, or the lock's own word. Who may open doors need not see locks. */
async function whyNot(door: Door, commandId: string): Promise<string> {
  const away = await awaySince(door).catch(() => undefined);
  if (away) return away;
  const error = await lockError(door.lockId, commandId).catch(() => "");
  return [t("locks.door.stayedShut", { room: door.roomName }), error].filter(Boolean).join(" ");
}

async function refusal(door: Door, error: unknown): Promise<string> {
  const failure = failureOf(error);
  const away = failure.code === "lock_offline" ? await awaySince(door).catch(() => undefined) : undefined;
  return away ?? failureText(failure);
}

/** Opens a door from afar and follows it to its end; each step is told, and the last one says how it ended. */
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
      text: opened ? t("locks.door.open", { room }) : await whyNot(door, commandId),
    });
  } catch (error) {
    onStep({ state: "failed", failed: true, text: await refusal(door, error) });
  } finally {
    void queryClient.invalidateQueries(trpc.locks.pathFilter());
  }
}

/** The same where there is no room to show it: one message that changes as it goes. */
export async function openDoorInPassing(door: Door): Promise<void> {
  await appTexts();
  const id = `open-door-${door.roomId}`;
  await openDoor(door, ({ state, failed, text }) => {
    if (failed) toast.error(text, { id, duration: 10_000 });
    else if (state === "acknowledged") toast.success(text, { id, duration: 5000 });
    else toast.info(text, { id, duration: Number.POSITIVE_INFINITY });
  });
}
