import { UNLOCK_STYLES } from "@innkey/shared/words";
import { PeriodFilter } from "@/entities/unlock/period-filter.tsx";
import { RECORD_RESULTS, type RecordSearch } from "@/entities/unlock/record-search.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Select } from "@/ui/primitives/select.tsx";

type RecordFiltersProps = { search: RecordSearch; onSearch: (patch: RecordSearch) => void };

/** What a list of records is narrowed to: when, how, and whether the door opened. */
export function RecordFilterBar({ search, onSearch }: RecordFiltersProps) {
  const { t } = useTranslation();
  const { style, result } = search;
  return (
    <>
      <PeriodFilter value={search} onChange={onSearch} />
      <Select
        options={[
          { value: "any", label: t("room.anyStyle") },
          ...UNLOCK_STYLES.map((value) => ({ value, label: t(`room.style.${value}`) })),
        ]}
        value={style ?? "any"}
        onChange={(next) => onSearch({ style: next === "any" ? undefined : next })}
        aria-label={t("room.unlockStyle")}
        className="w-auto min-w-44"
      />
      <Select
        options={[
          { value: "any", label: t("doors.anyResult") },
          ...RECORD_RESULTS.map((value) => ({ value, label: t(`room.${value}`) })),
        ]}
        value={result ?? "any"}
        onChange={(next) => onSearch({ result: next === "any" ? undefined : next })}
        aria-label={t("room.unlockResult")}
        className="w-auto min-w-36"
      />
    </>
  );
}
