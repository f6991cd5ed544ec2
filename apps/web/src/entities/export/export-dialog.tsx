import { EXPORT_FORMATS } from "@innkey/shared/exports";
import { columnOf, fileColumns, isSensitive, LISTS, type ListName } from "@innkey/shared/lists";
import { type ExportInput, type ExportRow, exportInput } from "@innkey/shared/schemas/data";
import * as f from "@innkey/shared/schemas/fields";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useId, useState } from "react";
import { z } from "zod";
import { fileNameOf, saveResponse } from "@/lib/browser/download.ts";
import { readStored, writeStored } from "@/lib/browser/stored.ts";
import { readChanged } from "@/lib/events/topics.ts";
import { formatNumber } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { rest } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CheckboxInput, Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { watchExport } from "./watch-export.ts";

const page = exportInput.shape.page.unwrap().unwrap();

/** The values of the dialog. The list and its filters come from the screen. */
export const exportForm = z.object({
  rows: z.enum(["all", "page"]),
  ...page.shape,
  columns: z.array(z.string()).min(1, f.v.required),
  fileName: f.text(120),
  format: z.enum(EXPORT_FORMATS),
});

const keyOf = (list: ListName): string => `export-columns:${list}`;

/**
 * Returns the columns that were last selected in this browser; without any, all columns. Sensitive ones are selected
 * anew for each file.
 */
export function loadColumns(list: ListName): string[] {
  const all = fileColumns(list).filter((name) => !isSensitive(list, name));
  try {
    const saved: unknown = JSON.parse(readStored(keyOf(list)) ?? "null");
    const columns = Array.isArray(saved) ? all.filter((name) => saved.includes(name)) : [];
    if (!Array.isArray(saved) || columns.length === 0) return all;
    return columns.sort((a, b) => saved.indexOf(a) - saved.indexOf(b));
  } catch {
    return all;
  }
}

export function saveColumns(list: ListName, columns: readonly string[]): void {
  writeStored(keyOf(list), JSON.stringify(columns));
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
  const id = useId();
  const [order, setOrder] = useState(() => [...value, ...fileColumns(list).filter((name) => !value.includes(name))]);
  const inOrderOf = (names: readonly string[], selected: readonly string[]): string[] =>
    names.filter((name) => selected.includes(name));

  function move(index: number, by: number): void {
    const next = [...order];
    const [movedColumn] = next.splice(index, 1);
    if (movedColumn === undefined) return;
    next.splice(index + by, 0, movedColumn);
    setOrder(next);
    onChange(inOrderOf(next, value));
  }

  return (
    <ul
      aria-label={groupLabel}
      {...described}
      className="grid gap-x-6 rounded-md border bg-card px-3 py-1.5 sm:grid-flow-col sm:grid-cols-2"
      style={gridRows(order.length)}
    >
      {order.map((name, index) => {
        const label = textOf(columnOf(list, name)?.heading ?? name);
        return (
          <li key={name} className="flex min-w-0 items-center gap-2.5">
            <CheckboxInput
              id={`${id}-${name}`}
              value={value.includes(name)}
              onChange={(on) =>
                onChange(inOrderOf(order, on ? [...value, name] : value.filter((other) => other !== name)))
              }
            />
            <label htmlFor={`${id}-${name}`} className="min-w-0 flex-1 py-1.5 wrap-anywhere">
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
const gridRows = (count: number) => ({ gridTemplateRows: `repeat(${Math.ceil(count / 2)}, auto)` });

/** The list on the screen, its filters and the visible page. */
export type ExportableList = {
  list: ListName;
  filters: object;
  page: number;
  pageSize: number;
};

const PAGE_SIZES = [20, 50, 100, 200, 500, 1000];

/** Asks how to export a list: rows, columns, file name and format. */
export default function ExportDialog({
  list,
  filters,
  page,
  pageSize,
  onClose,
}: ExportableList & { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useZodForm(exportForm, {
    defaultValues: { rows: "all", page, pageSize, columns: loadColumns(list), fileName: "", format: "csv" },
  });
  const onePage = form.watch("rows") === "page";

  async function startExport(input: Omit<ExportInput, "filters">): Promise<void> {
    const body = JSON.stringify({ ...input, filters });
    const response = await rest("/api/exports", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    if (response.status === 200) {
      const file = fileNameOf(response);
      await saveResponse(response);
      toast.success(t("exports.made", { file }));
      return;
    }
    const row = (await response.json()) as ExportRow;
    readChanged(["exports"]);
    watchExport(row.id);
    const action = { label: t("exports.seeAll"), onClick: () => void navigate({ to: "/exports" }) };
    toast.info(t("exports.queued", { file: row.fileName }), { action });
  }

  return (
    <FormDialog
      form={form}
      title={t("exports.title", { list: textOf(LISTS[list].title) })}
      submitLabel={t("exports.make")}
      className="grid gap-4"
      onClose={onClose}
      onSubmit={async ({ rows, page: number, pageSize: size, ...rest }) => {
        await startExport({ list, ...rest, page: rows === "page" ? { page: number, pageSize: size } : null });
        saveColumns(list, rest.columns);
        onClose();
      }}
    >
      <Field form={form} name="rows" label={t("exports.rows")} layout="group" quiet>
        {(control) => (
          <Segmented
            {...control}
            options={[
              { value: "all", label: t("exports.allRows") },
              { value: "page", label: t("exports.onePage") },
            ]}
          />
        )}
      </Field>
      {onePage && (
        <div className="grid grid-cols-2 gap-3">
          <Field form={form} name="page" label={t("exports.page")} required>
            {({ onChange, ...control }) => (
              <Input
                {...control}
                type="number"
                inputMode="numeric"
                min={1}
                dir="ltr"
                value={Number.isNaN(control.value) ? "" : String(control.value)}
                onChange={(event) => onChange(event.target.valueAsNumber)}
              />
            )}
          </Field>
          <Field form={form} name="pageSize" label={t("exports.pageSize")} quiet>
            {({ value, onChange, ...control }) => (
              <SelectInput
                {...control}
                value={String(value)}
                onChange={(size) => onChange(Number(size))}
                options={[...new Set([...PAGE_SIZES, pageSize])]
                  .sort((a, b) => a - b)
                  .map((size) => ({ value: String(size), label: formatNumber(size) }))}
              />
            )}
          </Field>
        </div>
      )}
      <Field
        form={form}
        name="columns"
        label={t("exports.columns")}
        hint={t("exports.columnsHint")}
        layout="group"
        quiet
      >
        {({ value, onChange, ...control }) => (
          <ColumnChoice
            list={list}
            value={value}
            onChange={onChange}
            label={t("exports.columns")}
            aria-describedby={control["aria-describedby"]}
          />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field form={form} name="fileName" label={t("exports.fileName")} hint={t("exports.fileNameHint")} quiet>
          {(control) => <Input {...control} autoComplete="off" maxLength={120} />}
        </Field>
        <Field form={form} name="format" label={t("exports.format")} layout="group" quiet>
          {(control) => (
            <Segmented
              {...control}
              options={EXPORT_FORMATS.map((value) => ({ value, label: t(`exports.${value}`) }))}
            />
          )}
        </Field>
      </div>
    </FormDialog>
  );
}
