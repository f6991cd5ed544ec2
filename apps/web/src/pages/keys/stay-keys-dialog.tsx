import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { StayDialog } from "@/entities/stay/stay-dialog.tsx";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { trpc } from "@/lib/trpc.ts";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type StayKeysDialogProps = {
  stayId: number;
  title: string;
  /** Whether it takes the place of the dialog of an act, without an animation. */
  continues: boolean;
  onClose: () => void;
  children: (stay: StayDetail, keys: StayKeys) => ReactNode;
};

/** A dialog about the keys of a stay, with its panel until stay and keys are loaded. */
export function StayKeysDialog({ stayId, title, continues, onClose, children }: StayKeysDialogProps) {
  const keys = useQuery(trpc.keys.ofStay.queryOptions({ stayId }, { refetchInterval: BY_TIME_MILLISECONDS }));
  return (
    <StayDialog stayId={stayId} title={title} onClose={onClose}>
      {(stay) =>
        keys.data ? (
          children(stay, keys.data)
        ) : (
          <DialogPanel title={title} continues={continues}>
            {keys.error ? (
              <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
            ) : (
              <Skeleton className="h-32" />
            )}
          </DialogPanel>
        )
      }
    </StayDialog>
  );
}
