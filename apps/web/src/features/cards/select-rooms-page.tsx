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
import { CheckList } from "@/ui/form/check-list.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { isLive } from "./use-card-acts.ts";
import { readDraft, saveDraft } from "./writing/card-draft.ts";

/** Chooses the rooms, room groups, common doors and zones of a staff card, for an existing card or for one that is still being described. */
export function SelectRoomsPage({ cardId }: { cardId: number | undefined }) {
  const isAllowed = useCan()("cards.master");
  const input = { cardId, state: "all" } as const;
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
  const draft = readDraft();
  const to = draft.kind === "management" ? "/center/addCard" : "/center/addSpecialCard";
  return (
    <RoomSelection
      initial={draft}
      description={t(`card.${draft.kind}.opens`)}
      submitLabel={t("card.takeRooms")}
      onSubmit={async (doors) => {
        saveDraft(doors);
        await navigate({ to, replace: true });
      }}
    />
  );
}

function CardRooms({ card }: { card: MasterCardRow }) {
  const navigate = useNavigate();
  const board = useQuery(boardQuery);
  const commonDoors = useQuery(trpc.doors.list.queryOptions());
  const zones = useQuery(trpc.zones.list.queryOptions());
  const save = useMutation(trpc.cards.setRooms.mutationOptions());

  async function submit(doors: CardDoors): Promise<void> {
    const { roomIds, doorIds, groupIds, zoneIds } = doors;
    const saveRooms = async (): Promise<void> => {
      await save.mutateAsync({ cardId: card.id, ...doors });
      toast.success(t("card.roomsDone", { card: card.note }));
    };
    const removedIds = card.roomIds.filter((roomId) => !roomIds.includes(roomId));
    const removedDoors = (commonDoors.data ?? []).filter(
      ({ id }) => card.doorIds.includes(id) && !doorIds.includes(id),
    );
    const removedRooms = (board.data?.rooms ?? []).filter(({ id }) => removedIds.includes(id));
    const removedGroups = (board.data?.groups ?? []).filter(
      ({ id }) => card.groupIds.includes(id) && !groupIds.includes(id),
    );
    const removedZones = (zones.data ?? []).filter(({ id }) => card.zoneIds.includes(id) && !zoneIds.includes(id));
    const removed = [...removedGroups, ...removedZones, ...removedRooms, ...removedDoors];
    const names = removed.map(({ name }) => name);
    if (names.length > 0) {
      const confirmed = await confirm({
        title: t("card.dropRooms"),
        description: t("card.dropRoomsText", { rooms: formatList(names) }),
        confirmLabel: t("common.save"),
        tone: "danger",
        action: saveRooms,
      });
      if (!confirmed) return;
    } else await saveRooms();
    await navigate({ to: card.kind === "management" ? "/center/cardList" : "/center/specialCardList" });
  }

  return <RoomSelection initial={card} description={card.note} submitLabel={t("common.save")} onSubmit={submit} />;
}

/** What a staff card opens: single doors, and those of groups and zones, also those that join them later. */
type CardDoors = { roomIds: number[]; doorIds: number[]; groupIds: number[]; zoneIds: number[] };

type RoomSelectionProps = {
  initial: CardDoors;
  description: string;
  submitLabel: string;
  onSubmit: (doors: CardDoors) => Promise<void>;
};

function RoomSelection({ initial, description, submitLabel, onSubmit }: RoomSelectionProps) {
  const router = useRouter();
  const board = useQuery(boardQuery);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(() => new Set(initial.roomIds));
  const commonDoors = useQuery(trpc.doors.list.queryOptions());
  const [selectedDoorIds, setSelectedDoorIds] = useState<readonly number[]>(initial.doorIds);
  const zones = useQuery(trpc.zones.list.queryOptions());
  const [selectedGroupIds, setSelectedGroupIds] = useState<readonly number[]>(initial.groupIds);
  const [selectedZoneIds, setSelectedZoneIds] = useState<readonly number[]>(initial.zoneIds);
  const [isSending, setIsSending] = useState(false);
  if (board.error && !board.data) return <ErrorState error={board.error} onRetry={() => void board.refetch()} />;
  if (!board.data) return <PageSkeleton />;
  // A room may have been deleted or may have lost its lock since.
  const roomIds = board.data.rooms.filter(({ id, lock }) => lock !== null && selectedIds.has(id)).map(({ id }) => id);

  const doorsWithLock = (commonDoors.data ?? []).filter(({ lock }) => lock !== null);
  const doorIds = doorsWithLock.filter(({ id }) => selectedDoorIds.includes(id)).map(({ id }) => id);
  const { groups } = board.data;
  const groupIds = groups.filter(({ id }) => selectedGroupIds.includes(id)).map(({ id }) => id);
  const zoneIds = (zones.data ?? []).filter(({ id }) => selectedZoneIds.includes(id)).map(({ id }) => id);
  const followed = groupIds.length + zoneIds.length;

  async function submit(): Promise<void> {
    setIsSending(true);
    // A toast shows the error, and the selection stays.
    await onSubmit({ roomIds, doorIds, groupIds, zoneIds }).catch(() => undefined);
    setIsSending(false);
  }

  return (
    <>
      <PageHeader title={t("card.chooseRooms")} description={<bdi>{description}</bdi>} />
      {groups.length + (zones.data ?? []).length > 0 && (
        <section className="mb-5 grid gap-2">
          <h2 className="font-semibold">{t("card.follow.title")}</h2>
          <p className="text-sm text-pretty text-muted-foreground">{t("card.follow.text")}</p>
          <div className="grid gap-4 lg:grid-cols-2">
            <div className="grid content-start gap-1.5">
              <h3 className="text-sm font-medium">{t("groups.title")}</h3>
              <CheckList options={groups} value={groupIds} onChange={setSelectedGroupIds} none={t("groups.empty")} />
            </div>
            <div className="grid content-start gap-1.5">
              <h3 className="text-sm font-medium">{t("zones.heading")}</h3>
              <CheckList
                options={zones.data ?? []}
                value={zoneIds}
                onChange={setSelectedZoneIds}
                none={t("zones.none")}
              />
            </div>
          </div>
        </section>
      )}
      {board.data.rooms.length === 0 ? (
        <EmptyState drawing={EmptyCorridor} title={t("card.noRoomsInHouse")} />
      ) : (
        <RoomChoice board={board.data} value={new Set(roomIds)} onChange={setSelectedIds} />
      )}
      {doorsWithLock.length > 0 && (
        <section className="mt-5 grid gap-2">
          <h2 className="font-semibold">{t("nav.commonDoors")}</h2>
          <CheckList
            options={doorsWithLock}
            value={doorIds}
            onChange={setSelectedDoorIds}
            none={t("commonDoors.none")}
          />
        </section>
      )}
      <div className="sticky bottom-0 z-10 mt-4 flex flex-wrap items-center justify-end gap-2 border-t bg-background py-3">
        <span aria-live="polite" className="me-auto text-muted-foreground">
          {t("card.roomsChosen", { total: formatNumber(roomIds.length) })}
          {doorIds.length > 0 && ` · ${t("card.doorsChosen", { total: formatNumber(doorIds.length) })}`}
          {followed > 0 && ` · ${t("card.follow.chosen", { total: formatNumber(followed) })}`}
        </span>
        <Button variant="outline" onClick={() => router.history.back()}>
          {t("common.cancel")}
        </Button>
        <ActionButton
          pending={isSending}
          disabled={roomIds.length + doorIds.length + followed === 0}
          onClick={() => void submit()}
        >
          {submitLabel}
        </ActionButton>
      </div>
    </>
  );
}
