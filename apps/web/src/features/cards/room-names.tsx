import { useQuery } from "@tanstack/react-query";
import { boardQuery } from "@/entities/room/board-query.ts";
import { collator } from "@/entities/room/room-groups.ts";
import { formatList, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";

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
