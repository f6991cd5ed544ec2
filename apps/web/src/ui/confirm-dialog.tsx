import { AlertDialog as Radix } from "radix-ui";
import { useState } from "react";
import type { PendingConfirmation } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "./primitives/button.tsx";
import { scrimStyle } from "./primitives/overlay-style.ts";
import { useReturnFocus } from "./primitives/use-return-focus.ts";

export default function ConfirmDialog({
  title,
  description,
  confirmLabel,
  cancelLabel,
  tone = "primary",
  action,
  answer,
}: PendingConfirmation) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const returnFocus = useReturnFocus();

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
    <Radix.Root open onOpenChange={(open) => !open && !busy && answer(false)}>
      <Radix.Portal>
        <Radix.Overlay className={scrimStyle} />
        <Radix.Content
          {...returnFocus}
          {...(!description && { "aria-describedby": undefined })}
          className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md rounded-xl border bg-popover p-5 text-popover-foreground shadow-dialog outline-none data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-100 sm:top-[22vh] sm:bottom-auto"
        >
          <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
          {description && <Radix.Description className="mt-1.5 text-muted-foreground">{description}</Radix.Description>}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Radix.Cancel asChild>
              <Button disabled={busy}>{cancelLabel ?? t("common.cancel")}</Button>
            </Radix.Cancel>
            <Button variant={tone} pending={busy} onClick={() => void accept()}>
              {confirmLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
