import { Clock } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import type { OperatorRow } from "./operator-form.ts";

/** State of one checkbox in the grid. */
export interface BoxState {
  checked: boolean;
  /** Name of the permission or room, for screen readers. */
  what: string;
  /** Text of the period if the grant is temporary. */
  period?: string | null;
}

type PeopleBoxProps = BoxState & {
  person: OperatorRow;
  rowId: string;
  disabled: boolean;
  /** Must be stable: a new function would render thousands of checkboxes again. */
  onToggle: (person: OperatorRow, rowId: string, on: boolean) => void;
};

export const PeopleBox = memo(function PeopleBox({
  person,
  rowId,
  what,
  period = null,
  checked,
  disabled,
  onToggle,
}: PeopleBoxProps) {
  const { t } = useTranslation();
  const description = period ? `${what}, ${period}` : what;
  return (
    <span className="inline-flex items-center gap-1 align-middle" title={period ?? undefined}>
      <Checkbox
        value={checked}
        disabled={disabled}
        aria-label={t("staff.cell", { name: person.name, what: description })}
        onChange={(on) => onToggle(person, rowId, on)}
      />
      {period && <Clock aria-hidden className="size-3.5 text-brass-ink" />}
    </span>
  );
});
