import { EXPORT_FORMATS } from "@innkey/shared/exports";
import { columnOf, fileColumns, type ListName } from "@innkey/shared/lists";
import { exportInput } from "@innkey/shared/schemas/data/exports";
import * as f from "@innkey/shared/schemas/fields";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useId, useState } from "react";
import { z } from "zod";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CheckboxInput } from "@/ui/form/checkbox-input.tsx";

const page = exportInput.shape.page.unwrap().unwrap();

/** The values of the dialog; the rest of an export follows from the screen. */
export const exportForm = z.object({
  rows: z.enum(["all", "page"]),
  ...page.shape,
  columns: z.array(z.string()).min(1, f.v.required),
  fileName: f.text(120),
  format: z.enum(EXPORT_FORMATS),
});

const keyOf = (list: ListName): string => `export-columns:${list}`;

/** Returns the columns last chosen in this browser, otherwise all. */
export function rememberedColumns(list: ListName): string[] {
  const all = fileColumns(list);
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? "null");
    const columns = Array.isArray(saved) ? all.filter((name) => saved.includes(name)) : [];
    if (!Array.isArray(saved) || columns.length === 0) return all;
    return columns.sort((a, b) => saved.indexOf(a) - saved.indexOf(b));
  } catch {
    return all;
  }
}

export function rememberColumns(list: ListName, columns: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(list), JSON.stringify(columns));
  } catch {
    // Without storage, all columns are offered again next time.
  }
}

type ColumnChoiceProps = {
  list: ListName;
  /** The chosen columns in their order. */
  value: readonly string[];
  onChange: (columns: string[]) => void;
  label: string;
  "aria-describedby": string | undefined;
};

/** Chooses columns and their order. Columns that aren't chosen keep their place in the list. */
export function ColumnChoice({ list, value, onChange, label: groupLabel, ...described }: ColumnChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  const [order, setOrder] = useState(() => [...value, ...fileColumns(list).filter((name) => !value.includes(name))]);
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
        const label = textOf(columnOf(list, name)?.heading ?? name);
        return (
          <li key={name} className="flex min-w-0 items-center gap-2.5">
            <CheckboxInput
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
                size="icon-sm"
                label={t("exports.moveUp", { column: label })}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <IconButton
                icon={ChevronDown}
                size="icon-sm"
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

/** Two columns, read downwards in the export's order; one on phones. */
const rows = (count: number) => ({ gridTemplateRows: `repeat(${Math.ceil(count / 2)}, auto)` });
