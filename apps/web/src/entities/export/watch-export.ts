import type { ExportRow } from "@innkey/shared/schemas/data";
import { download, fileAddress } from "@/lib/browser/download.ts";
import { t } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { failureText } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

export const isUnfinished = ({ state }: Pick<ExportRow, "state">): boolean => state === "queued" || state === "running";

const LOOK_MILLISECONDS = 1500;
const VISIBLE_MILLISECONDS = 20_000;

const watched = new Set<string>();

/** Announces when a file is ready, on whatever page the operator is by then. */
export function watchExport(exportId: string): void {
  watched.add(exportId);
  if (watched.size === 1) setTimeout(look, LOOK_MILLISECONDS);
}

async function look(): Promise<void> {
  const rows = await queryClient
    .fetchQuery({ ...trpc.exports.list.queryOptions(), staleTime: 0 })
    .catch((): ExportRow[] | null => null);
  // The operator has signed out, or the server is away. The page of exports shows the result.
  if (!rows) return watched.clear();
  for (const id of [...watched]) {
    const row = rows.find((entry) => entry.id === id);
    if (row && isUnfinished(row)) continue;
    watched.delete(id);
    if (row) announceExport(row);
  }
  if (watched.size > 0) setTimeout(look, LOOK_MILLISECONDS);
}

function announceExport({ id, state, fileName, error }: ExportRow): void {
  if (state === "done") {
    const action = { label: t("exports.download"), onClick: () => download(fileAddress(id), fileName) };
    toast.success(t("exports.ready", { file: fileName }), { duration: VISIBLE_MILLISECONDS, action });
  } else if (state === "failed") {
    toast.error(t("exports.failed", { file: fileName }), { description: failureText({ code: error || "internal" }) });
  }
}
