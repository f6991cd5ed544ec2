import type { MasterCardRow } from "@innkey/shared/schemas/access/cards";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { RoomChoice } from "@/entities/room/room-choice.tsx";
import { confirm } from "@/lib/confirm.ts";
import { formatList, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardOverReader, EmptyCorridor } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { isLive } from "./use-card-acts.ts";
import { readDraft, saveDraft } from "./writing/card-draft.ts";

/** Chooses the rooms that a staff card opens, for an existing card or for one that is still being described. */
export function SelectRoomsPage({ cardId }: { cardId: number | undefined }) {
  const isAllowed = useCan()("cards.master");
  const input = { cardId, kind: "management", state: "all" } as const;
  const cards = useQuery(trpc.cards.list.queryOptions(input, { enabled: isAllowed && cardId !== undefined }));
  if (!isAllowed) return <NoPermission />;
  if (cardId === undefined) return <DraftRooms />;
  if (cards.error && !cards.data) return <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />;
  if (!cards.data) return <PageSkeleton />;
  const [card] = cards.data.rows;
  if (!card || !isLive(card))
    return <EmptyState drawing={CardOverReader} title={t("card.gone")} description={t("card.goneText")} />;
  return <CardRooms key={card.id} card={card} />;
}

function DraftRooms() {
  const navigate = useNavigate();
  return (
    <RoomSelection
      initialIds={readDraft().roomIds}
      description={t("card.management.opens")}
      submitLabel={t("card.takeRooms")}
      onSubmit={async (roomIds) => {
        saveDraft({ roomIds });
        await navigate({ to: "/center/addCard", replace: true });
      }}
    />
  );
}

function CardRooms({ card }: { card: MasterCardRow }) {
  const navigate = useNavigate();
  const board = useQuery(boardQuery);
  const save = useMutation(trpc.cards.setRooms.mutationOptions());

  async function submit(roomIds: number[]): Promise<void> {
    const saveRooms = async (): Promise<void> => {
      await save.mutateAsync({ cardId: card.id, roomIds });
      toast.success(t("card.roomsDone", { card: card.note }));
    };
    const removedIds = card.roomIds.filter((roomId) => !roomIds.includes(roomId));
    const names = (board.data?.rooms ?? []).filter(({ id }) => removedIds.includes(id)).map(({ name }) => name);
    if (removedIds.length > 0) {
      const confirmed = await confirm({
        title: t("card.dropRooms"),
        description: t("card.dropRoomsText", { rooms: formatList(names) }),
        confirmLabel: t("common.save"),
        tone: "danger",
        action: saveRooms,
      });
      if (!confirmed) return;
    } else await saveRooms();
    await navigate({ to: "/center/cardList" });
  }

  return (
    <RoomSelection initialIds={card.roomIds} description={card.note} submitLabel={t("common.save")} onSubmit={submit} />
  );
}

type RoomSelectionProps = {
  initialIds: readonly number[];
  description: string;
  submitLabel: string;
  onSubmit: (roomIds: number[]) => Promise<void>;
};

function RoomSelection({ initialIds, description, submitLabel, onSubmit }: RoomSelectionProps) {
  const router = useRouter();
  const board = useQuery(boardQuery);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(() => new Set(initialIds));
  const [isSending, setIsSending] = useState(false);
  if (board.error && !board.data) return <ErrorState error={board.error} onRetry={() => void board.refetch()} />;
  if (!board.data) return <PageSkeleton />;
  // A room may have been deleted or may have lost its lock since.
  const roomIds = board.data.rooms.filter(({ id, lock }) => lock !== null && selectedIds.has(id)).map(({ id }) => id);

  async function submit(): Promise<void> {
    setIsSending(true);
    // A toast shows the error, and the selection stays.
    await onSubmit(roomIds).catch(() => undefined);
    setIsSending(false);
  }

  return (
    <>
      <PageHeader title={t("card.chooseRooms")} description={<bdi>{description}</bdi>} />
      {board.data.rooms.length === 0 ? (
        <EmptyState drawing={EmptyCorridor} title={t("card.noRoomsInHouse")} />
      ) : (
        <RoomChoice board={board.data} value={new Set(roomIds)} onChange={setSelectedIds} />
      )}
      <div className="sticky bottom-0 z-10 mt-4 flex flex-wrap items-center justify-end gap-2 border-t bg-background py-3">
        <span aria-live="polite" className="me-auto text-muted-foreground">
          {t("card.roomsChosen", { total: formatNumber(roomIds.length) })}
        </span>
        <Button variant="outline" onClick={() => router.history.back()}>
          {t("common.cancel")}
        </Button>
        <ActionButton pending={isSending} disabled={roomIds.length === 0} onClick={() => void submit()}>
          {submitLabel}
        </ActionButton>
      </div>
    </>
  );
}
