import { groupInput, type groupOutput } from "@innkey/shared/schemas/property/rooms";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import type { z } from "zod";
import { confirm } from "@/lib/confirm.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { NumberInput } from "@/ui/form/text-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";

type GroupDialogProps = { group: z.infer<typeof groupOutput> | null; nextSort: number; onClose: () => void };

/** Creates a group, or edits its name and position. */
function GroupDialog({ group, nextSort, onClose }: GroupDialogProps) {
  const save = useMutation(trpc.groups.save.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(groupInput, {
    defaultValues: { id: group?.id, name: group?.name ?? "", sort: group?.sort ?? nextSort },
  });
  return (
    <FormDialog
      form={form}
      width="sm"
      title={group ? t("groups.editTitle") : t("groups.newTitle")}
      submitLabel={t("common.save")}
      onClose={onClose}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        toast.success(t("groups.saved", { name: values.name }));
        onClose();
      }}
    >
      <Field form={form} name="name" label={t("groups.name")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" autoFocus />}
      </Field>
      <Field form={form} name="sort" label={t("groups.sort")} hint={t("groups.sortHint")} required>
        {(control) => <NumberInput {...control} />}
      </Field>
    </FormDialog>
  );
}

type Group = z.infer<typeof groupOutput>;

/** Lists the room groups in the order of the board's headings. */
export function GroupsScreen() {
  const navigate = useNavigate();
  const canManage = useCan()("rooms.manage");
  const { data: groups, error, refetch } = useQuery(trpc.groups.list.queryOptions());
  const [edited, setEdited] = useState<Group | "new" | null>(null);
  const remove = useMutation(trpc.groups.remove.mutationOptions());
  const nextSort = Math.max(0, ...(groups ?? []).map((group) => group.sort)) + 10;

  const columns = useMemo(
    (): DataColumn<Group>[] => [
      {
        id: "name",
        header: t("groups.name"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.name,
        cell: (row) => <span className="font-medium">{row.name}</span>,
      },
      {
        id: "sort",
        header: t("groups.sort"),
        align: "end",
        sortable: true,
        value: (row) => row.sort,
        cell: (row) => formatNumber(row.sort),
      },
      {
        id: "rooms",
        header: t("groups.rooms"),
        align: "end",
        sortable: true,
        value: (row) => row.roomCount,
        cell: (row) => formatNumber(row.roomCount),
      },
    ],
    [],
  );

  async function askToRemove(group: Group): Promise<void> {
    if (group.roomCount > 0) {
      toast.info(t("groups.hasRooms", { count: group.roomCount, name: group.name }));
      return;
    }
    const confirmed = await confirm({
      title: t("groups.removeAsk", { name: group.name }),
      description: t("groups.removeText"),
      confirmLabel: t("groups.remove"),
      tone: "danger",
      action: () => remove.mutateAsync({ id: group.id }),
    });
    if (!confirmed) return;
    toast.success(t("groups.removed", { name: group.name }));
  }

  const actions = (): RowAction<Group>[] =>
    canManage
      ? [
          { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
          { label: t("groups.remove"), icon: Trash2, danger: true, onSelect: (row) => void askToRemove(row) },
        ]
      : [];

  const add = (
    <ActionButton onClick={() => setEdited("new")}>
      <Plus aria-hidden />
      {t("groups.add")}
    </ActionButton>
  );

  return (
    <>
      <PageHeader title={t("groups.title")} description={t("groups.text")} actions={canManage && add} />
      <DataTable
        label={t("groups.title")}
        columns={columns}
        rows={groups}
        rowId={(row) => String(row.id)}
        error={error}
        onRetry={() => void refetch()}
        actions={actions}
        onOpen={(row) => void navigate({ to: "/room", search: { group: row.id } })}
        empty={{
          drawing: EmptyCorridor,
          title: t("groups.empty"),
          description: t("groups.emptyText"),
          action: canManage && add,
        }}
      />
      {edited && (
        <GroupDialog group={edited === "new" ? null : edited} nextSort={nextSort} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
