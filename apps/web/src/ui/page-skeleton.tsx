import { useTranslation } from "@/lib/i18n.ts";
import { Skeleton } from "./primitives/skeleton.tsx";

/** Placeholder of a page while its code and data load. */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")}>
      <Skeleton className="h-7 w-44" />
      <Skeleton className="mt-2 h-4 w-72" />
      <div className="mt-6 grid gap-3">
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-14 rounded-lg" />
        ))}
      </div>
    </div>
  );
}
