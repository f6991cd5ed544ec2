import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

/** The stay's own name: its first guest. */
export function guestNameOf(stay: Pick<StayDetail, "guests">): string {
  return (stay.guests.find((guest) => guest.primary) ?? stay.guests[0])?.name ?? "–";
}

/** Who, where, from when to when: the line every act on a stay begins with. */
export function StayFacts({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <div className="flex items-center gap-3.5 rounded-lg bg-sunken px-4 py-3">
      <span className="rounded-md border bg-card px-2.5 py-1 text-lg font-semibold whitespace-nowrap">
        <span className="sr-only">{t("stay.room")} </span>
        <bdi>{stay.room.name}</bdi>
      </span>
      <div className="min-w-0">
        <p className="truncate font-medium">
          {guestNameOf(stay)}
          {stay.guests.length > 1 && (
            <span className="font-normal text-muted-foreground">
              {" "}
              {t("stay.andMore", { count: stay.guests.length - 1 })}
            </span>
          )}
        </p>
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted-foreground">
          {formatShort(stay.startsAt, timeZone)}
          <ArrowRight aria-hidden className="flip-rtl size-3.5" />
          {formatShort(stay.endsAt, timeZone)}
        </p>
      </div>
    </div>
  );
}

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
        <DialogPanel title={title}>
          {stay.error ? (
            <ErrorState error={stay.error} onRetry={() => void stay.refetch()} />
          ) : (
            <div className="grid gap-3">
              <Skeleton className="h-12" />
              <Skeleton className="h-32" />
            </div>
          )}
        </DialogPanel>
      )}
    </Dialog>
  );
}
