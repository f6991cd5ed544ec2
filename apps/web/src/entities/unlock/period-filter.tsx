import { useTranslation } from "@/lib/i18n.ts";
import { PeriodChoice } from "@/ui/period-choice.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { RECORD_RANGES, type RecordRange } from "./record-search.ts";

type Period = { range?: RecordRange; from?: string; to?: string };
type PeriodFilterProps = { value: Period; onChange: (patch: Period) => void };

const CUSTOM = "custom";

/** Today, yesterday, a week ago, or from when until when: one gives way to the other. */
export function PeriodFilter({ value: { range = "all", from, to }, onChange }: PeriodFilterProps) {
  const { t } = useTranslation();
  const custom = from !== undefined || to !== undefined;
  return (
    <>
      <Segmented<RecordRange | typeof CUSTOM>
        options={RECORD_RANGES.map((value) => ({ value, label: t(`room.range.${value}`) }))}
        value={custom ? CUSTOM : range}
        onChange={(next) =>
          onChange({ range: next === "all" || next === CUSTOM ? undefined : next, from: undefined, to: undefined })
        }
        aria-label={t("room.rangeLabel")}
      />
      <PeriodChoice
        value={{ from, to }}
        onChange={(period) => onChange({ from: undefined, to: undefined, ...period })}
      />
    </>
  );
}
