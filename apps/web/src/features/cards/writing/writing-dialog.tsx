import { Nfc } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { DialogContent } from "@/ui/primitives/dialog.tsx";
import type { CardWriting } from "./use-card-writing.ts";

type WritingDialogProps = {
  title: ReactNode;
  description: ReactNode;
  writing: CardWriting;
  /** Label of the button that writes. */
  label: string;
  onClose: () => void;
  children: ReactNode;
};

/** Content of a dialog that writes a card. While writing, only Cancel, Escape and the close button end it. */
export function WritingDialogContent({ title, description, writing, label, onClose, children }: WritingDialogProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const { busy, progress } = writing;
  return (
    <DialogContent
      title={title}
      description={description}
      onInteractOutside={(event) => busy && event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        button.current?.focus();
      }}
      footer={
        <>
          <Button onClick={onClose}>{progress.state === "done" ? t("common.close") : t("common.cancel")}</Button>
          <Button ref={button} variant="primary" pending={busy} onClick={writing.write}>
            <Nfc aria-hidden />
            {label}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">{children}</div>
    </DialogContent>
  );
}
