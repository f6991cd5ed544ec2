import type { FieldValues, UseFormReturn } from "react-hook-form";
import { confirm } from "@/components/confirm.tsx";
import { useTranslation } from "@/lib/i18n.ts";

/** Closes a dialog with a form; what was typed is only thrown away on purpose, and never while it is being sent. */
export function useGuardedClose<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  onClose: () => void,
): () => void {
  const { t } = useTranslation();
  const { isDirty, isSubmitting } = form.formState;

  async function close(): Promise<void> {
    if (isSubmitting) return;
    const discard =
      !isDirty ||
      (await confirm({
        title: t("stay.discardTitle"),
        description: t("stay.discardText"),
        confirmLabel: t("stay.discard"),
        cancelLabel: t("stay.keepEditing"),
        tone: "danger",
      }));
    if (discard) onClose();
  }

  return () => void close();
}
