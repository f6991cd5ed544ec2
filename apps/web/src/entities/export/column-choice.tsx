import { EXPORT_LISTS, type ExportListName } from "@innkey/shared/exports";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useId, useState } from "react";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { columnsOf } from "./export-form.ts";

type ColumnChoiceProps = {
  list: ExportListName;
  /** Chosen ones, in their order. */
  value: readonly string[];
  onChange: (columns: string[]) => void;
  label: string;
  "aria-describedby": string | undefined;
};

/** Which columns, and in which order; those left out keep their place in the list of choices. */
export function ColumnChoice({ list, value, onChange, label: groupLabel, ...described }: ColumnChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  const [order, setOrder] = useState(() => [...value, ...columnsOf(list).filter((name) => !value.includes(name))]);
  const keys: Record<string, string> = EXPORT_LISTS[list].columns;
  const chosenOf = (names: readonly string[], chosen: readonly string[]): string[] =>
    names.filter((name) => chosen.includes(name));

  function move(index: number, by: number): void {
    const next = [...order];
    const [moved] = next.splice(index, 1);
    if (moved === undefined) return;
    next.splice(index + by, 0, moved);
    setOrder(next);
    onChange(chosenOf(next, value));
  }

  return (
    <ul
      aria-label={groupLabel}
      {...described}
      className="grid gap-x-6 rounded-md border bg-card px-3 py-1.5 sm:grid-flow-col sm:grid-cols-2"
      style={rows(order.length)}
    >
      {order.map((name, index) => {
        const label = textOf(keys[name] ?? name);
        return (
          <li key={name} className="flex min-w-0 items-center gap-2.5">
            <Checkbox
              id={`${id}-${name}`}
              value={value.includes(name)}
              onChange={(on) =>
                onChange(chosenOf(order, on ? [...value, name] : value.filter((other) => other !== name)))
              }
            />
            <label htmlFor={`${id}-${name}`} className="min-w-0 flex-1 truncate py-1.5">
              {label}
            </label>
            <span className="flex shrink-0 text-muted-foreground">
              <IconButton
                icon={ChevronUp}
                size="iconSm"
                label={t("exports.moveUp", { column: label })}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <IconButton
                icon={ChevronDown}
                size="iconSm"
                label={t("exports.moveDown", { column: label })}
                disabled={index === order.length - 1}
                onClick={() => move(index, 1)}
              />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Two columns are read downwards, as the order goes; on phones there is one. */
const rows = (count: number) => ({ gridTemplateRows: `repeat(${Math.ceil(count / 2)}, auto)` });
