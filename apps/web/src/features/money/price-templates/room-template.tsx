import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { Tags } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PreviewBody, previewQuery, usePutOn } from "./put-on.tsx";

type UseTemplateDialogProps = {
  room: { id: number; name: string };
  /** Id of the template that the room uses now. */
  current: number | undefined;
  onUsed: () => void;
  onClose: () => void;
};

/** Applies a template to one room, after a preview of the changes. */
function UseTemplateDialog({ room, current, onUsed, onClose }: UseTemplateDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const templates = useQuery(trpc.priceTemplates.list.queryOptions());
  const [templateId, setTemplateId] = useState<number | null>(current ?? null);
  const preview = useQuery({ ...previewQuery(templateId ?? 0, [room.id]), enabled: templateId !== null });
  const putOn = usePutOn();
  const changes = preview.data?.rooms.some((row) => row.changes) ?? false;
  const another = templateId !== null && templateId !== current;

  async function submit(): Promise<void> {
    if (templateId === null) return;
    const done = await putOn.mutateAsync({ templateId, roomIds: [room.id] }).catch(() => null);
    if (done === null) return;
    onUsed();
    onClose();
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("priceTemplates.useTitle", { room: room.name })}
        description={t("priceTemplates.charged")}
        footer={
          <>
            <Button variant="outline" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <ActionButton
              pending={putOn.isPending}
              disabled={!preview.data || !(changes || another)}
              onClick={() => void submit()}
            >
              {t("priceTemplates.put", { count: 1 })}
            </ActionButton>
          </>
        }
      >
        <Label htmlFor={id}>{t("priceTemplates.choose")}</Label>
        <div className="mt-1.5 mb-4">
          <Combobox
            id={id}
            value={templateId}
            onChange={setTemplateId}
            loading={templates.isPending}
            placeholder={templates.data?.length === 0 ? t("priceTemplates.empty") : t("common.choose")}
            options={(templates.data ?? []).map((row) => ({ value: row.id, label: row.name }))}
          />
        </div>
        {templateId !== null && <PreviewBody query={preview} />}
      </DialogPanel>
    </Dialog>
  );
}

/** Shows the template that a room's prices came from, and lets the user choose another one. */
export function RoomTemplate({
  room,
  onUsed,
}: {
  room: Pick<RoomDetail, "id" | "name" | "prices">;
  /** Called after the room's prices have changed. */
  onUsed: () => void;
}) {
  const { t } = useTranslation();
  const manage = useCan()("prices.manage");
  const [choosing, setChoosing] = useState(false);
  const { data: template, isPending } = useQuery(trpc.priceTemplates.ofRoom.queryOptions({ roomId: room.id }));
  return (
    <div className="mb-5 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 border-b pb-4">
      <Tags aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-0 flex-1 basis-48">
        {isPending ? (
          <Skeleton className="h-5 w-48" />
        ) : template ? (
          <>
            <span className="font-medium">{t("priceTemplates.from", { name: template.name })}</span>
            {!template.same && <span className="ms-2 text-expired">{t("priceTemplates.differs")}</span>}
          </>
        ) : (
          <span className="text-muted-foreground">{room.prices ? t("priceTemplates.byHand") : "–"}</span>
        )}
      </p>
      {manage && (
        <ActionButton variant="outline" onClick={() => setChoosing(true)}>
          {t("priceTemplates.use")}
        </ActionButton>
      )}
      {choosing && (
        <UseTemplateDialog room={room} current={template?.id} onUsed={onUsed} onClose={() => setChoosing(false)} />
      )}
    </div>
  );
}
