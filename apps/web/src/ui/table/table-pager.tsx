import { COUNTED_TO } from "@innkey/shared/counted";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "../primitives/button.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { Select } from "../primitives/select.tsx";
import { PAGE_SIZES } from "./list-search.ts";
import type { DataTableModel } from "./use-data-table.ts";

type TablePagerProps<Row extends object> = {
  table: DataTableModel<Row>;
  more?: { available: boolean; loading: boolean; load: () => void };
};

export function TablePager<Row extends object>({ table, more }: TablePagerProps<Row>) {
  const { t } = useTranslation();
  if (more) {
    if (!more.available) return null;
    return (
      <div className="mt-3 flex justify-center print:hidden">
        <Button pending={more.loading} onClick={more.load}>
          {t("common.loadMore")}
        </Button>
      </div>
    );
  }
  const { pageIndex, pageSize } = table.state.pagination;
  const total = table.getRowCount();
  if (total <= PAGE_SIZES[0] && pageIndex === 0) {
    return (
      <p className="mt-3 text-sm text-muted-foreground">
        {t("common.rowCount", { count: total, formatted: formatNumber(total) })}
      </p>
    );
  }
  const from = Math.min(pageIndex * pageSize + 1, total);
  const to = Math.min((pageIndex + 1) * pageSize, total);
  return (
    <nav
      aria-label={t("common.pages")}
      className="mt-3 flex flex-wrap items-center justify-between gap-3 text-sm text-muted-foreground"
    >
      <p aria-live="polite">
        {t("common.rowRange", {
          from: formatNumber(from),
          to: formatNumber(to),
          total: total === COUNTED_TO ? `${formatNumber(total)}+` : formatNumber(total),
        })}
      </p>
      <div className="flex items-center gap-1 print:hidden">
        <span className="hidden sm:inline">{t("common.rowsPerPage")}</span>
        <Select
          aria-label={t("common.rowsPerPage")}
          className="me-2 h-8! w-20 text-sm!"
          value={String(pageSize)}
          onChange={(size) => table.setPageSize(Number(size))}
          options={[...new Set([...PAGE_SIZES, pageSize])]
            .sort((a, b) => a - b)
            .map((size) => ({ value: String(size), label: formatNumber(size) }))}
        />
        <IconButton
          icon={ChevronLeft}
          flip
          size="iconSm"
          label={t("common.previousPage")}
          disabled={!table.getCanPreviousPage()}
          onClick={() => table.previousPage()}
        />
        <IconButton
          icon={ChevronRight}
          flip
          size="iconSm"
          label={t("common.nextPage")}
          disabled={!table.getCanNextPage()}
          onClick={() => table.nextPage()}
        />
      </div>
    </nav>
  );
}
