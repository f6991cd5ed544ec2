import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import { copyText } from "@/lib/browser/copy-text.ts";
import { t } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";

type SecretDialogProps = { title: string; label: string; value: string; onClose: () => void; children?: ReactNode };

/** Shows a key or secret. The console can't show it again once the dialog is closed. */
export function SecretDialog({ title, label, value, onClose, children }: SecretDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={title}
        // The secret is shown only once, so a click outside the dialog must not close it.
        onPointerDownOutside={(event) => event.preventDefault()}
        footer={
          <ActionButton needsServer={false} onClick={onClose}>
            {t("third.done")}
          </ActionButton>
        }
      >
        <div className="grid gap-4">
          <Callout tone="warning" title={t("third.once")} />
          <div className="grid gap-3 rounded-lg bg-sunken px-4 py-4">
            <p dir="ltr" className="font-mono text-sm break-all" data-testid="shown-once">
              <span className="sr-only">{label} </span>
              {value}
            </p>
            <Button variant="outline" size="sm" className="justify-self-start" onClick={() => void copyText(value)}>
              <Copy aria-hidden />
              {t("third.copy")}
            </Button>
          </div>
          {children}
        </div>
      </DialogPanel>
    </Dialog>
  );
}
