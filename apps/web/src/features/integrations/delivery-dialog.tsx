import type { DeliveryRow } from "@innkey/shared/schemas/integrations";
import { Copy } from "lucide-react";
import { copyText } from "@/lib/copy-text.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";
import { answerWords, DELIVERY_LOOK } from "./delivery-columns.tsx";
import { eventWords } from "./event-words.ts";

/** Shows one event exactly as it is sent. */
export function DeliveryDialog({ delivery, onClose }: { delivery: DeliveryRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { id, event, state, body } = delivery;
  const text = JSON.stringify(JSON.parse(body), null, 2);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={eventWords(event)}
        footer={
          <>
            <Button onClick={() => void copyText(text)}>
              <Copy aria-hidden />
              {t("third.copy")}
            </Button>
            <Button variant="primary" needsServer={false} onClick={onClose}>
              {t("common.close")}
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusChip {...DELIVERY_LOOK[state]} size="sm">
              {t(`third.deliveryState.${state}`)}
            </StatusChip>
            <span className="text-muted-foreground">{answerWords(t, delivery)}</span>
          </p>
          <section aria-label={t("third.body")}>
            <h3 className="mb-1 font-semibold">{t("third.body")}</h3>
            <p dir="ltr" className="mb-2 font-mono text-xs break-all text-muted-foreground rtl:text-end">
              webhook-id: {id}
            </p>
            <pre dir="ltr" className="rounded-md bg-sunken px-4 py-3 font-mono text-sm break-all whitespace-pre-wrap">
              {text}
            </pre>
          </section>
        </div>
      </DialogContent>
    </Dialog>
  );
}
