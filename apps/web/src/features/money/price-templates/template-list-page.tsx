import { text, v } from "@innkey/shared/schemas/fields";
import type { TemplateRow } from "@innkey/shared/schemas/property/price-templates";
import type { PricesInput } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BedDouble, Copy, Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { confirm } from "@/lib/confirm.ts";
import { formatList, formatMoney, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { PriceFields, pricesForm, startPrices } from "../prices/prices-form.tsx";
import { ApplyTemplateDialog } from "./apply-template.tsx";

const MAX_LISTED = 6;

function useTemplateColumns(): DataColumn<TemplateRow>[] {
  const { currency } = useHotel();
  return useMemo((): DataColumn<TemplateRow>[] => {
    const price = (id: "usualMinor" | "weekendMinor" | "depositMinor", header: string): DataColumn<TemplateRow> => ({
      id,
      header,
      align: "end",
      sortable: true,
      value: (row) => row[id],
      cell: (row) => formatMoney(row[id], currency),
    });
    return [
      {
        id: "name",
        header: t("priceTemplates.name"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.name,
        cell: (row) => (
          <bdi className="block truncate font-medium" dir="auto">
            {row.name}
          </bdi>
        ),
      },
      price("usualMinor", t("prices.usual")),
      price("weekendMinor", t("prices.weekend")),
      price("depositMinor", t("prices.deposit")),
      {
        id: "dates",
        header: t("prices.special"),
        align: "end",
        sortable: true,
        value: (row) => row.dateCount,
        cell: (row) => (row.dateCount === 0 ? "–" : formatNumber(row.dateCount)),
      },
      {
        id: "rooms",
        header: t("priceTemplates.rooms"),
        sortable: true,
        value: (row) => row.rooms.length,
        cell: (row) => <RoomsCell row={row} />,
      },
    ];
  }, [currency]);
}

/** Shows a few rooms by name, many as a number. The tooltip lists all of them. */
function RoomsCell({ row: { rooms } }: { row: TemplateRow }) {
  if (rooms.length === 0) return <span className="text-muted-foreground">{t("priceTemplates.noRooms")}</span>;
  const names = formatList(rooms.map(({ name }) => name));
  return rooms.length <= MAX_LISTED ? (
    <bdi>{names}</bdi>
  ) : (
    <span title={names}>{t("priceTemplates.roomCount", { count: rooms.length })}</span>
  );
}

const templateForm = pricesForm.extend({
  name: text(60)
    .optional()
    .refine((name) => Boolean(name), v.required),
});

type TemplateDialogProps = {
  /** Initial values. Without an id, a new template is created. */
  template: { id?: number; name: string; prices: PricesInput | null; roomCount: number };
  onClose: () => void;
};

/** Creates a template, edits one, or creates one from another. */
function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const save = useMutation(trpc.priceTemplates.save.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(templateForm, {
    defaultValues: { name: template.name, prices: startPrices(template.prices) },
  });
  const close = useGuardedClose(form, onClose);
  return (
    <FormDialog
      form={form}
      width="lg"
      title={template.id === undefined ? t("priceTemplates.createTitle") : t("priceTemplates.editTitle")}
      submitLabel={t("common.save")}
      startAt="name"
      onClose={close}
      onSubmit={async ({ name = "", prices }) => {
        await save.mutateAsync({ id: template.id, name, prices });
        toast.success(t("priceTemplates.saved", { name }));
        onClose();
      }}
    >
      <Field form={form} name="name" label={t("priceTemplates.name")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
      <PriceFields form={form} />
      {template.roomCount > 0 && (
        <Callout tone="info" title={t("priceTemplates.keepNote", { count: template.roomCount })} />
      )}
    </FormDialog>
  );
}

type Edited = Parameters<typeof TemplateDialog>[0]["template"];

export function TemplateListPage() {
  return useCan()("prices.manage") ? <TemplateList /> : <NoPermission />;
}

/** Lists the price templates, with the rooms that use them. */
function TemplateList() {
  const client = useQueryClient();
  const columns = useTemplateColumns();
  const { data: templates, error, refetch } = useQuery(trpc.priceTemplates.list.queryOptions());
  const [edited, setEdited] = useState<Edited | null>(null);
  const [templateToApply, setTemplateToApply] = useState<TemplateRow | null>(null);
  const remove = useMutation(trpc.priceTemplates.remove.mutationOptions());

  async function open(row: TemplateRow, copy = false): Promise<void> {
    const { id, name, prices, rooms } = await client.fetchQuery(
      trpc.priceTemplates.info.queryOptions({ templateId: row.id }, { staleTime: 0 }),
    );
    setEdited(
      copy
        ? { name: t("priceTemplates.copyName", { name }).slice(0, 60), prices, roomCount: 0 }
        : { id, name, prices, roomCount: rooms.length },
    );
  }

  async function askToRemove({ id, name, rooms }: TemplateRow): Promise<void> {
    const confirmed = await confirm({
      title: t("priceTemplates.removeAsk", { name }),
      description: t("priceTemplates.removeText", { count: rooms.length }),
      confirmLabel: t("priceTemplates.remove"),
      tone: "danger",
      action: () => remove.mutateAsync({ templateId: id }),
    });
    if (!confirmed) return;
    toast.success(t("priceTemplates.removed", { name }));
  }

  const actions = (): RowAction<TemplateRow>[] => [
    { label: t("priceTemplates.putOn"), icon: BedDouble, onSelect: setTemplateToApply },
    { label: t("common.edit"), icon: Pencil, onSelect: (row) => void open(row) },
    { label: t("priceTemplates.duplicate"), icon: Copy, onSelect: (row) => void open(row, true) },
    { label: t("priceTemplates.remove"), icon: Trash2, danger: true, onSelect: (row) => void askToRemove(row) },
  ];

  const add = (
    <ActionButton onClick={() => setEdited({ name: "", prices: null, roomCount: 0 })}>
      <Plus aria-hidden />
      {t("priceTemplates.add")}
    </ActionButton>
  );

  return (
    <>
      <PageHeader title={t("nav.priceTemplates")} description={t("priceTemplates.text")} actions={add} />
      <DataTable
        label={t("nav.priceTemplates")}
        columns={columns}
        rows={templates}
        rowId={(row) => String(row.id)}
        error={error}
        onRetry={() => void refetch()}
        actions={actions}
        onOpen={(row) => void open(row)}
        empty={{
          drawing: EmptyLedger,
          title: t("priceTemplates.empty"),
          description: t("priceTemplates.emptyText"),
          action: add,
        }}
      />
      {edited && <TemplateDialog key={edited.id ?? edited.name} template={edited} onClose={() => setEdited(null)} />}
      {templateToApply && (
        <ApplyTemplateDialog
          key={templateToApply.id}
          template={templateToApply}
          onClose={() => setTemplateToApply(null)}
        />
      )}
    </>
  );
}
