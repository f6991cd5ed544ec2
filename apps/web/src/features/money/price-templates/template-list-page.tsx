import type { TemplateRow } from "@innkey/shared/schemas/price-templates";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BedDouble, Copy, Pencil, Plus, Tags, Trash2 } from "lucide-react";
import { useState } from "react";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { PutOnRoomsDialog } from "./put-on-rooms-dialog.tsx";
import { useTemplateColumns } from "./template-columns.tsx";
import { TemplateDialog } from "./template-dialog.tsx";

type Edited = Parameters<typeof TemplateDialog>[0]["template"];

export function TemplateListPage() {
  return useCan()("prices.manage") ? <TemplateList /> : <NoPermission />;
}

/** Lists the price templates, with the rooms that use them. */
function TemplateList() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const columns = useTemplateColumns();
  const { data: templates, error, refetch } = useQuery(trpc.priceTemplates.list.queryOptions());
  const [edited, setEdited] = useState<Edited | null>(null);
  const [template, setTemplate] = useState<TemplateRow | null>(null);
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
    const removed = await confirm({
      title: t("priceTemplates.removeAsk", { name }),
      description: t("priceTemplates.removeText", { count: rooms.length }),
      confirmLabel: t("priceTemplates.remove"),
      tone: "danger",
      action: () => remove.mutateAsync({ templateId: id }),
    });
    if (!removed) return;
    toast.success(t("priceTemplates.removed", { name }));
    await client.invalidateQueries(trpc.priceTemplates.pathFilter());
  }

  const actions = (): RowAction<TemplateRow>[] => [
    { label: t("priceTemplates.putOn"), icon: BedDouble, onSelect: setTemplate },
    { label: t("common.edit"), icon: Pencil, onSelect: (row) => void open(row) },
    { label: t("priceTemplates.duplicate"), icon: Copy, onSelect: (row) => void open(row, true) },
    { label: t("priceTemplates.remove"), icon: Trash2, danger: true, onSelect: (row) => void askToRemove(row) },
  ];

  const add = (
    <Button variant="primary" onClick={() => setEdited({ name: "", prices: null, roomCount: 0 })}>
      <Plus aria-hidden />
      {t("priceTemplates.add")}
    </Button>
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
          icon: Tags,
          title: t("priceTemplates.empty"),
          description: t("priceTemplates.emptyText"),
          action: add,
        }}
      />
      {edited && <TemplateDialog key={edited.id ?? edited.name} template={edited} onClose={() => setEdited(null)} />}
      {template && <PutOnRoomsDialog key={template.id} template={template} onClose={() => setTemplate(null)} />}
    </>
  );
}
