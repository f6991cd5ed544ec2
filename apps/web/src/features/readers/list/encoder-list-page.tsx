import type { EncoderRow } from "@innkey/shared/schemas/encoders";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Activity, Link2, Nfc, Pencil, Plus, SearchX, Trash2, Unlink } from "lucide-react";
import { useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { useDeskNumber } from "@/entities/reader/desk-presence.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { useListState } from "@/ui/table/list-search.ts";
import { DeskNotice } from "./desk-notice.tsx";
import { useEncoderColumns } from "./encoder-columns.tsx";
import { type EditedEncoder, EncoderDialog } from "./encoder-dialog.tsx";
import { ENCODER_FILTERS, type EncoderSearch } from "./encoder-search.ts";
import { useEncoderActs } from "./use-encoder-acts.ts";

const REFRESH_MILLISECONDS = 30_000;
const ALL = "all";
const NEW = { deviceNo: "", type: 1 } as const;

/** Lists the card readers of the hotel's desks, with their status and holders. */
export function EncoderListPage({ search }: { search: EncoderSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const can = useCan();
  const manage = can("encoders.manage");
  const list = useListState();
  const columns = useEncoderColumns(useDeskNumber()?.deviceNo);
  const acts = useEncoderActs();
  const [edited, setEdited] = useState<EditedEncoder | null>(null);
  const { show } = search;
  const input = {
    keyword: list.query,
    bound: show && show === "bound",
    page: list.page,
    pageSize: list.pageSize,
  };
  const encoders = useQuery(
    trpc.encoders.list.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MILLISECONDS,
      enabled: can("encoders.view"),
    }),
  );
  if (!can("encoders.view")) return <NoPermission />;

  const bind = ({ id }: EncoderRow): void =>
    void navigate({ to: "/bindCardReaderToUser/bindCardReaderToUser", search: { id } });

  function actions(encoder: EncoderRow): RowAction<EncoderRow>[] {
    const check = { label: t("encoder.check"), icon: Activity, onSelect: (row: EncoderRow) => acts.check(row) };
    if (!manage) return [check];
    const free = { label: t("encoder.unbind"), icon: Unlink, danger: true, onSelect: acts.askToUnbind };
    return [
      { label: t("encoder.bind"), icon: Link2, onSelect: bind },
      check,
      { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
      ...(encoder.holder ? [free] : []),
      { label: t("encoder.remove"), icon: Trash2, danger: true, onSelect: acts.askToRemove },
    ];
  }

  const add = manage && (
    <Button variant="primary" onClick={() => setEdited(NEW)}>
      <Plus aria-hidden />
      {t("encoder.add")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("nav.encoders")} description={t("encoder.text")} actions={add} />
      <DeskNotice onAdd={manage ? setEdited : undefined} />
      <ExportedTable
        label={t("nav.encoders")}
        columns={columns}
        rows={encoders.data?.rows}
        total={encoders.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={encoders.error}
        onRetry={() => void encoders.refetch()}
        stale={encoders.isPlaceholderData}
        onOpen={manage ? bind : undefined}
        actions={actions}
        exportList={{ list: "encoders", filters: input }}
        empty={
          list.query || show
            ? { icon: SearchX, title: t("encoder.noneFound"), description: t("encoder.noneFoundText") }
            : { icon: Nfc, title: t("encoder.noneYet"), description: t("encoder.noneYetText"), action: add }
        }
        toolbar={
          <>
            <SearchInput label={t("encoder.search")} value={list.query} onChange={list.setQuery} />
            <Segmented
              aria-label={t("encoder.boundTo")}
              value={show ?? ALL}
              onChange={(next) => list.change({ show: next === ALL ? undefined : next })}
              options={[
                { value: ALL, label: t("guest.all") },
                ...ENCODER_FILTERS.map((value) => ({ value, label: t(`encoder.show.${value}`) })),
              ]}
            />
          </>
        }
      />
      {edited && <EncoderDialog encoder={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
