import { EXPORT_LISTS } from "@innkey/shared/exports";
import type { ExportRow } from "@innkey/shared/schemas/exports";
import { Ban, Check, CircleAlert, FileDown, Hourglass, LoaderCircle, type LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { isUnfinished } from "@/entities/export/export-state.ts";
import { failureText } from "@/lib/api-error.ts";
import { formatNumber, formatShort } from "@/lib/format.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Progress } from "@/ui/primitives/progress.tsx";
import { StatusChip, type StatusTone } from "@/ui/primitives/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";

const LOOKS: Record<ExportRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
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

export function useExportColumns(): DataColumn<ExportRow>[] {
  const { t } = useTranslation();
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
              <span className="block text-sm font-normal text-muted-foreground">
                {textOf(EXPORT_LISTS[row.list].title)}
              </span>
            </span>
          </span>
        ),
      },
      {
        id: "state",
        header: t("exports.stateLabel"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip {...LOOKS[state]} size="sm">
            {t(`exports.state.${state}`)}
          </StatusChip>
        ),
      },
      { id: "rows", header: t("exports.rows"), className: "min-w-48", cell: (row) => <RowsOf row={row} /> },
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
    [t, timeZone],
  );
}

function RowsOf({ row }: { row: ExportRow }) {
  const { t } = useTranslation();
  const { rowsDone, rowsTotal, sizeBytes, state, error, fileName } = row;
  if (state === "failed")
    return <span className="text-sm text-danger">{failureText({ code: error as "internal" })}</span>;
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
      <Progress value={share} label={fileName} />
    </span>
  );
}
