import type { CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Activity, Link2, Nfc, Pencil, Plus, SearchX, Trash2, Unlink } from "lucide-react";
import { useMemo, useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { useDeskNumber } from "@/entities/reader/desk-presence.ts";
import { checkConnection, useDeskReader } from "@/entities/reader/desk-reader.ts";
import { OnlineChip } from "@/entities/reader/online-chip.tsx";
import { formatDate, formatRelative } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { useListState } from "@/ui/table/list-search.ts";
import { CardReaderDialog, type EditedCardReader } from "./card-reader-dialog.tsx";
import { CARD_READER_FILTERS, type CardReaderSearch } from "./card-reader-search.ts";
import { HolderName } from "./holder-name.tsx";
import { useCardReaderActs } from "./use-card-reader-acts.ts";

/** `here` is the number of the reader at this desk. */
function useCardReaderColumns(here: string | undefined) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    () =>
      listColumns<"cardReaders", CardReaderRow>("cardReaders", {
        name: {
          fixed: true,
          card: "title",
          cell: (row) => (
            <span className="flex min-w-0 items-center gap-2">
              <span dir="auto" className="name-run truncate font-medium">
                {row.name}
              </span>
              {row.deviceNo === here && <Badge>{t("cardReader.here")}</Badge>}
            </span>
          ),
        },
        state: { card: "status", cell: (row) => <OnlineChip online={row.online} /> },
        deviceNo: { cell: (row) => <bdi className="ltr-run font-mono">{row.deviceNo}</bdi> },
        type: { cell: (row) => t("reader.type", { number: row.type }) },
        holder: { cell: (row) => <HolderName holder={row.holder} /> },
        lastSeen: {
          className: "whitespace-nowrap",
          cell: (row) => (row.lastSeenAt ? formatRelative(row.lastSeenAt) : t("cardReader.never")),
        },
        note: { hidden: true, className: "max-w-64 truncate", cell: (row) => row.note || "–" },
        registered: {
          hidden: true,
          className: "whitespace-nowrap",
          cell: (row) => formatDate(row.createdAt, timeZone),
        },
      }),
    [t, timeZone, here],
  );
}

type DeskNoticeProps = { onAdd: ((reader: { deviceNo: string; type: 1 | 2 | 3 }) => void) | undefined };

/** Tells how to find the reader at this desk, or that it is not in the list yet. */
function DeskNotice({ onAdd }: DeskNoticeProps) {
  const { t } = useTranslation();
  const { source, connection } = useDeskReader();
  const number = useDeskNumber();
  if (source !== "service" || number?.known) return null;
  if (!number) {
    if (connection === "connected") return null;
    return (
      <Callout
        tone="info"
        className="mb-4"
        title={t("cardReader.find")}
        actions={
          <ActionButton
            variant="outline"
            size="sm"
            pending={connection === "trying"}
            needsServer={false}
            onClick={() => void checkConnection()}
          >
            <Nfc aria-hidden />
            {t("reader.check")}
          </ActionButton>
        }
      >
        {connection === "broken" ? t("cardReader.findFailed") : t("cardReader.findText")}
      </Callout>
    );
  }
  return (
    <Callout
      tone="info"
      className="mb-4"
      title={t("cardReader.unknownHere")}
      actions={
        onAdd && (
          <ActionButton variant="outline" size="sm" onClick={() => onAdd(number)}>
            {t("cardReader.addThis")}
          </ActionButton>
        )
      }
    >
      {t("cardReader.itsNumber")} <bdi className="ltr-run font-mono font-medium">{number.deviceNo}</bdi>
    </Callout>
  );
}

/** Refresh interval, because a reader that is still there causes no event. */
const REFRESH_MILLISECONDS = 30_000;
const ALL = "all";
const NEW = { deviceNo: "", type: 1 } as const;

/** Lists the card readers of the hotel's desks, with their status and holders. */
export function CardReaderListPage({ search }: { search: CardReaderSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const can = useCan();
  const manage = can("cardReaders.manage");
  const list = useListState();
  const columns = useCardReaderColumns(useDeskNumber()?.deviceNo);
  const acts = useCardReaderActs();
  const [edited, setEdited] = useState<EditedCardReader | null>(null);
  const { show } = search;
  const input = {
    keyword: list.query,
    bound: show && show === "bound",
    page: list.page,
    pageSize: list.pageSize,
  };
  const cardReaders = useQuery(
    trpc.cardReaders.list.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MILLISECONDS,
      enabled: can("cardReaders.view"),
    }),
  );
  if (!can("cardReaders.view")) return <NoPermission />;

  const bind = ({ id }: CardReaderRow): void =>
    void navigate({ to: "/bindCardReaderToUser/bindCardReaderToUser", search: { id } });

  function actions(cardReader: CardReaderRow): RowAction<CardReaderRow>[] {
    const check = { label: t("cardReader.check"), icon: Activity, onSelect: (row: CardReaderRow) => acts.check(row) };
    if (!manage) return [check];
    const free = { label: t("cardReader.unbind"), icon: Unlink, danger: true, onSelect: acts.askToUnbind };
    return [
      { label: t("cardReader.bind"), icon: Link2, onSelect: bind },
      check,
      { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
      ...(cardReader.holder ? [free] : []),
      { label: t("cardReader.remove"), icon: Trash2, danger: true, onSelect: acts.askToRemove },
    ];
  }

  const add = manage && (
    <ActionButton onClick={() => setEdited(NEW)}>
      <Plus aria-hidden />
      {t("cardReader.add")}
    </ActionButton>
  );
  return (
    <>
      <PageHeader title={t("nav.cardReaders")} description={t("cardReader.text")} actions={add} />
      <DeskNotice onAdd={manage ? setEdited : undefined} />
      <ExportedTable
        label={t("nav.cardReaders")}
        columns={columns}
        rows={cardReaders.data?.rows}
        total={cardReaders.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={cardReaders.error}
        onRetry={() => void cardReaders.refetch()}
        stale={cardReaders.isPlaceholderData}
        onOpen={manage ? bind : undefined}
        actions={actions}
        exportList={{ list: "cardReaders", filters: input }}
        empty={
          list.query || show
            ? { icon: SearchX, title: t("cardReader.noneFound"), description: t("cardReader.noneFoundText") }
            : { icon: Nfc, title: t("cardReader.noneYet"), description: t("cardReader.noneYetText"), action: add }
        }
        toolbar={
          <>
            <SearchInput label={t("cardReader.search")} value={list.query} onChange={list.setQuery} />
            <Segmented
              aria-label={t("cardReader.boundTo")}
              value={show ?? ALL}
              onChange={(next) => list.change({ show: next === ALL ? undefined : next })}
              options={[
                { value: ALL, label: t("guest.all") },
                ...CARD_READER_FILTERS.map((value) => ({ value, label: t(`cardReader.show.${value}`) })),
              ]}
            />
          </>
        }
      />
      {edited && <CardReaderDialog cardReader={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
