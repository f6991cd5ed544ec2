import { useBlocker } from "@tanstack/react-router";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { confirm } from "@/lib/confirm.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";

/** Asks whether to discard the typed values. */
function askDiscard(t: Translate): Promise<boolean> {
  return confirm({
    title: t("stay.discardTitle"),
    description: t("stay.discardText"),
    confirmLabel: t("stay.discard"),
    cancelLabel: t("stay.keepEditing"),
    tone: "danger",
  });
}

/**
 * Asks before a page with unsaved values is left: by a tab, a link, the browser's back button or closing its window.
 */
export function useLeaveGuard(unsaved: boolean): void {
  const { t } = useTranslation();
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async () => !(await askDiscard(t)),
  });
}

/**
 * Returns a function that closes a dialog with a form: it asks before it discards typed values, and does nothing while
 * they are being sent.
 */
export function useGuardedClose<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  onClose: () => void,
): () => void {
  const { t } = useTranslation();
  const { isDirty, isSubmitting } = form.formState;

  async function close(): Promise<void> {
    if (isSubmitting) return;
    if (!isDirty || (await askDiscard(t))) onClose();
  }

  return () => void close();
}
