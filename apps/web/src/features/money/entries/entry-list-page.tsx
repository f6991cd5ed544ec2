import { signedMinor } from "@innkey/shared/folio";
import type { entryListOutput } from "@innkey/shared/schemas/folio";
import { FOLIO_ENTRY_TYPES } from "@innkey/shared/words";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CalendarDays, FileText, type LucideIcon, ReceiptText, Undo2, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { z } from "zod";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { CHANNEL_ICONS } from "@/entities/stay/stay-money.tsx";
import { cn } from "@/lib/cn.ts";
import { formatDateTime, formatLocalDate, formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { QUICK_RANGES } from "@/lib/search-params.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { dayRange, rangeOf } from "@/lib/time/quick-range.ts";
import { trpc } from "@/lib/trpc.ts";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { QuickRangeSelect } from "@/ui/quick-range-select.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn } from "@/ui/table/table-model.ts";
import { RefundDialog, UndoWithdrawalDialog } from "../money-dialogs.tsx";
import type { EntrySearch } from "../money-search.ts";
import { ReceiptDialog } from "../receipts/receipt-dialog.tsx";
import { ENTRY_ICONS } from "./entry-style.ts";

/** Totals of the listed entries: the charges, and the amount moved by each payment channel. */
function EntryTotals({ totals }: { totals: z.infer<typeof entryListOutput>["totals"] }) {
  const { currency } = useHotel();
  return (
    <dl className="mb-4 grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border shadow-card sm:grid-cols-3 lg:grid-flow-col lg:auto-cols-fr lg:grid-cols-none">
      <Total icon={ReceiptText} label={t("folio.charged")} amount={formatMoney(totals.chargedMinor, currency)} />
      {totals.channels.map(({ channel, takenMinor, returnedMinor }) => {
        return (
          <Total
            key={channel}
            icon={CHANNEL_ICONS[channel]}
            label={t(`stay.channel.${channel}`)}
            amount={formatMoney(takenMinor - returnedMinor, currency)}
            details={
              returnedMinor > 0
                ? [
                    t("folio.received", { amount: formatMoney(takenMinor, currency) }),
                    t("folio.returned", { amount: formatMoney(returnedMinor, currency) }),
                  ]
                : []
            }
          />
        );
      })}
    </dl>
  );
}

function Total({
  icon: Icon,
  label,
  amount,
  details = [],
}: {
  icon: LucideIcon;
  label: string;
  amount: string;
  details?: readonly string[];
}) {
  return (
    <div className="bg-card px-4 py-3">
      <dt className="flex items-center gap-1.5 text-sm text-muted-foreground">
        <Icon aria-hidden className="size-4" />
        {label}
      </dt>
      <dd className="figures mt-0.5 text-xl">{amount}</dd>
      {details.map((detail) => (
        <dd key={detail} className="truncate text-sm text-muted-foreground">
          {detail}
        </dd>
      ))}
    </div>
  );
}

type EntryRow = z.infer<typeof entryListOutput>["rows"][number];

const ALL = "all";

function useEntryColumns(): DataColumn<EntryRow>[] {
  const { timeZone, currency } = useHotel();
  return useMemo(
    () =>
      listColumns<"folio", EntryRow>("folio", {
        type: {
          fixed: true,
          card: "title",
          cell: (row) => {
            const Icon = ENTRY_ICONS[row.type];
            return (
              <span className="flex items-center gap-2.5 font-medium">
                <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
                <span className="min-w-0">
                  {t(`folio.typeOf.${row.type}`)}
                  {row.type === "extra" && row.note && (
                    <span className="block max-w-56 truncate text-sm font-normal text-muted-foreground">
                      {row.note}
                    </span>
                  )}
                </span>
              </span>
            );
          },
        },
        at: { cell: (row) => formatDateTime(row.createdAt, timeZone), className: "whitespace-nowrap" },
        guest: { cell: (row) => row.guestName ?? "–" },
        room: { cell: (row) => <bdi>{row.roomName ?? "–"}</bdi> },
        channel: {
          cell: (row) =>
            row.destination ? (
              <bdi>{row.destination}</bdi>
            ) : row.channel ? (
              t(`stay.channel.${row.channel}`)
            ) : (
              t("folio.notMoved")
            ),
        },
        operator: { cell: (row) => row.operatorName ?? "–" },
        note: { hidden: true, className: "max-w-56 truncate", cell: (row) => row.note || "–" },
        amount: {
          align: "end",
          card: "status",
          className: "whitespace-nowrap",
          cell: (row) => (
            <span className={cn("font-semibold", signedMinor(row) < 0 && "text-danger")}>
              {formatMoney(signedMinor(row), currency)}
            </span>
          ),
        },
      }),
    [timeZone, currency],
  );
}

export function EntryListPage({ search }: { search: EntrySearch }) {
  const { timeZone } = useHotel();
  const stays = useStayActions();
  const list = useListState();
  const columns = useEntryColumns();
  const [entryToRefund, setEntryToRefund] = useState<EntryRow | null>(null);
  const [withdrawalToUndo, setWithdrawalToUndo] = useState<EntryRow | null>(null);
  const [receiptStayId, setReceiptStayId] = useState<number | null>(null);
  const managesBalance = useCan()("balance.manage");
  const period = search.day === undefined ? rangeOf(search.range, timeZone) : dayRange(search.day, timeZone);
  const { q = "" } = search;
  const input = { keyword: q || undefined, type: search.type, ...period, page: list.page, pageSize: list.pageSize };
  const entries = useQuery(trpc.folio.list.queryOptions(input, { placeholderData: keepPreviousData }));

  return (
    <>
      <PageHeader title={t("nav.folio")} description={t("folio.text")} />
      {entries.data && entries.data.total > 0 && <EntryTotals totals={entries.data.totals} />}
      <ExportedTable
        label={t("nav.folio")}
        columns={columns}
        rows={entries.data?.rows}
        total={entries.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        stale={entries.isPlaceholderData}
        onOpen={(row) => row.stayGuestId !== null && stays.openStay(row.stayGuestId)}
        exportList={{ list: "folio", filters: input }}
        actions={(row) => [
          ...(row.stayId === null
            ? []
            : [{ label: t("receipt.title"), icon: FileText, onSelect: () => setReceiptStayId(row.stayId) }]),
          ...(managesBalance && row.type === "recharge" && row.refundableMinor > 0
            ? [{ label: t("folio.refund"), icon: Undo2, onSelect: setEntryToRefund }]
            : []),
          ...(managesBalance && row.undoable
            ? [{ label: t("balance.undoWithdrawal"), icon: Undo2, onSelect: setWithdrawalToUndo }]
            : []),
        ]}
        empty={
          q === ""
            ? { drawing: EmptyLedger, title: t("folio.none"), description: t("folio.noneText") }
            : { drawing: EmptyLedger, title: t("history.noneFound"), description: t("history.noneFoundText") }
        }
        toolbar={
          <>
            <SearchInput
              label={t("folio.search")}
              value={q}
              onChange={(next) => list.change({ q: next || undefined })}
            />
            <SelectInput
              aria-label={t("folio.type")}
              className="w-auto min-w-40"
              value={search.type ?? ALL}
              onChange={(type) => list.change({ type: type === ALL ? undefined : type })}
              options={[
                { value: ALL, label: t("folio.allTypes") },
                ...FOLIO_ENTRY_TYPES.map((type) => ({ value: type, label: t(`folio.typeOf.${type}`) })),
              ]}
            />
            <QuickRangeSelect
              ranges={QUICK_RANGES}
              label={t("guest.rangeLabel")}
              value={search.range}
              onChange={(range) => list.change({ range, day: undefined })}
            />
            {search.day !== undefined && (
              <Button variant="outline" onClick={() => list.change({ day: undefined })} aria-pressed>
                <CalendarDays aria-hidden />
                {formatLocalDate(search.day)}
                <X aria-hidden />
              </Button>
            )}
          </>
        }
      />
      {entryToRefund && <RefundDialog entry={entryToRefund} onClose={() => setEntryToRefund(null)} />}
      {withdrawalToUndo && (
        <UndoWithdrawalDialog withdrawal={withdrawalToUndo} onClose={() => setWithdrawalToUndo(null)} />
      )}
      {receiptStayId !== null && (
        <ReceiptDialog stayId={receiptStayId} nationality={null} onClose={() => setReceiptStayId(null)} />
      )}
    </>
  );
}
