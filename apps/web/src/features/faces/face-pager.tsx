import { ChevronLeft, ChevronRight } from "lucide-react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { IconButton } from "@/ui/primitives/icon-button.tsx";

type FacePagerProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void };

/** Pages of a grid, as a table has them below it. */
export function FacePager({ page, pageSize, total, onPage }: FacePagerProps) {
  const { t } = useTranslation();
  if (total <= pageSize && page === 1)
    return (
      <p className="mt-3 text-sm text-muted-foreground">
        {t("common.rowCount", { count: total, formatted: formatNumber(total) })}
      </p>
    );
  const from = Math.min((page - 1) * pageSize + 1, total);
  const to = Math.min(page * pageSize, total);
  return (
    <nav
      aria-label={t("common.pages")}
      className="mt-3 flex items-center justify-between gap-3 text-sm text-muted-foreground"
    >
      <p aria-live="polite">
        {t("common.rowRange", { from: formatNumber(from), to: formatNumber(to), total: formatNumber(total) })}
      </p>
      <div className="flex gap-1">
        <IconButton
          icon={ChevronLeft}
          flip
          size="iconSm"
          label={t("common.previousPage")}
          disabled={page === 1}
          onClick={() => onPage(page - 1)}
        />
        <IconButton
          icon={ChevronRight}
          flip
          size="iconSm"
          label={t("common.nextPage")}
          disabled={to >= total}
          onClick={() => onPage(page + 1)}
        />
      </div>
    </nav>
  );
}
