import { t } from "@/lib/i18n.ts";
import { QUICK_RANGES, type QuickRange } from "@/lib/search-params.ts";
import { SelectInput } from "./form/select-input.tsx";

const ANY = "any";

/** Selects a quick range: today, yesterday, a week ago. */
export function QuickRangeSelect({
  value,
  onChange,
  label,
}: {
  value: QuickRange | undefined;
  onChange: (range: QuickRange | undefined) => void;
  label: string;
}) {
  return (
    <SelectInput
      aria-label={label}
      className="w-auto min-w-36"
      value={value ?? ANY}
      onChange={(next) => onChange(next === ANY ? undefined : next)}
      options={[
        { value: ANY, label: t("guest.range.any") },
        ...QUICK_RANGES.map((range) => ({ value: range, label: t(`guest.range.${range}`) })),
      ]}
    />
  );
}
