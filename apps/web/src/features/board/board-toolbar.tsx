import type { Board } from "@innkey/shared/schemas/property/rooms";
import { CircleDollarSign, Layers, LayoutGrid, Paintbrush, Rows3, Sparkles, Wrench, X } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { GroupFilter } from "@/entities/room/group-filter.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Can } from "@/ui/can.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
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
        <SelectInput
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
  const { t } = useTranslation();
  const none = count === 0;
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
          <ActionButton size="sm" variant="ghost" disabled={none} onClick={onClean}>
            <Sparkles aria-hidden />
            {t("board.markClean")}
          </ActionButton>
          <ActionButton size="sm" variant="ghost" disabled={none} onClick={onDirty}>
            <Paintbrush aria-hidden />
            {t("board.markDirty")}
          </ActionButton>
          <ActionButton size="sm" variant="ghost" disabled={none} onClick={onMaintenance}>
            <Wrench aria-hidden />
            {t("board.maintenance")}
          </ActionButton>
        </Can>
        <Can capability="rooms.manage">
          <ActionButton size="sm" variant="ghost" disabled={none} onClick={onGroup}>
            <Layers aria-hidden />
            {t("board.moveToGroup")}
          </ActionButton>
        </Can>
        <Can capability="prices.manage">
          <ActionButton size="sm" variant="ghost" disabled={none} onClick={onPrices}>
            <CircleDollarSign aria-hidden />
            {t("board.setPrices")}
          </ActionButton>
        </Can>
      </div>
      <IconButton icon={X} size="icon-sm" className="max-lg:ms-auto" label={t("board.endChoosing")} onClick={onClose} />
    </div>
  );
}

/** Holds the rooms selected for a bulk action; null while selection is off. */
export function useRoomChoice() {
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null);
  const begin = useCallback(() => setChosen(new Set()), []);
  const end = useCallback(() => setChosen(null), []);
  const set = useCallback((roomIds: readonly number[]) => setChosen(new Set(roomIds)), []);
  const toggle = useCallback((roomId: number) => {
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(roomId)) next.add(roomId);
      return next;
    });
  }, []);
  return useMemo(() => ({ chosen, begin, end, set, toggle }), [chosen, begin, end, set, toggle]);
}
