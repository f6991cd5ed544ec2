import { useTranslation } from "@/lib/i18n.ts";
import { Skeleton } from "../primitives/skeleton.tsx";

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

export function TableSkeleton({ columns }: { columns: number }) {
  const { t } = useTranslation();
  const cells = Array.from({ length: Math.min(columns, 6) }, (_, index) => index);
  return (
    <div role="status" aria-label={t("common.loading")}>
      <div className="h-9 bg-sunken/60" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-12 items-center gap-8 border-t px-5">
          {cells.map((cell) => (
            <Skeleton key={cell} className={cell === 0 ? "h-4 w-40" : "h-4 w-24 max-lg:hidden"} />
          ))}
        </div>
      ))}
    </div>
  );
}
