import type { RoomStatus } from "@innkey/shared/enums";
import type { Board } from "@innkey/shared/schemas/property/rooms";
import {
  BellRing,
  CircleDollarSign,
  Clock,
  DoorOpen,
  Layers,
  LayoutGrid,
  type LucideIcon,
  Paintbrush,
  Printer,
  Rows3,
  Sparkles,
  Wrench,
  X,
} from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { GroupFilter } from "@/entities/room/group-filter.tsx";
import { STATUS_TONE } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Can } from "@/ui/can.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "@/ui/primitives/dropdown-menu.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";
import { BOARD_SORTS, type BoardFilter, type BoardSearch } from "./board-search.ts";
import type { BoardView } from "./board-view.ts";

const STATUSES: readonly RoomStatus[] = ["checked_in", "reserved", "vacant", "dirty", "maintenance"];

const BACKGROUNDS: Record<RoomStatus, string> = {
  checked_in: "bg-checked-in",
  reserved: "bg-reserved",
  vacant: "bg-vacant",
  dirty: "bg-dirty",
  maintenance: "bg-maintenance",
};

const TEXT_COLORS: Record<BoardFilter, string> = {
  checked_in: "text-checked-in",
  reserved: "text-reserved",
  vacant: "text-vacant",
  dirty: "text-dirty",
  maintenance: "text-maintenance",
  arriving: "text-reserved",
  leaving: "text-checked-in",
  overdue: "text-expired",
};

type BoardSummaryProps = {
  /** Undefined while the board is loading. */ view: BoardView | undefined;
  value: BoardFilter | undefined;
  onChange: (filter: BoardFilter | undefined) => void;
};

/** Summary of the hotel's rooms that also filters the board: each bar segment and each chip shows only its rooms. */
export function BoardSummary({ view, value, onChange }: BoardSummaryProps) {
  const counts = view?.counts;
  const toggle = (filter: BoardFilter) => () => onChange(value === filter ? undefined : filter);
  return (
    <div className="mb-2.5">
      <div aria-hidden className="flex h-1.5 gap-0.5 overflow-hidden rounded-full bg-hover print:hidden">
        {STATUSES.filter((status) => counts && counts[status] > 0).map((status) => (
          <button
            key={status}
            type="button"
            tabIndex={-1}
            title={`${t(`status.${status}`)}: ${formatNumber(counts?.[status] ?? 0)}`}
            onClick={toggle(status)}
            style={{ flexGrow: counts?.[status] }}
            className={cn(
              "basis-0 transition-opacity hover:opacity-80",
              BACKGROUNDS[status],
              value && value !== status && "opacity-30",
            )}
          />
        ))}
      </div>
      <fieldset className="scroll-quiet -mx-4 mt-1.5 flex items-center gap-1.5 overflow-x-auto px-4 py-1 print:flex-wrap lg:mx-0 lg:flex-wrap lg:px-0">
        <legend className="sr-only">{t("board.filter")}</legend>
        <FilterChip
          icon={LayoutGrid}
          label={t("status.all")}
          count={view?.matching}
          pressed={!value}
          onClick={() => onChange(undefined)}
        />
        {STATUSES.map((status) => (
          <FilterChip
            key={status}
            icon={STATUS_ICONS[STATUS_TONE[status]]}
            ink={TEXT_COLORS[status]}
            label={t(`status.${status}`)}
            count={counts?.[status]}
            pressed={value === status}
            onClick={toggle(status)}
          />
        ))}
        <span aria-hidden className="mx-1.5 h-5 w-px shrink-0 bg-border" />
        <FilterChip
          icon={BellRing}
          ink={TEXT_COLORS.arriving}
          label={t("status.arriving")}
          count={counts?.arriving}
          pressed={value === "arriving"}
          onClick={toggle("arriving")}
        />
        <FilterChip
          icon={DoorOpen}
          ink={TEXT_COLORS.leaving}
          label={t("status.leaving")}
          count={counts?.leaving}
          pressed={value === "leaving"}
          onClick={toggle("leaving")}
        />
        <FilterChip
          icon={Clock}
          ink={TEXT_COLORS.overdue}
          label={t("status.overdue")}
          count={counts?.overdue}
          urgent
          pressed={value === "overdue"}
          onClick={toggle("overdue")}
        />
      </fieldset>
    </div>
  );
}

