import type { TemplateRow } from "@innkey/shared/schemas/price-templates";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { RoomChoice } from "@/entities/room/room-choice.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PreviewBody } from "./preview-body.tsx";
import { previewQuery, usePutOn } from "./put-on.ts";

/** Applies a template in three steps: choose rooms, preview the changes, confirm. */
export function PutOnRoomsDialog({
  template,
  onClose,
}: {
  template: Pick<TemplateRow, "id" | "name" | "rooms">;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const board = useQuery(boardQuery);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(template.rooms.map(({ id }) => id)));
  const [isOpen, setIsOpen] = useState(false);
  const putOn = usePutOn();
  const roomIds = (board.data?.rooms ?? []).filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const preview = useQuery({ ...previewQuery(template.id, roomIds), enabled: isOpen && roomIds.length > 0 });
  const changing = preview.data?.rooms.filter(({ changes }) => changes).length ?? 0;

  async function submit(): Promise<void> {
    await putOn.mutateAsync({ templateId: template.id, roomIds }).then(onClose, () => undefined);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        width="lg"
        title={t("priceTemplates.putOnTitle", { name: template.name })}
        description={isOpen ? t("priceTemplates.charged") : t("priceTemplates.chooseRooms")}
        footer={
          isOpen ? (
            <>
              <Button onClick={() => setIsOpen(false)}>{t("priceTemplates.back")}</Button>
              <Button
                variant="primary"
                pending={putOn.isPending}
                disabled={!preview.data || preview.isFetching || changing === 0}
                onClick={() => void submit()}
              >
                {t("priceTemplates.put", { count: roomIds.length })}
              </Button>
            </>
          ) : (
            <>
              <Button onClick={onClose}>{t("common.cancel")}</Button>
              <Button variant="primary" disabled={roomIds.length === 0} onClick={() => setIsOpen(true)}>
                {t("priceTemplates.preview")}
              </Button>
            </>
          )
        }
      >
        {isOpen ? (
          <PreviewBody query={preview} />
        ) : board.error && !board.data ? (
          <ErrorState error={board.error} onRetry={() => void board.refetch()} />
        ) : board.data ? (
          <RoomChoice board={board.data} value={chosen} onChange={setChosen} withoutLock />
        ) : (
          <Skeleton className="h-60" />
        )}
      </DialogContent>
    </Dialog>
  );
}
