import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type StayDialogProps = {
  stayId: number;
  title: string;
  onClose: () => void;
  /** Renders the dialog's content once the stay is here. */
  children: (stay: StayDetail) => ReactNode;
};

/** A dialog about one stay: loads it, always afresh, since money is decided on it. */
export function StayDialog({ stayId, title, onClose, children }: StayDialogProps) {
  const stay = useQuery(trpc.stays.detail.queryOptions({ stayId }, { staleTime: 0 }));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {stay.data ? (
        children(stay.data)
      ) : (
        <DialogContent title={title}>
          {stay.error ? (
            <ErrorState error={stay.error} onRetry={() => void stay.refetch()} />
          ) : (
            <div className="grid gap-3">
              <Skeleton className="h-12" />
              <Skeleton className="h-32" />
            </div>
          )}
        </DialogContent>
      )}
    </Dialog>
  );
}
