import type { Timeline } from "@innkey/shared/schemas/overview/timeline";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Check, ChevronLeft, ChevronRight, X } from "lucide-react";
import { type KeyboardEvent, useCallback, useEffect, useRef } from "react";
import { GroupFilter } from "@/entities/room/group-filter.tsx";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { DateInput } from "@/ui/form/dates/date-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import type { Draft } from "./change/change-draft.ts";
import { EARLIER, LATER } from "./grid/use-grid-input.ts";
import { TIMELINE_STATUSES, type TimelineSearch, type Zoom } from "./timeline-search.ts";

type ToolbarProps = {
  timeline: Timeline | undefined;
  search: TimelineSearch;
  from: string;
  days: Zoom;
  zooms: readonly Zoom[];
  onPage: (direction: 1 | -1) => void;
  onSearch: (patch: TimelineSearch) => void;
};

const ALL = "all";

export function TimelineToolbar({ timeline, search, from, days, zooms, onPage, onSearch }: ToolbarProps) {
  const setText = useCallback((q: string) => onSearch({ q: q || undefined }), [onSearch]);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <div className="flex items-center gap-1">
        <IconButton
          icon={ChevronLeft}
          flip
          variant="outline"
          label={t("timeline.earlier")}
          onClick={() => onPage(-1)}
        />
        <Button variant="outline" onClick={() => onSearch({ from: undefined })}>
          {t("timeline.today")}
        </Button>
        <IconButton icon={ChevronRight} flip variant="outline" label={t("timeline.later")} onClick={() => onPage(1)} />
      </div>
      <DateInput
        aria-label={t("timeline.from")}
        value={from}
        min="1900-01-01"
        max="2999-01-01"
        onChange={(date) => date && onSearch({ from: date })}
        className="w-46"
      />
      <Segmented
        aria-label={t("timeline.zoom")}
        options={zooms.map((zoom) => ({ value: String(zoom), label: t("timeline.days", { count: zoom }) }))}
        value={String(days)}
        onChange={(value) => onSearch({ days: zooms.find((zoom) => String(zoom) === value) })}
      />
      <SearchInput
        value={search.q ?? ""}
        onChange={setText}
        label={t("board.search")}
        delayMilliseconds={80}
        className="sm:w-auto sm:max-w-72 sm:min-w-44 sm:flex-1"
      />
      <div className="min-w-0 flex-1 sm:w-40 sm:flex-none">
        <GroupFilter groups={timeline?.groups} value={search.group} onChange={(group) => onSearch({ group })} />
      </div>
      <div className="min-w-0 flex-1 sm:w-40 sm:flex-none">
        <SelectInput
          options={[
            { value: ALL, label: t("timeline.allStatuses") },
            ...TIMELINE_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
          ]}
          value={search.status ?? ALL}
          onChange={(status) => onSearch({ status: TIMELINE_STATUSES.find((option) => option === status) })}
          aria-label={t("board.status")}
        />
      </div>
    </div>
  );
}

type ModeBarProps = {
  draft: Draft;
  /** Current position of the draft as text, and whether it is free. */
  draftText: string;
  blocked: boolean;
  onStep: (steps: 1 | -1) => void;
  onRow: (rows: 1 | -1) => void;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Moves or extends a stay without a mouse, by keyboard or with buttons for touch. */
export function ModeBar({ draft, draftText, blocked, onStep, onRow, onConfirm, onCancel }: ModeBarProps) {
  const confirm = useRef<HTMLButtonElement>(null);
  const moves = draft.kind === "move";
  useEffect(() => confirm.current?.focus(), []);

  function handleKey(event: KeyboardEvent): void {
    const { key } = event;
    const isConfirmed = event.target === confirm.current && (key === "Enter" || key === " ");
    if (isConfirmed) onConfirm();
    else if (key === LATER) onStep(1);
    else if (key === EARLIER) onStep(-1);
    else if (moves && key === "ArrowDown") onRow(1);
    else if (moves && key === "ArrowUp") onRow(-1);
    else if (key === "Escape") onCancel();
    else return;
    event.preventDefault();
  }

  return (
    <div
      role="toolbar"
      aria-label={t(`timeline.mode.${draft.kind}`)}
      onKeyDown={handleKey}
      className="fixed inset-x-3 bottom-3 z-45 mx-auto flex max-w-2xl flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border bg-popover px-4 py-3 shadow-dialog"
    >
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-sm text-muted-foreground">{t(`timeline.mode.${draft.kind}`)}</p>
        <p className={cn("font-medium", blocked && "text-danger")}>{draftText}</p>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton icon={ArrowLeft} flip label={t("timeline.earlier")} onClick={() => onStep(-1)} />
        <IconButton icon={ArrowRight} flip label={t("timeline.later")} onClick={() => onStep(1)} />
        {moves && <IconButton icon={ArrowUp} label={t("timeline.roomAbove")} onClick={() => onRow(-1)} />}
        {moves && <IconButton icon={ArrowDown} label={t("timeline.roomBelow")} onClick={() => onRow(1)} />}
        <IconButton icon={X} label={t("common.cancel")} onClick={onCancel} />
        <ActionButton ref={confirm} onClick={onConfirm}>
          <Check aria-hidden />
          {t("timeline.preview")}
        </ActionButton>
      </div>
    </div>
  );
}
