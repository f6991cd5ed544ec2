import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useTranslation } from "@/lib/i18n.ts";
import { askDiscard } from "./use-leave-guard.ts";

/** Closes a dialog with a form; what was typed is only thrown away on purpose, and never while it is being sent. */
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
