import { t } from "./i18n.ts";
import { failureOf, failureText } from "./rest.ts";
import { toast } from "./toast.ts";

/** Long enough to read what was done and to reach the button. */
const DURATION_MS = 10_000;

/** Says what was done, with a button that undoes it. `undone` says that it is undone; a refusal says why it isn't. */
export function toastWithUndo(done: string, undo: () => Promise<unknown>, undone: string): void {
  const run = async (): Promise<void> => {
    try {
      await undo();
      toast.success(undone);
    } catch (error) {
      toast.error(failureText(failureOf(error)));
    }
  };
  toast.success(done, { duration: DURATION_MS, action: { label: t("common.undo"), onClick: () => void run() } });
}