type FilterChipProps = {
  icon: LucideIcon;
  ink?: string;
  label: string;
  count: number | undefined;
  pressed: boolean;
  urgent?: boolean;
  onClick: () => void;
};

function FilterChip({ icon: Icon, ink, label, count, pressed, urgent, onClick }: FilterChipProps) {
  const chip = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (pressed) chip.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pressed]);
  return (
    <button
      ref={chip}
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className={cn(
        "flex h-8 shrink-0 items-center gap-2 rounded-full border border-border bg-card ps-2.5 pe-3 text-sm font-medium whitespace-nowrap transition-colors hover:border-input pointer-coarse:h-10",
        count === 0 && !pressed && "bg-transparent text-muted-foreground",
        urgent && (count ?? 0) > 0 && !pressed && "border-transparent bg-expired-soft text-expired",
        pressed &&
          "border-foreground bg-foreground text-background hover:border-foreground print:bg-transparent print:text-foreground",
      )}
    >
      <Icon aria-hidden className={cn("size-3.5 shrink-0", !pressed && ink)} strokeWidth={2.25} />
      {label}
      <span
        className={cn(
          "font-normal",
          pressed ? "opacity-80" : "text-muted-foreground",
          urgent && (count ?? 0) > 0 && !pressed && "text-expired",
        )}
      >
        {count === undefined ? "\u2007" : formatNumber(count)}
      </span>
    </button>
  );
}

type BoardToolbarProps = {
  board: Board | undefined;
  /** Rooms in the order of the board, after filters. */
  shown: readonly { id: number }[] | undefined;
  search: BoardSearch;
  onSearch: (patch: BoardSearch) => void;
  /** Leads from the search to the first room. */
  onLeaveSearch: () => void;
  /** Further buttons at the end */
  children: ReactNode;
};

export function BoardToolbar({ board, shown, search, onSearch, onLeaveSearch, children }: BoardToolbarProps) {
  const setText = useCallback((q: string) => onSearch({ q: q || undefined }), [onSearch]);
  return (
    <>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-lg:order-last max-lg:basis-full print:hidden">
        <SearchInput
          value={search.q ?? ""}
          onChange={setText}
          label={t("board.search")}
          placeholder={t("board.searchShort")}
          delayMilliseconds={80}
          onLeave={onLeaveSearch}
          className="max-sm:basis-full sm:w-auto sm:min-w-44 sm:flex-1 lg:max-w-80"
        />
        <div className="min-w-0 flex-1 sm:w-36 sm:flex-none">
          <GroupFilter groups={board?.groups} value={search.group} onChange={(group) => onSearch({ group })} />
        </div>
        <div className="min-w-0 flex-1 sm:w-36 sm:flex-none">
          <SelectInput
            options={BOARD_SORTS.map((sort) => ({ value: sort, label: t(`board.sort.${sort}`) }))}
            value={search.sort ?? "default"}
            onChange={(sort) => onSearch({ sort: sort === "default" ? undefined : sort })}
            aria-label={t("board.sortBy")}
          />
        </div>
      </div>
      <div className="ms-auto flex items-center gap-2 print:hidden">
        <Segmented
          options={[
            { value: "cards", label: t("board.cards"), icon: LayoutGrid, iconOnly: true },
            { value: "table", label: t("board.table"), icon: Rows3, iconOnly: true },
          ]}
          value={search.view ?? "cards"}
          onChange={(view) => onSearch({ view: view === "cards" ? undefined : view })}
          aria-label={t("board.view")}
        />
        {shown && (
          <ExportButton list="rooms" filters={{ ids: shown.map(({ id }) => id) }} page={1} pageSize={50} iconOnly />
        )}
        {children}
      </div>
    </>
  );
}

