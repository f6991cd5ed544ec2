import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { IdCard, Pencil, Plus, Snowflake, Sun } from "lucide-react";
import { useState } from "react";
import { confirm } from "@/components/confirm.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { SearchInput } from "@/components/search-input.tsx";
import type { RowAction } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { useListState } from "@/components/table/list-search.ts";
import { Button } from "@/components/ui/button.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { refreshEverything } from "../stays/refresh.ts";
import { useCustomerColumns } from "./customer-columns.tsx";
import { CustomerDialog, type CustomerRow } from "./customer-dialog.tsx";

/** `undefined`: no dialog; null: a new customer. */
type Edited = CustomerRow | null | undefined;

export function CustomerListPage() {
  const { t } = useTranslation();
  const manage = useCan()("customers.manage");
  const list = useListState();
  const columns = useCustomerColumns();
  const [edited, setEdited] = useState<Edited>();
  const input = { keyword: list.query, page: list.page, pageSize: list.pageSize };
  const customers = useQuery(trpc.customers.list.queryOptions(input, { placeholderData: keepPreviousData }));
  const freeze = useMutation(trpc.customers.freeze.mutationOptions());

  function askToFreeze({ id, name, frozen }: CustomerRow): void {
    void confirm({
      title: frozen ? t("customer.unfreezeTitle", { name }) : t("customer.freezeTitle", { name }),
      description: frozen ? t("customer.unfreezeText") : t("customer.freezeText"),
      confirmLabel: frozen ? t("customer.unfreeze") : t("customer.freeze"),
      tone: frozen ? "primary" : "danger",
      action: async () => {
        await freeze.mutateAsync({ id, frozen: !frozen });
        refreshEverything();
        toast.success(frozen ? t("customer.unfrozenDone", { name }) : t("customer.frozenDone", { name }));
      },
    });
  }

  function actions(customer: CustomerRow): RowAction<CustomerRow>[] {
    return [
      { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
      customer.frozen
        ? { label: t("customer.unfreeze"), icon: Sun, onSelect: askToFreeze }
        : { label: t("customer.freeze"), icon: Snowflake, danger: true, onSelect: askToFreeze },
    ];
  }

  const createButton = manage && (
    <Button variant="primary" onClick={() => setEdited(null)}>
      <Plus aria-hidden />
      {t("customer.create")}
    </Button>
  );

  return (
    <>
      <PageHeader title={t("nav.customers")} description={t("customer.text")} actions={createButton} />
      <DataTable
        label={t("nav.customers")}
        columns={columns}
        rows={customers.data?.rows}
        total={customers.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={customers.error}
        onRetry={() => void customers.refetch()}
        stale={customers.isPlaceholderData}
        onOpen={manage ? setEdited : undefined}
        actions={manage ? actions : undefined}
        empty={
          list.query
            ? { icon: IdCard, title: t("customer.noneFound"), description: t("customer.noneFoundText") }
            : { icon: IdCard, title: t("customer.noneYet"), description: t("customer.noneYetText") }
        }
        toolbar={<SearchInput label={t("customer.search")} value={list.query} onChange={list.setQuery} />}
      />
      {edited !== undefined && (
        <CustomerDialog key={edited?.id ?? "new"} customer={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}
