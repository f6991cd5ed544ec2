import type { RoomStatus } from "@innkey/shared/enums";
import { BellRing, Clock, DoorOpen, LayoutGrid, type LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { STATUS_TONE } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";
import type { BoardFilter } from "./board-search.ts";
import type { BoardView } from "./board-view.ts";

const STATUSES: readonly RoomStatus[] = ["checked_in", "reserved", "vacant", "dirty", "maintenance"];

const solid: Record<RoomStatus, string> = {
  checked_in: "bg-checked-in",
  reserved: "bg-reserved",
  vacant: "bg-vacant",
  dirty: "bg-dirty",
  maintenance: "bg-maintenance",
};

const inked: Record<BoardFilter, string> = {
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
  const { t } = useTranslation();
  const counts = view?.counts;
  const toggle = (filter: BoardFilter) => () => onChange(value === filter ? undefined : filter);
  return (
    <div className="mb-4">
      <div aria-hidden className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-hover print:hidden">
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
              solid[status],
              value && value !== status && "opacity-30",
            )}
          />
        ))}
      </div>
      <fieldset className="scroll-quiet -mx-4 mt-3 flex items-center gap-1.5 overflow-x-auto px-4 py-1 print:flex-wrap lg:mx-0 lg:flex-wrap lg:px-0">
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
            ink={inked[status]}
            label={t(`status.${status}`)}
            count={counts?.[status]}
            pressed={value === status}
            onClick={toggle(status)}
          />
        ))}
        <span aria-hidden className="mx-1.5 h-5 w-px shrink-0 bg-border" />
        <FilterChip
          icon={BellRing}
          ink={inked.arriving}
          label={t("status.arriving")}
          count={counts?.arriving}
          pressed={value === "arriving"}
          onClick={toggle("arriving")}
        />
        <FilterChip
          icon={DoorOpen}
          ink={inked.leaving}
          label={t("status.leaving")}
          count={counts?.leaving}
          pressed={value === "leaving"}
          onClick={toggle("leaving")}
        />
        <FilterChip
          icon={Clock}
          ink={inked.overdue}
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
