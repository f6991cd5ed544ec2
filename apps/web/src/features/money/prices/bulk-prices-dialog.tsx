import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { PricesForm } from "./prices-form.tsx";

/** Sets the same prices for many rooms. It replaces all their old prices, including those of single dates. */
export default function BulkPricesDialog({
  roomIds,
  onClose,
  onDone,
}: {
  roomIds: number[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent width="lg" className="sm:max-w-5xl" title={t("prices.bulkTitle", { count: roomIds.length })}>
        <PricesForm
          roomIds={roomIds}
          prices={null}
          onCancel={onClose}
          onSaved={onDone}
          note={<Alert tone="warning" title={t("prices.bulkNote", { count: roomIds.length })} />}
        />
      </DialogContent>
    </Dialog>
  );
}
