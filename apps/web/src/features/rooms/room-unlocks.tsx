import { UnlockStyle } from "@innkey/shared/enums";
import type { RoomDetail, unlockRecord } from "@innkey/shared/schemas/rooms";
import { useInfiniteQuery } from "@tanstack/react-query";
import {
  CreditCard,
  DoorOpen,
  Hash,
  History,
  KeyRound,
  type LucideIcon,
  RadioTower,
  ScanFace,
  ShieldQuestion,
} from "lucide-react";
import { useMemo } from "react";
import type { z } from "zod";
import type { DataColumn } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { StatusChip } from "@/components/ui/status-chip.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { type RoomSearch, UNLOCK_RANGES } from "./room-search.ts";
import { instantsOf } from "./unlock-range.ts";

type UnlockRecord = z.infer<typeof unlockRecord>;

const ICONS: Record<UnlockStyle, LucideIcon> = {
  card: CreditCard,
  passcode: Hash,
  face: ScanFace,
  remote: RadioTower,
  key: KeyRound,
  inside: DoorOpen,
  unknown: ShieldQuestion,
};

/** Where a record came from; drivers may name others, shown as they are. */
const UNLOCK_SOURCES = ["lock", "gateway", "console"] as const;

const PAGE = 20;

type RoomUnlocksProps = { room: RoomDetail; search: RoomSearch; onSearch: (patch: RoomSearch) => void };

/** What the room's lock has reported, newest first. */
export function RoomUnlocks({ room, search, onSearch }: RoomUnlocksProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const range = search.range ?? "all";
  const input = { roomId: room.id, ...instantsOf(range, timeZone), style: search.style, limit: PAGE };
  const records = useInfiniteQuery(
    trpc.unlocks.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.nextCursor }),
  );
  const rows = useMemo(() => records.data?.pages.flatMap((page) => page.records), [records.data]);

  const columns = useMemo((): DataColumn<UnlockRecord>[] => {
    const sourceOf = (source: string): string => {
      const known = UNLOCK_SOURCES.find((name) => name === source);
      return known ? t(`room.source.${known}`) : source || "–";
    };
    const styleOf = (row: UnlockRecord): UnlockStyle => UnlockStyle.catch("unknown").parse(row.style);
    return [
      {
        id: "at",
        header: t("room.unlockAt"),
        fixed: true,
        card: "title",
        cell: (row) => formatDateTime(row.at, timeZone),
      },
      {
        id: "style",
        header: t("room.unlockStyle"),
        cell: (row) => {
          const Icon = ICONS[styleOf(row)];
          return (
            <span className="inline-flex items-center gap-2">
              <Icon aria-hidden className="size-4 text-muted-foreground" />
              {t(`room.style.${styleOf(row)}`)}
            </span>
          );
        },
      },
      {
        id: "success",
        header: t("room.unlockResult"),
        card: "status",
        cell: (row) => (
          <StatusChip tone={row.success ? "success" : "danger"} size="sm">
            {row.success ? t("room.opened") : t("room.refused")}
          </StatusChip>
        ),
      },
      { id: "guest", header: t("room.tenant"), cell: (row) => row.guestName ?? "–" },
      { id: "operator", header: t("room.operator"), cell: (row) => row.operatorName ?? "–" },
      { id: "source", header: t("room.unlockFrom"), cell: (row) => sourceOf(row.source) },
      { id: "content", header: t("room.unlockContent"), cell: (row) => row.content || "–" },
    ];
  }, [t, timeZone]);

  const narrowed = range !== "all" || search.style !== undefined;
  return (
    <DataTable
      label={t("room.unlocks")}
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      error={records.error}
      onRetry={() => void records.refetch()}
      more={{
        available: records.hasNextPage,
        loading: records.isFetchingNextPage,
        load: () => void records.fetchNextPage(),
      }}
      empty={{
        icon: History,
        title: narrowed ? t("room.noUnlocksHere") : t("room.noUnlocks"),
        description: narrowed ? undefined : room.lock ? t("room.noUnlocksText") : t("room.noUnlocksNoLock"),
      }}
      toolbar={
        <>
          <Segmented
            options={UNLOCK_RANGES.map((value) => ({ value, label: t(`room.range.${value}`) }))}
            value={range}
            onChange={(next) => onSearch({ range: next === "all" ? undefined : next })}
            aria-label={t("room.rangeLabel")}
          />
          <Select
            options={[
              { value: "any", label: t("room.anyStyle") },
              ...UnlockStyle.options.map((style) => ({ value: style, label: t(`room.style.${style}`) })),
            ]}
            value={search.style ?? "any"}
            onChange={(style) => onSearch({ style: style === "any" ? undefined : UnlockStyle.parse(style) })}
            aria-label={t("room.unlockStyle")}
            className="w-52"
          />
        </>
      }
    />
  );
}
