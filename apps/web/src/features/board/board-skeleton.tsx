import { useTranslation } from "@/lib/i18n.ts";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { CARD_REM } from "./room-card.tsx";

const CARDS = Array.from({ length: 18 }, (_, index) => index);

/** The board's shape while it is on its way: the same heights, so that nothing jumps. */
export function BoardSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")}>
      <Skeleton className="mt-2 mb-3 h-5 w-36" />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] gap-3 max-sm:grid-cols-2">
        {CARDS.map((card) => (
          <div key={card} className="rounded-lg border bg-card p-3.5" style={{ height: `${CARD_REM}rem` }}>
            <Skeleton className="h-7 w-16" />
            <Skeleton className="mt-2.5 h-4 w-20" />
            <Skeleton className="mt-4 h-4 w-28" />
            <Skeleton className="mt-2 h-3.5 w-24" />
          </div>
        ))}
      </div>
    </div>
  );
}
