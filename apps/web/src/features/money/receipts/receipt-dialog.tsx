import { guestLanguage, LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import { ExternalLink, FileText } from "lucide-react";
import { useId, useRef, useState } from "react";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Label } from "@/ui/primitives/label.tsx";

type ReceiptDialogProps = { stayId: number; nationality: string | null; onClose: () => void };

/** Opens the receipt as a PDF in a new tab, in the guest's language or another one. */
export function ReceiptDialog({ stayId, nationality, onClose }: ReceiptDialogProps) {
  const hotel = useHotel();
  const id = useId();
  const link = useRef<HTMLAnchorElement>(null);
  const [language, setLanguage] = useState<LanguageCode>(() => guestLanguage(nationality, hotel.language));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("receipt.title")}
        description={t("receipt.text")}
        width="sm"
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          link.current?.focus();
        }}
        footer={
          <>
            <Button variant="outline" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <ActionButton asChild onClick={onClose}>
              <a ref={link} href={`/api/receipts/${stayId}.pdf?language=${language}`} target="_blank" rel="noopener">
                <ExternalLink aria-hidden className="flip-rtl" />
                {t("receipt.open")}
              </a>
            </ActionButton>
          </>
        }
      >
        <div className="grid gap-1.5">
          <Label htmlFor={id}>{t("receipt.language")}</Label>
          <SelectInput
            id={id}
            value={language}
            onChange={setLanguage}
            aria-describedby={`${id}-hint`}
            options={LANGUAGES.map(({ code, nativeName }) => ({ value: code, label: nativeName }))}
          />
          <p id={`${id}-hint`} className="text-sm text-muted-foreground">
            {t("receipt.suggested")}
          </p>
        </div>
      </DialogPanel>
    </Dialog>
  );
}

type ReceiptButtonProps = { stayId: number; nationality: string | null };

/** Asks for the language, then opens the receipt of a stay. */
export function ReceiptButton(props: ReceiptButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionButton variant="outline" size="sm" onClick={() => setAsking(true)}>
        <FileText aria-hidden />
        {t("receipt.title")}
      </ActionButton>
      {asking && <ReceiptDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}
