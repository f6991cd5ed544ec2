import { Clock } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import type { OperatorRow } from "./operator-form.ts";

/** What one box of the grid shows. */
export interface BoxState {
  checked: boolean;
  /** what is ticked, as it is read out */
  what: string;
  /** the words of a period, for what is ticked for a time */
  period?: string | null;
}

type PeopleBoxProps = BoxState & {
  person: OperatorRow;
  rowId: string;
  disabled: boolean;
  /** keeps its identity, or a tick draws thousands of boxes anew */
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
