import type { PrepareMasterInput } from "@innkey/shared/schemas/access/cards";
import { useMutation, useQuery } from "@tanstack/react-query";
import { windowText } from "@/entities/lock/lock-words.ts";
import { boardQuery } from "@/entities/room/board-query.ts";
import { collator } from "@/entities/room/room-groups.ts";
import { formatList, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { useCardWriting } from "./writing/use-card-writing.ts";
import { WritingDialogContent, WritingPanel } from "./writing/writing-panel.tsx";

/** Shows how many rooms are selected, and their names. */
export function RoomNames({ roomIds }: { roomIds: readonly number[] }) {
  const { t } = useTranslation();
  const { data } = useQuery(boardQuery);
  const idSet = new Set(roomIds);
  const names = (data?.rooms ?? []).filter(({ id }) => idSet.has(id)).map(({ name }) => name);
  return (
    <p className="text-sm text-pretty text-muted-foreground">
      {t("card.roomCount", { total: formatNumber(roomIds.length) })}
      {names.length > 0 && (
        <>
          {" · "}
          <bdi>{formatList(names.toSorted(collator.compare))}</bdi>
        </>
      )}
    </p>
  );
}

export type MasterCard = Omit<PrepareMasterInput, "uid" | "overwrite">;

type MasterCardDialogProps = {
  card: MasterCard;
  /** `written` is true if at least one card was written. */
  onClose: (written: boolean) => void;
};

/** Writes a staff card or master key card, or several of the same kind one after the other. */
export function MasterCardDialog({ card, onClose }: MasterCardDialogProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const prepare = useMutation(trpc.cards.prepareMaster.mutationOptions({ meta: { shownInForm: true } }));
  const writing = useCardWriting((uid, overwrite) => prepare.mutateAsync({ ...card, uid, overwrite }));
  const close = (): void => onClose(writing.written.length > 0);
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <WritingDialogContent
        title={t(`locks.cardKind.${card.kind}`)}
        description={t(`card.${card.kind}.opens`)}
        writing={writing}
        label={writing.written.length > 0 ? t("card.another") : t("card.write")}
        onClose={close}
      >
        <div className="rounded-lg bg-sunken px-4 py-3">
          <p dir="auto" className="name-run font-medium">
            {card.note}
          </p>
          {card.kind === "management" && <RoomNames roomIds={card.roomIds} />}
          <p className="text-sm text-muted-foreground">
            {card.validTo ? windowText(card.validFrom, card.validTo, timeZone) : t("card.permanent")}
          </p>
        </div>
        <WritingPanel progress={writing.progress} />
      </WritingDialogContent>
    </Dialog>
  );
}
