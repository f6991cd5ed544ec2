import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { queryClient } from "@/lib/query-client.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { toastWithUndo } from "@/lib/undo-toast.ts";
import { type KeysAfter, useStayActions } from "./stay-actions.tsx";

/** Whether an act leaves anything to do or to know about the keys of its stay. */
function concernsKeys({ keys, door }: StayKeys, after: KeysAfter, mayIssue: boolean): boolean {
  if (after === "arrival" || after === "guest" || after === "move")
    return keys.length > 0 || (door !== null && mayIssue);
  return keys.length > 0;
}

/**
 * Returns the end of every act on a stay: its dialog turns into the keys of the stay, or closes with a message if
 * there are none; with `undo`, the message has a way back. The act is done by then, so a failed read of the keys
 * changes nothing.
 */
export function useEndWithKeys(): (
  stayId: number,
  after: KeysAfter,
  done: string,
  onClose: () => void,
  undo?: () => Promise<string>,
) => Promise<void> {
  const actions = useStayActions();
  const can = useCan();
  return async (stayId, after, done, onClose, undo) => {
    const fresh = { staleTime: 0 };
    const keys = await queryClient.fetchQuery(trpc.keys.ofStay.queryOptions({ stayId }, fresh)).catch(() => null);
    if (keys && concernsKeys(keys, after, can("cards.issue") || can("passcodes.issue"))) {
      await queryClient.prefetchQuery(trpc.stays.detail.queryOptions({ stayId }, fresh));
      // The dialog of the act may be one of a page, and closes like any other.
      onClose();
      actions.showKeys(stayId, after, done);
      return;
    }
    if (undo) toastWithUndo(done, undo);
    else toast.success(done);
    onClose();
  };
}
