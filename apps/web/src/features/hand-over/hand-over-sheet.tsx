import type { HandOverNote } from "@innkey/shared/schemas/stays/hand-over";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { QuietBell } from "@/ui/drawings.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { NoteForm } from "./note-form.tsx";
import { NoteList } from "./note-list.tsx";

/** What one shift tells the next: the open notes, a new one, and what was done last. */
export default function HandOverSheet({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(trpc.handOver.list.queryOptions());
  const newIds = useReadNotes(data?.open);
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel title={t("handOver.title")} description={t("handOver.text")}>
        <NoteForm />
        <section aria-labelledby="hand-over-open" className="-mx-5 mt-6 border-t pt-4">
          <h3 id="hand-over-open" className="mb-1 flex items-baseline gap-2 px-5 font-medium">
            {t("handOver.open")}
            {data && <span className="text-sm text-muted-foreground">{formatNumber(data.open.length)}</span>}
          </h3>
          {error && !data ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : !data ? (
            <div role="status" aria-label={t("common.loading")} className="px-5">
              <Skeleton className="h-24" />
            </div>
          ) : data.open.length === 0 ? (
            <EmptyState drawing={QuietBell} title={t("handOver.none")} />
          ) : (
            <NoteList notes={data.open} newIds={newIds} onLeave={onClose} />
          )}
        </section>
        {data && data.done.length > 0 && (
          <details className="-mx-5 border-t">
            <summary className="cursor-pointer px-5 py-3 font-medium text-muted-foreground">
              {t("handOver.done")} <span className="text-sm">{formatNumber(data.done.length)}</span>
            </summary>
            <NoteList notes={data.done} newIds={newIds} onLeave={onClose} />
          </details>
        )}
      </SheetPanel>
    </Sheet>
  );
}

/** Notes that what is shown has been read, and returns which notes were new since the sheet opened. */
function useReadNotes(open: readonly HandOverNote[] | undefined): ReadonlySet<number> {
  const [newIds, setNewIds] = useState<ReadonlySet<number>>(new Set());
  const { mutate } = useMutation(trpc.handOver.markRead.mutationOptions());
  useEffect(() => {
    const ids = (open ?? []).filter(({ unread }) => unread).map(({ id }) => id);
    if (ids.length === 0) return;
    setNewIds((earlier) => new Set([...earlier, ...ids]));
    mutate({ ids });
  }, [open, mutate]);
  return newIds;
}
