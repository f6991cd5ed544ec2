import type { Timeline } from "@innkey/shared/schemas/timeline";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useCallback } from "react";
import { GroupFilter } from "@/entities/room/group-filter.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
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

/** Chooses the days and filters the rooms. */
export function TimelineToolbar({ timeline, search, from, days, zooms, onPage, onSearch }: ToolbarProps) {
  const { t } = useTranslation();
  const setText = useCallback((q: string) => onSearch({ q: q || undefined }), [onSearch]);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <div className="flex items-center gap-1">
        <IconButton
          icon={ChevronLeft}
          flip
          variant="secondary"
          label={t("timeline.earlier")}
          onClick={() => onPage(-1)}
        />
        <Button onClick={() => onSearch({ from: undefined })}>{t("timeline.today")}</Button>
        <IconButton
          icon={ChevronRight}
          flip
          variant="secondary"
          label={t("timeline.later")}
          onClick={() => onPage(1)}
        />
      </div>
      <Input
        type="date"
        aria-label={t("timeline.from")}
        value={from}
        min="1900-01-01"
        max="2999-01-01"
        onChange={(event) => event.target.value && onSearch({ from: event.target.value })}
        className="w-38 sm:w-40"
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
        <Select
          options={[
            { value: ALL, label: t("timeline.allStatuses") },
            ...TIMELINE_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
          ]}
          value={search.status ?? ALL}
          onChange={(status) => onSearch({ status: TIMELINE_STATUSES.find((one) => one === status) })}
          aria-label={t("board.status")}
        />
      </div>
    </div>
  );
}
