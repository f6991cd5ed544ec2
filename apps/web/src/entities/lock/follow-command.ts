import type { LockCommandState } from "@innkey/shared/enums";
import { api } from "@/lib/trpc.ts";

const ASK_MILLISECONDS = 600;

const ENDED: readonly LockCommandState[] = ["acknowledged", "failed", "expired", "superseded"];

export function hasEnded(state: LockCommandState): boolean {
  return ENDED.includes(state);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks after a command until it has ended, and tells each state it is in. Commands expire, so this ends. */
export async function followCommand(
  commandId: string,
  first: LockCommandState,
  onState: (state: LockCommandState) => void = () => undefined,
): Promise<LockCommandState> {
  let state = first;
  onState(state);
  while (!hasEnded(state)) {
    await pause(ASK_MILLISECONDS);
    const next = (await api.locks.commandState.query({ commandId })).state;
    if (next !== state) onState(next);
    state = next;
  }
  return state;
}
