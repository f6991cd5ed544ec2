import { Copy, Download, Printer } from "lucide-react";
import { useCallback, useState } from "react";
import { copyText } from "@/lib/copy-text.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { PrintSheet, usePrinting } from "@/ui/print-sheet.tsx";

type RecoveryCodesDialogProps = { codes: string[]; onClose: () => void };

/** Shows the ten recovery codes. The console can't show them again once the dialog is closed. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation();
  const [printing, setPrinting] = useState(false);
  usePrinting(
    printing,
    useCallback(() => setPrinting(false), []),
  );
  const text = `${t("twoStep.codesSheet", { site: location.host })}\n\n${codes.join("\n")}\n`;

  function download(): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    link.download = "innkey-recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t("twoStep.codesTitle")}
        description={t("twoStep.codesText")}
        width="sm"
        // The secret is shown only once, so a click outside the dialog must not close it.
        onPointerDownOutside={(event) => event.preventDefault()}
        footer={
          <Button variant="primary" needsServer={false} onClick={onClose}>
            {t("twoStep.codesKept")}
          </Button>
        }
      >
        <div className="grid gap-4">
          <Alert tone="warning" title={t("twoStep.codesOnce")} />
          <ol
            dir="ltr"
            className="grid gap-x-6 gap-y-1.5 rounded-lg bg-sunken px-4 py-4 font-mono text-sm sm:grid-cols-2"
          >
            {codes.map((code) => (
              <li key={code} data-testid="recovery-code">
                {code}
              </li>
            ))}
          </ol>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => void copyText(codes.join("\n"))}>
              <Copy aria-hidden />
              {t("twoStep.copy")}
            </Button>
            <Button size="sm" onClick={download}>
              <Download aria-hidden />
              {t("twoStep.download")}
            </Button>
            <Button size="sm" onClick={() => setPrinting(true)}>
              <Printer aria-hidden />
              {t("twoStep.print")}
            </Button>
          </div>
        </div>
        {printing && (
          <PrintSheet>
            <pre className="font-mono text-base leading-8 whitespace-pre-wrap">{text}</pre>
          </PrintSheet>
        )}
      </DialogContent>
    </Dialog>
  );
}
