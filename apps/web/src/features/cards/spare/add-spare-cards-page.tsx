import type { SpareCards } from "@innkey/shared/schemas/access/cards";
import type { Board } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { RoomChoice } from "@/entities/room/room-choice.tsx";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { useCardWriting, WritingDialogContent, WritingPanel } from "../writing/writing-panel.tsx";

const MONTHS = ["1", "3", "6", "12"] as const;

const monthsText = (months: string): string =>
  formatNumber(Number(months), { style: "unit", unit: "month", unitDisplay: "long" });

type Room = SpareCards["rooms"][number];

/** Chooses rooms and encodes a spare card for each, one after the other. */
export function AddSpareCardsPage() {
  const isAllowed = useCan()("cards.master");
  const board = useQuery(boardQuery);
  const spares = useQuery(trpc.cards.spares.queryOptions(undefined, { enabled: isAllowed }));
  if (!isAllowed) return <NoPermission />;
  const error = board.error ?? spares.error;
  if (error && !(board.data && spares.data)) {
    const retry = (): void => void Promise.all([board.refetch(), spares.refetch()]);
    return <ErrorState error={error} onRetry={retry} />;
  }
  return board.data && spares.data ? <Rooms board={board.data} rooms={spares.data.rooms} /> : <PageSkeleton />;
}

function Rooms({ board, rooms }: { board: Board; rooms: readonly Room[] }) {
  const id = useId();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(rooms.filter(({ needsCard }) => needsCard).map(({ roomId }) => roomId)),
  );
  const [months, setMonths] = useState<string>("6");
  const [toWrite, setToWrite] = useState<readonly Room[]>();
  const ofReadableLocks = {
    ...board,
    rooms: board.rooms.filter((room) => rooms.some(({ roomId }) => roomId === room.id)),
  };

  function close(isWritten: boolean): void {
    setToWrite(undefined);
    if (isWritten) void navigate({ to: "/center/spareCardList" });
  }

  return (
    <>
      <PageHeader title={t("spare.add")} description={t("spare.chooseText")} />
      <div className="mb-5 max-w-xs">
        <label htmlFor={id} className="mb-1.5 block font-medium">
          {t("card.special.within")}
        </label>
        <SelectInput
          id={id}
          value={months}
          onChange={setMonths}
          options={MONTHS.map((value) => ({ value, label: monthsText(value) }))}
        />
      </div>
      <RoomChoice board={ofReadableLocks} value={chosen} onChange={setChosen} />
      <div className="mt-5 flex justify-end gap-2">
        <Button variant="outline" asChild>
          <Link to="/center/spareCardList">{t("common.cancel")}</Link>
        </Button>
        <ActionButton
          disabled={chosen.size === 0}
          onClick={() => setToWrite(rooms.filter(({ roomId }) => chosen.has(roomId)))}
        >
          {t("card.toWriting")}
        </ActionButton>
      </div>
      {toWrite && <WritingDialog rooms={toWrite} months={Number(months)} onClose={close} />}
    </>
  );
}

type WritingDialogProps = { rooms: readonly Room[]; months: number; onClose: (isWritten: boolean) => void };

/** Encodes a card for one room after the other. Enter encodes the next one. */
function WritingDialog({ rooms, months, onClose }: WritingDialogProps) {
  const prepare = useMutation(trpc.cards.prepareSpare.mutationOptions({ meta: { shownInForm: true } }));
  const [label, setLabel] = useState("");
  const writing = useCardWriting(async (card) => {
    if (!room) throw new Error("every room has its card");
    const prepared = await prepare.mutateAsync({ roomId: room.roomId, months, ...card });
    setLabel(prepared.label);
    return prepared;
  });
  const written = writing.writtenUids.length;
  const room = rooms[written];
  const close = (): void => onClose(written > 0);
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <WritingDialogContent
        title={t("spare.add")}
        description={t("spare.progress", { done: formatNumber(written), total: formatNumber(rooms.length) })}
        writing={room ? writing : { ...writing, write: close }}
        label={room ? t("spare.writeRoom", { room: room.roomName }) : t("spare.finish")}
        onClose={close}
      >
        <WritingPanel progress={writing.progress} next={t("spare.envelope", { label })} />
      </WritingDialogContent>
    </Dialog>
  );
}
