import { sortsOf } from "@innkey/shared/lists";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2, Pencil, Plus, Snowflake, Sun, Trash2, User } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { formatDate, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { lazyPart, useWarmed } from "@/lib/loading/app-lazy.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { CUSTOMER_KINDS, CUSTOMER_STATES, type CustomerSearch } from "../guest-search.ts";
import type { CustomerRow } from "./customer-dialog.tsx";
import { CustomerChip, useCustomerActs } from "./customer-header.tsx";

const loadCustomerDialog = () =>
  import("./customer-dialog.tsx").then(({ CustomerDialog }) => ({ default: CustomerDialog }));
const CustomerDialog = lazyPart(loadCustomerDialog);

function useCustomerColumns(): DataColumn<CustomerRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    () =>
      listColumns<"customers", CustomerRow>("customers", {
        name: {
          fixed: true,
          card: "title",
          cell: (row) => {
            const Icon = row.kind === "company" ? Building2 : User;
            return (
              <span className="flex min-w-0 items-center gap-2.5">
                <Icon aria-label={t(`customer.kindOf.${row.kind}`)} className="size-4 shrink-0 text-muted-foreground" />
                <span className="min-w-0">
                  <span dir="auto" className="name-run block font-medium lg:truncate">
                    {row.name}
                  </span>
                  {row.company && row.company !== row.name && (
                    <span dir="auto" className="name-run block truncate text-sm font-normal text-muted-foreground">
                      {row.company}
                    </span>
                  )}
                </span>
              </span>
            );
          },
        },
        state: {
          card: "status",
          cell: (row) =>
            row.frozen || row.inHouse ? (
              <CustomerChip customer={row} size="sm" />
            ) : (
              <span className="text-faint-foreground max-lg:hidden">–</span>
            ),
        },
        mobile: { cell: (row) => <bdi className="ltr-run whitespace-nowrap">{row.mobile || "–"}</bdi> },
        email: { className: "max-w-60 truncate", cell: (row) => row.email || "–" },
        stays: { align: "end", cell: (row) => formatNumber(row.stayCount) },
        since: {
          card: "none",
          className: "whitespace-nowrap",
          cell: (row) => formatDate(row.createdAt, timeZone),
        },
        note: { hidden: true, className: "max-w-64 truncate", cell: (row) => row.note || "–" },
      }),
    [timeZone],
  );
}

/** `undefined` means no dialog; null means a new customer. */
type Edited = CustomerRow | null | undefined;

export function CustomerListPage({ search }: { search: CustomerSearch }) {
  const navigate = useNavigate();
  const canManage = useCan()("customers.manage");
  const list = useListState("name");
  const columns = useCustomerColumns();
  const acts = useCustomerActs();
  const [edited, setEdited] = useState<Edited>();
  useWarmed(loadCustomerDialog);
  const { kind, state } = search;
  const input = {
    keyword: list.query,
    kind,
    frozen: state && state === "frozen",
    sort: sortsOf("customers").find((sort) => sort === search.sort),
    page: list.page,
    pageSize: list.pageSize,
  };
  const customers = useQuery(trpc.customers.list.queryOptions(input, { placeholderData: keepPreviousData }));

  function actions(customer: CustomerRow): RowAction<CustomerRow>[] {
    return [
      { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
      customer.frozen
        ? { label: t("customer.unfreeze"), icon: Sun, onSelect: acts.askToFreeze }
        : { label: t("customer.freeze"), icon: Snowflake, danger: true, onSelect: acts.askToFreeze },
      { label: t("customer.remove"), icon: Trash2, danger: true, onSelect: (row) => acts.askToRemove(row) },
    ];
  }

  const createButton = canManage && (
    <ActionButton onClick={() => setEdited(null)}>
      <Plus aria-hidden />
      {t("customer.create")}
    </ActionButton>
  );

  return (
    <>
      <PageHeader title={t("nav.customers")} description={t("customer.text")} actions={createButton} />
      <ExportedTable
        label={t("nav.customers")}
        columns={columns}
        rows={customers.data?.rows}
        total={customers.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={customers.error}
        onRetry={() => void customers.refetch()}
        stale={customers.isPlaceholderData}
        onOpen={(row) => void navigate({ to: "/customer/customer/$customerId", params: { customerId: row.id } })}
        actions={canManage ? actions : undefined}
        exportList={{ list: "customers", filters: input }}
        empty={
          list.query || kind || state
            ? { drawing: EmptyCorridor, title: t("customer.noneFound"), description: t("customer.noneFoundText") }
            : { drawing: EmptyCorridor, title: t("customer.noneYet"), description: t("customer.noneYetText") }
        }
        toolbar={
          <>
            <SearchInput label={t("customer.search")} value={list.query} onChange={list.setQuery} />
            <CustomerFilters search={search} onChange={list.change} />
          </>
        }
      />
      {edited !== undefined && (
        <Suspense>
          <CustomerDialog key={edited?.id ?? "new"} customer={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </>
  );
}

const ALL = "all";

type CustomerFiltersProps = { search: CustomerSearch; onChange: (patch: CustomerSearch) => void };

/** Filters by kind (person or company) and by frozen state. */
function CustomerFilters({ search, onChange }: CustomerFiltersProps) {
  return (
    <>
      <Segmented
        aria-label={t("customer.kind")}
        value={search.kind ?? ALL}
        onChange={(kind) => onChange({ kind: kind === ALL ? undefined : kind })}
        options={[
          { value: ALL, label: t("guest.all") },
          ...CUSTOMER_KINDS.map((kind) => ({ value: kind, label: t(`customer.kindsOf.${kind}`) })),
        ]}
      />
      <SelectInput
        aria-label={t("customer.state")}
        className="w-auto min-w-36"
        value={search.state ?? ALL}
        onChange={(state) => onChange({ state: state === ALL ? undefined : state })}
        options={[
          { value: ALL, label: t("customer.stateOf.all") },
          ...CUSTOMER_STATES.map((state) => ({ value: state, label: t(`customer.stateOf.${state}`) })),
        ]}
      />
    </>
  );
}