type SelectionBarProps = {
  count: number;
  total: number;
  onAll: () => void;
  onClose: () => void;
  onClean: () => void;
  onDirty: () => void;
  onMaintenance: () => void;
  onGroup: () => void;
  onPrices: () => void;
};

/** Bar at the bottom of the screen while rooms are being selected. */
export function SelectionBar({
  count,
  total,
  onAll,
  onClose,
  onClean,
  onDirty,
  onMaintenance,
  onGroup,
  onPrices,
}: SelectionBarProps) {
  const isEmpty = count === 0;
  return (
    <div
      role="toolbar"
      aria-label={t("board.chosenActions")}
      className="sticky bottom-4 z-30 mx-auto mt-4 flex w-fit max-w-full items-center gap-1 rounded-xl border bg-popover p-2 shadow-dialog max-lg:w-full max-lg:flex-wrap print:hidden"
    >
      <p aria-live="polite" className="px-2 font-medium">
        {t("board.chosen", { count })}
      </p>
      {count < total && (
        <Button size="sm" variant="ghost" onClick={onAll}>
          {t("board.chooseAll", { count: total })}
        </Button>
      )}
      <div className="scroll-quiet flex min-w-0 items-center gap-1 overflow-x-auto max-lg:order-last max-lg:w-full">
        <Can capability="rooms.status">
          <ActionButton size="sm" variant="ghost" disabled={isEmpty} onClick={onClean}>
            <Sparkles aria-hidden />
            {t("board.markClean")}
          </ActionButton>
          <ActionButton size="sm" variant="ghost" disabled={isEmpty} onClick={onDirty}>
            <Paintbrush aria-hidden />
            {t("board.markDirty")}
          </ActionButton>
          <ActionButton size="sm" variant="ghost" disabled={isEmpty} onClick={onMaintenance}>
            <Wrench aria-hidden />
            {t("board.maintenance")}
          </ActionButton>
        </Can>
        <Can capability="rooms.manage">
          <ActionButton size="sm" variant="ghost" disabled={isEmpty} onClick={onGroup}>
            <Layers aria-hidden />
            {t("board.moveToGroup")}
          </ActionButton>
        </Can>
        <Can capability="prices.manage">
          <ActionButton size="sm" variant="ghost" disabled={isEmpty} onClick={onPrices}>
            <CircleDollarSign aria-hidden />
            {t("board.setPrices")}
          </ActionButton>
        </Can>
      </div>
      <IconButton icon={X} size="icon-sm" className="max-lg:ms-auto" label={t("board.endChoosing")} onClick={onClose} />
    </div>
  );
}

/** Prints the board as it is filtered, or the list of what housekeeping does today. */
export function PrintMenu({ onHousekeeping }: { onHousekeeping: () => void }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" size="icon" aria-label={t("board.print")} title={t("board.print")}>
          <Printer aria-hidden className="size-[18px]" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <ActionMenuItem
          needsServer={false}
          icon={LayoutGrid}
          onSelect={() => requestAnimationFrame(() => window.print())}
        >
          {t("board.printBoard")}
        </ActionMenuItem>
        <ActionMenuItem needsServer={false} icon={Paintbrush} onSelect={onHousekeeping}>
          {t("board.printHousekeeping")}
        </ActionMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Manages the rooms selected for a bulk action. `selectedIds` is null while selection is off. */
export function useRoomChoice() {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number> | null>(null);
  const begin = useCallback(() => setSelectedIds(new Set()), []);
  const end = useCallback(() => setSelectedIds(null), []);
  const set = useCallback((roomIds: readonly number[]) => setSelectedIds(new Set(roomIds)), []);
  const toggle = useCallback((roomId: number) => {
    setSelectedIds((old) => {
      const next = new Set(old);
      if (!next.delete(roomId)) next.add(roomId);
      return next;
    });
  }, []);
  return useMemo(() => ({ selectedIds, begin, end, set, toggle }), [selectedIds, begin, end, set, toggle]);
}
