import { EXPORT_FORMATS } from "@innkey/shared/exports";
import type { ListName } from "@innkey/shared/lists";
import { LISTS } from "@innkey/shared/lists";
import type { ExportInput, ExportRow } from "@innkey/shared/schemas/data/exports";
import { useNavigate } from "@tanstack/react-router";
import { nameOf, saveAnswer } from "@/lib/browser/download.ts";
import { readAgain } from "@/lib/events/topics.ts";
import { formatNumber } from "@/lib/format.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { rest } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { ColumnChoice, exportForm, rememberColumns, rememberedColumns } from "./column-choice.tsx";
import { watchExport } from "./watch-export.ts";

/** The list on the screen, its filters and the visible page. */
export type ExportableList = {
  list: ListName;
  filters: object;
  page: number;
  pageSize: number;
};

const SIZES = [20, 50, 100, 200, 500, 1000];

/** Asks how to export a list: rows, columns, file name and format. */
export default function ExportDialog({
  list,
  filters,
  page,
  pageSize,
  onClose,
}: ExportableList & { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useZodForm(exportForm, {
    defaultValues: { rows: "all", page, pageSize, columns: rememberedColumns(list), fileName: "", format: "csv" },
  });
  const onePage = form.watch("rows") === "page";

  async function make(input: Omit<ExportInput, "filters">): Promise<void> {
    const body = JSON.stringify({ ...input, filters });
    const answer = await rest("/api/exports", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    if (answer.status === 200) {
      const file = nameOf(answer);
      await saveAnswer(answer);
      toast.success(t("exports.made", { file }));
      return;
    }
    const row = (await answer.json()) as ExportRow;
    await readAgain(["exports"]);
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
        await make({ list, ...rest, page: rows === "page" ? { page: number, pageSize: size } : null });
        rememberColumns(list, rest.columns);
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
                options={[...new Set([...SIZES, pageSize])]
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
