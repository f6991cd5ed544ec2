import { MAX_ROOMS_PER_CALL } from "@innkey/shared/limits";
import type { PlainPrices, TemplatePreview, TemplateRow } from "@innkey/shared/schemas/property/price-templates";
import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { queryOptions, type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { ArrowRight, Tags } from "lucide-react";
import { useId, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { RoomChoice } from "@/entities/room/room-choice.tsx";
import { api } from "@/lib/api.ts";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

/** Maximum number of rooms per write. */

function chunksOf(roomIds: readonly number[]): number[][] {
  const count = Math.ceil(roomIds.length / MAX_ROOMS_PER_CALL);
  return Array.from({ length: count }, (_, part) =>
    roomIds.slice(part * MAX_ROOMS_PER_CALL, (part + 1) * MAX_ROOMS_PER_CALL),
  );
}

/** Returns the changes that a template would make to these rooms, in any number. The preview is never cached. */
function previewQuery(templateId: number, roomIds: readonly number[]) {
  return queryOptions({
    queryKey: [...trpc.priceTemplates.preview.pathKey(), templateId, roomIds],
    queryFn: async ({ signal }): Promise<TemplatePreview> => {
      const answers = await Promise.all(
        chunksOf(roomIds).map((part) => api.priceTemplates.preview.query({ templateId, roomIds: part }, { signal })),
      );
      const [first] = answers;
      if (!first) throw new Error("a preview of no room");
      return { after: first.after, rooms: answers.flatMap(({ rooms }) => rooms) };
    },
    enabled: roomIds.length > 0,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Applies a template to rooms and shows how many were updated. */
function useApplyTemplate() {
  return useMutation({
    mutationFn: async ({ templateId, roomIds }: { templateId: number; roomIds: readonly number[] }) => {
      let updated = 0;
      for (const part of chunksOf(roomIds)) {
        updated += (await api.priceTemplates.putOn.mutate({ templateId, roomIds: part })).updated;
      }
      return updated;
    },
    onSuccess: (updated) => toast.success(t("priceTemplates.done", { count: updated })),
  });
}

const FIELDS = ["usual", "weekend", "deposit", "renewal", "hour", "month", "year"] as const;

type PreviewRoom = TemplatePreview["rooms"][number];

/** Lists the changes that a template would make to each room. Rooms without changes come last. */
function PreviewList({ preview }: { preview: TemplatePreview }) {
  const changing = preview.rooms.filter(({ changes }) => changes);
  const same = preview.rooms.filter(({ changes }) => !changes);
  return (
    <div>
      <p className="mb-2 font-medium" role="status">
        {[
          changing.length > 0 && t("priceTemplates.changing", { count: changing.length }),
          same.length > 0 && t("priceTemplates.same", { count: same.length }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <ul className="divide-y rounded-md border">
        {[...changing, ...same].map((room) => (
          <li
            key={room.roomId}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 py-2 [content-visibility:auto]"
          >
            <bdi className={cn("w-24 shrink-0 truncate font-medium", !room.changes && "text-muted-foreground")}>
              {room.roomName}
            </bdi>
            {room.changes ? (
              <Changes room={room} after={preview.after} />
            ) : (
              <span className="text-sm text-muted-foreground">{t("priceTemplates.unchanged")}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changes({ room: { before, datesChanged }, after }: { room: PreviewRoom; after: PlainPrices }) {
  const { currency } = useHotel();
  const formatAmount = (minor: number | null): string => (minor === null ? "–" : formatMoney(minor, currency));
  const fields = FIELDS.filter((field) => {
    const name = `${field}Minor` as const;
    return before ? before[name] !== after[name] : after[name] !== null;
  });
  return (
    <ul className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1 text-sm">
      {!before && <li className="text-muted-foreground">{t("priceTemplates.firstPrices")}</li>}
      {fields.map((field) => {
        const name = `${field}Minor` as const;
        return (
          <li key={field} className="flex flex-wrap items-baseline gap-x-1.5 tabular-nums">
            <span className="text-muted-foreground">{t(`prices.${field}`)}</span>
            {before && <span className="text-muted-foreground line-through">{formatAmount(before[name])}</span>}
            {before && <ArrowRight aria-hidden className="flip-rtl size-3 self-center text-faint-foreground" />}
            <span className="font-medium">{formatAmount(after[name])}</span>
          </li>
        );
      })}
      {datesChanged > 0 && <li className="font-medium">{t("priceTemplates.nights", { count: datesChanged })}</li>}
    </ul>
  );
}

/** Shows the preview, its loading state or error, or that nothing would change. */
function PreviewBody({ query }: { query: UseQueryResult<TemplatePreview> }) {
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-40" />;
  return (
    <div className="grid gap-3">
      {!query.data.rooms.some(({ changes }) => changes) && <Callout tone="info" title={t("priceTemplates.nothing")} />}
      <PreviewList preview={query.data} />
    </div>
  );
}

/** Applies a template in three steps: choose rooms, preview the changes, confirm. */
export function ApplyTemplateDialog({
  template,
  onClose,
}: {
  template: Pick<TemplateRow, "id" | "name" | "rooms">;
  onClose: () => void;
}) {
  const board = useQuery(boardQuery);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(
    () => new Set(template.rooms.map(({ id }) => id)),
  );
  const [isPreviewing, setIsPreviewing] = useState(false);
  const apply = useApplyTemplate();
  const roomIds = (board.data?.rooms ?? []).filter(({ id }) => selectedIds.has(id)).map(({ id }) => id);
  const preview = useQuery({ ...previewQuery(template.id, roomIds), enabled: isPreviewing && roomIds.length > 0 });
  const changing = preview.data?.rooms.filter(({ changes }) => changes).length ?? 0;

  async function submit(): Promise<void> {
    await apply.mutateAsync({ templateId: template.id, roomIds }).then(onClose, () => undefined);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        startsAtField
        width="lg"
        title={t("priceTemplates.putOnTitle", { name: template.name })}
        description={isPreviewing ? t("priceTemplates.charged") : t("priceTemplates.chooseRooms")}
        footer={
          isPreviewing ? (
            <>
              <Button variant="outline" onClick={() => setIsPreviewing(false)}>
                {t("priceTemplates.back")}
              </Button>
              <ActionButton
                pending={apply.isPending}
                disabled={!preview.data || preview.isFetching || changing === 0}
                onClick={() => void submit()}
              >
                {t("priceTemplates.put", { count: roomIds.length })}
              </ActionButton>
            </>
          ) : (
            <>
              <Button variant="outline" onClick={onClose}>
                {t("common.cancel")}
              </Button>
              <ActionButton disabled={roomIds.length === 0} onClick={() => setIsPreviewing(true)}>
                {t("priceTemplates.preview")}
              </ActionButton>
            </>
          )
        }
      >
        {isPreviewing ? (
          <PreviewBody query={preview} />
        ) : board.error && !board.data ? (
          <ErrorState error={board.error} onRetry={() => void board.refetch()} />
        ) : board.data ? (
          <RoomChoice board={board.data} value={selectedIds} onChange={setSelectedIds} withoutLock />
        ) : (
          <Skeleton className="h-60" />
        )}
      </DialogPanel>
    </Dialog>
  );
}

type RoomTemplateDialogProps = {
  room: { id: number; name: string };
  /** Id of the template that the room uses now. */
  current: number | undefined;
  onUsed: () => void;
  onClose: () => void;
};

/** Applies a template to one room, after a preview of the changes. */
function RoomTemplateDialog({ room, current, onUsed, onClose }: RoomTemplateDialogProps) {
  const id = useId();
  const templates = useQuery(trpc.priceTemplates.list.queryOptions());
  const [templateId, setTemplateId] = useState<number | null>(current ?? null);
  const preview = useQuery({ ...previewQuery(templateId ?? 0, [room.id]), enabled: templateId !== null });
  const apply = useApplyTemplate();
  const changes = preview.data?.rooms.some((row) => row.changes) ?? false;
  const isOtherTemplate = templateId !== null && templateId !== current;

  async function submit(): Promise<void> {
    if (templateId === null) return;
    const done = await apply.mutateAsync({ templateId, roomIds: [room.id] }).catch(() => null);
    if (done === null) return;
    onUsed();
    onClose();
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        startsAtField
        title={t("priceTemplates.useTitle", { room: room.name })}
        description={t("priceTemplates.charged")}
        footer={
          <>
            <Button variant="outline" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <ActionButton
              pending={apply.isPending}
              disabled={!preview.data || !(changes || isOtherTemplate)}
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
  const canManage = useCan()("prices.manage");
  const [isChoosing, setIsChoosing] = useState(false);
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
      {canManage && (
        <ActionButton variant="outline" onClick={() => setIsChoosing(true)}>
          {t("priceTemplates.use")}
        </ActionButton>
      )}
      {isChoosing && (
        <RoomTemplateDialog room={room} current={template?.id} onUsed={onUsed} onClose={() => setIsChoosing(false)} />
      )}
    </div>
  );
}
