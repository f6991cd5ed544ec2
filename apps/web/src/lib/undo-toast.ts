import { t } from "./i18n.ts";
import { failureOf, failureText } from "./rest.ts";
import { toast } from "./toast.ts";

/** Long enough to read what was done and to reach the button. */
const DURATION_MS = 10_000;

/**
 * Says what was done, with a button that undoes it. `undo` returns what to say then, or null if it said so itself; a
 * refusal says why nothing was undone.
 */
export function toastWithUndo(done: string, undo: () => Promise<string | null>): void {
  const run = async (): Promise<void> => {
    try {
      const undone = await undo();
      if (undone !== null) toast.success(undone);
    } catch (error) {
      toast.error(failureText(failureOf(error)));
    }
  };
  toast.success(done, { duration: DURATION_MS, action: { label: t("common.undo"), onClick: () => void run() } });
}
