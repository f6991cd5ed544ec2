import { useBlocker } from "@tanstack/react-router";
import { confirm } from "@/lib/confirm.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";

/** Whether what was typed may be thrown away. */
export function askDiscard(t: Translate): Promise<boolean> {
  return confirm({
    title: t("stay.discardTitle"),
    description: t("stay.discardText"),
    confirmLabel: t("stay.discard"),
    cancelLabel: t("stay.keepEditing"),
    tone: "danger",
  });
}

/** Asks before a page's form is left with something unsaved: by a tab, a link, the browser's back or its window closing. */
export function useLeaveGuard(unsaved: boolean): void {
  const { t } = useTranslation();
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async () => !(await askDiscard(t)),
  });
}
