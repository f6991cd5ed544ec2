import type { ExportRow } from "@innkey/shared/schemas/data";
import { download, exportFileUrl } from "@/lib/browser/download.ts";
import { t } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { failureText } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

export const isUnfinished = ({ state }: Pick<ExportRow, "state">): boolean => state === "queued" || state === "running";

const POLL_MILLISECONDS = 1500;
const TOAST_MILLISECONDS = 20_000;

const watchedIds = new Set<string>();

/** Announces when a file is ready, on whatever page the operator is by then. */
export function watchExport(exportId: string): void {
  watchedIds.add(exportId);
  if (watchedIds.size === 1) setTimeout(checkExports, POLL_MILLISECONDS);
}

async function checkExports(): Promise<void> {
  const rows = await queryClient
    .fetchQuery({ ...trpc.exports.list.queryOptions(), staleTime: 0 })
    .catch((): ExportRow[] | null => null);
  // The operator has signed out, or the server is unreachable. The page of exports shows the result.
  if (!rows) return watchedIds.clear();
  for (const id of [...watchedIds]) {
    const row = rows.find((entry) => entry.id === id);
    if (row && isUnfinished(row)) continue;
    watchedIds.delete(id);
    if (row) announceExport(row);
  }
  if (watchedIds.size > 0) setTimeout(checkExports, POLL_MILLISECONDS);
}

function announceExport({ id, state, fileName, error }: ExportRow): void {
  if (state === "done") {
    const action = { label: t("exports.download"), onClick: () => download(exportFileUrl(id), fileName) };
    toast.success(t("exports.ready", { file: fileName }), { duration: TOAST_MILLISECONDS, action });
  } else if (state === "failed") {
    toast.error(t("exports.failed", { file: fileName }), { description: failureText({ code: error || "internal" }) });
  }
}
