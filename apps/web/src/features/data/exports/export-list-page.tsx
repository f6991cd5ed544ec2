import type { ExportRow } from "@innkey/shared/schemas/exports";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, Download, FileDown, Trash2 } from "lucide-react";
import { isUnfinished } from "@/entities/export/export-state.ts";
import { confirm } from "@/lib/confirm.ts";
import { download, fileAddress } from "@/lib/download.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useExportColumns } from "./export-columns.tsx";

const BUSY_MILLISECONDS = 1000;
const REFRESH_MILLISECONDS = 15_000;

/** Lists the staff member's own exports, both unfinished and ready to download. */
export function ExportListPage() {
  const { t } = useTranslation();
  const allowed = useCan()("exports.make");
  const columns = useExportColumns();
  const files = useQuery(
    trpc.exports.list.queryOptions(undefined, {
      enabled: allowed,
      refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? BUSY_MILLISECONDS : REFRESH_MILLISECONDS),
    }),
  );
  const cancel = useMutation(trpc.exports.cancel.mutationOptions());
  const remove = useMutation(trpc.exports.remove.mutationOptions());
  if (!allowed) return <NoPermission />;

  const fetchFile = ({ id, fileName }: ExportRow): void => download(fileAddress(id), fileName);

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
      ...(row.state === "done" ? [{ label: t("exports.download"), icon: Download, onSelect: fetchFile }] : []),
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
        onOpen={(row) => row.state === "done" && fetchFile(row)}
        actions={actions}
        empty={{ icon: FileDown, title: t("exports.none"), description: t("exports.noneText") }}
      />
    </>
  );
}
