import { LISTS } from "@innkey/shared/lists";
import type { ExportRow } from "@innkey/shared/schemas/data";
import { useMutation, useQuery } from "@tanstack/react-query";
import {
  Ban,
  Check,
  CircleAlert,
  Download,
  FileDown,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  Trash2,
} from "lucide-react";
import { useMemo } from "react";
import { isUnfinished } from "@/entities/export/watch-export.ts";
import { download, exportFileUrl } from "@/lib/browser/download.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatNumber, formatShort } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { failureText } from "@/lib/rest.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/can.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";

const STYLES: Record<ExportRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "info", icon: Hourglass },
  running: { tone: "info", icon: LoaderCircle },
  done: { tone: "success", icon: Check },
  failed: { tone: "danger", icon: CircleAlert },
  cancelled: { tone: "neutral", icon: Ban },
};

const MEGABYTE = 1e6;

function sizeText(bytes: number): string {
  const [value, unit] = bytes < MEGABYTE ? [bytes / 1000, "kilobyte"] : [bytes / MEGABYTE, "megabyte"];
  return formatNumber(value, { style: "unit", unit, maximumFractionDigits: 1 });
}

function useExportColumns(): DataColumn<ExportRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<ExportRow>[] => [
      {
        id: "file",
        header: t("exports.file"),
        fixed: true,
        card: "title",
        cell: (row) => (
          <span className="flex min-w-0 items-center gap-2.5">
            <FileDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span className="min-w-0">
              <bdi className="block truncate font-medium">{row.fileName}</bdi>
              <span className="block text-sm font-normal text-muted-foreground">{textOf(LISTS[row.list].title)}</span>
            </span>
          </span>
        ),
      },
      {
        id: "state",
        header: t("exports.stateLabel"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip {...STYLES[state]} size="sm">
            {t(`exports.state.${state}`)}
          </StatusChip>
        ),
      },
      { id: "rows", header: t("exports.rows"), className: "min-w-48", cell: (row) => <RowsCell row={row} /> },
      {
        id: "asked",
        header: t("exports.asked"),
        className: "whitespace-nowrap",
        cell: ({ createdAt }) => formatShort(createdAt, timeZone),
      },
      {
        id: "kept",
        header: t("exports.keptUntil"),
        className: "whitespace-nowrap",
        cell: ({ state, expiresAt }) => (state === "done" && expiresAt ? formatShort(expiresAt, timeZone) : "–"),
      },
    ],
    [timeZone],
  );
}

function RowsCell({ row }: { row: ExportRow }) {
  const { rowsDone, rowsTotal, sizeBytes, state, error, fileName } = row;
  if (state === "failed")
    return <span className="text-sm text-danger">{failureText({ code: error || "internal" })}</span>;
  if (state === "done") {
    return <>{t("exports.rowsAndSize", { rows: formatNumber(rowsDone), size: sizeText(sizeBytes ?? 0) })}</>;
  }
  if (!isUnfinished(row)) return <>–</>;
  const share = rowsTotal ? Math.min(100, (rowsDone / rowsTotal) * 100) : 0;
  return (
    <span className="block">
      <span className="mb-1 block text-sm text-muted-foreground tabular-nums">
        {t("exports.progress", { done: formatNumber(rowsDone), total: formatNumber(rowsTotal ?? 0) })}
      </span>
      <Progress value={share} aria-label={fileName} />
    </span>
  );
}

/** Refresh interval while files are written, because progress causes no event. */
const PROGRESS_MILLISECONDS = 1000;

/** Lists the staff member's own exports, both unfinished and ready to download. */
export function ExportListPage() {
  const isAllowed = useCan()("exports.make");
  const columns = useExportColumns();
  const files = useQuery(
    trpc.exports.list.queryOptions(undefined, {
      enabled: isAllowed,
      refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? PROGRESS_MILLISECONDS : false),
    }),
  );
  const cancel = useMutation(trpc.exports.cancel.mutationOptions());
  const remove = useMutation(trpc.exports.remove.mutationOptions());
  if (!isAllowed) return <NoPermission />;

  const downloadFile = ({ id, fileName }: ExportRow): void => download(exportFileUrl(id), fileName);

  function askToCancel({ id, fileName }: ExportRow): void {
    void confirm({
      title: t("exports.cancelAsk", { file: fileName }),
      description: t("exports.cancelText"),
      confirmLabel: t("exports.cancel"),
      cancelLabel: t("common.close"),
      tone: "danger",
      action: async () => {
        await cancel.mutateAsync({ exportId: id });
        await files.refetch();
        toast.success(t("exports.cancelled", { file: fileName }));
      },
    });
  }

  function askToRemove({ id, fileName }: ExportRow): void {
    void confirm({
      title: t("exports.removeAsk", { file: fileName }),
      description: t("exports.removeText"),
      confirmLabel: t("exports.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ exportId: id });
        await files.refetch();
        toast.success(t("exports.removed", { file: fileName }));
      },
    });
  }

  function actions(row: ExportRow): RowAction<ExportRow>[] {
    if (isUnfinished(row)) return [{ label: t("exports.cancel"), icon: Ban, danger: true, onSelect: askToCancel }];
    return [
      ...(row.state === "done" ? [{ label: t("exports.download"), icon: Download, onSelect: downloadFile }] : []),
      { label: t("exports.remove"), icon: Trash2, danger: true, onSelect: askToRemove },
    ];
  }

  return (
    <>
      <PageHeader title={t("nav.exports")} description={t("exports.text")} />
      <DataTable
        label={t("nav.exports")}
        columns={columns}
        rows={files.data}
        rowId={(row) => row.id}
        error={files.error}
        onRetry={() => void files.refetch()}
        onOpen={(row) => row.state === "done" && downloadFile(row)}
        actions={actions}
        empty={{ drawing: EmptyLedger, title: t("exports.none"), description: t("exports.noneText") }}
      />
    </>
  );
}
