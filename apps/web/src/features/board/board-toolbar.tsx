import type { Board } from "@innkey/shared/schemas/rooms";
import { LayoutGrid, Rows3 } from "lucide-react";
import { useCallback } from "react";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { GroupFilter } from "@/entities/room/group-filter.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { BOARD_SORTS, type BoardSearch } from "./board-search.ts";

type BoardToolbarProps = {
  board: Board | undefined;
  /** Rooms in the order of the board, after filters. */
  shown: readonly { id: number }[] | undefined;
  search: BoardSearch;
  onSearch: (patch: BoardSearch) => void;
};

export function BoardToolbar({ board, shown, search, onSearch }: BoardToolbarProps) {
  const { t } = useTranslation();
  const setText = useCallback((q: string) => onSearch({ q: q || undefined }), [onSearch]);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 print:hidden">
      <SearchInput
        value={search.q ?? ""}
        onChange={setText}
        label={t("board.search")}
        delayMilliseconds={80}
        className="sm:w-auto sm:max-w-80 sm:min-w-52 sm:flex-1"
      />
      <div className="min-w-0 flex-1 sm:w-40 sm:flex-none xl:w-48">
        <GroupFilter groups={board?.groups} value={search.group} onChange={(group) => onSearch({ group })} />
      </div>
      <div className="min-w-0 flex-1 sm:w-40 sm:flex-none xl:w-48">
        <Select
          options={BOARD_SORTS.map((sort) => ({ value: sort, label: t(`board.sort.${sort}`) }))}
          value={search.sort ?? "default"}
          onChange={(sort) => onSearch({ sort: sort === "default" ? undefined : sort })}
          aria-label={t("board.sortBy")}
        />
      </div>
      <Segmented
        options={[
          { value: "cards", label: t("board.cards"), icon: LayoutGrid, iconOnly: true },
          { value: "table", label: t("board.table"), icon: Rows3, iconOnly: true },
        ]}
        value={search.view ?? "cards"}
        onChange={(view) => onSearch({ view: view === "cards" ? undefined : view })}
        aria-label={t("board.view")}
        className="ms-auto"
      />
      {shown && (
        <ExportButton list="rooms" filters={{ ids: shown.map(({ id }) => id) }} page={1} pageSize={50} iconOnly />
      )}
    </div>
  );
}
