import { Copy, Eye } from "lucide-react";
import { useEffect } from "react";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { copyText } from "@/lib/copy-text.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { CodeDigits } from "./code-digits.tsx";

const VISIBLE_SECONDS = 20;

type RevealDialogProps = {
  person: string;
  /** Undefined while the code is loading and after it was hidden again. */
  code: string | undefined;
  pending: boolean;
  error: unknown;
  onHide: () => void;
  onShow: () => void;
  onClose: () => void;
};

/** Shows a code in plain text for a limited time. */
export function RevealDialog({ person, code, pending, error, onHide, onShow, onClose }: RevealDialogProps) {
  const { t } = useTranslation();
  useEffect(() => {
    if (code === undefined) return;
    const timer = setTimeout(onHide, VISIBLE_SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [code, onHide]);

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        width="sm"
        title={t("passcode.codeFor", { person })}
        footer={
          <Button variant="primary" needsServer={false} onClick={onClose}>
            {t("common.close")}
          </Button>
        }
      >
        {error ? (
          <Alert tone="danger" title={failureText(failureOf(error))} />
        ) : (
          <div className="grid min-h-36 place-content-center justify-items-center gap-4 rounded-lg bg-sunken px-4 py-6">
            {pending ? <Skeleton className="h-11 w-56" /> : <CodeDigits code={code ?? "••••••"} />}
            {code === undefined ? (
              <Button size="sm" pending={pending} onClick={onShow}>
                <Eye aria-hidden />
                {t("passcode.show")}
              </Button>
            ) : (
              <Button size="sm" onClick={() => void copyText(code)}>
                <Copy aria-hidden />
                {t("passcode.copy")}
              </Button>
            )}
          </div>
        )}
        <p className="mt-3 text-sm text-pretty text-muted-foreground">{t("passcode.hiddenAgain")}</p>
      </DialogContent>
    </Dialog>
  );
}
