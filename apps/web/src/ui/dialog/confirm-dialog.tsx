import { useState } from "react";
import type { PendingConfirmation } from "@/lib/confirm.ts";
import { t } from "@/lib/i18n.ts";
import { ActionButton } from "../action/action-button.tsx";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from "../primitives/alert-dialog.tsx";

export default function ConfirmDialog({
  title,
  description,
  confirmLabel,
  cancelLabel,
  tone,
  action,
  answer,
}: PendingConfirmation) {
  const [busy, setBusy] = useState(false);

  async function accept(): Promise<void> {
    if (!action) return answer(true);
    setBusy(true);
    try {
      await action();
      answer(true);
    } catch {
      // The mutation cache has shown the error; the dialog stays open for another try.
      setBusy(false);
    }
  }

  return (
    <AlertDialog open onOpenChange={(open) => !open && !busy && answer(false)}>
      <AlertDialogContent {...(!description && { "aria-describedby": undefined })}>
        <AlertDialogHeader>
          <AlertDialogTitle>{title}</AlertDialogTitle>
          {description && <AlertDialogDescription>{description}</AlertDialogDescription>}
        </AlertDialogHeader>
        <AlertDialogFooter>
          <AlertDialogCancel disabled={busy}>{cancelLabel ?? t("common.cancel")}</AlertDialogCancel>
          <ActionButton
            variant={tone === "danger" ? "destructive" : "default"}
            pending={busy}
            onClick={() => void accept()}
          >
            {confirmLabel}
          </ActionButton>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
