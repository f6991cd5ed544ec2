import { COUNTED_TO } from "@innkey/shared/counted";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { ActionButton } from "../action/action-button.tsx";
import { IconButton } from "../action/icon-button.tsx";
import { SelectInput } from "../form/select-input.tsx";
import { Pagination, PaginationContent, PaginationItem } from "../primitives/pagination.tsx";
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
        <ActionButton variant="outline" pending={more.loading} onClick={more.load}>
          {t("common.loadMore")}
        </ActionButton>
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
    <Pagination className="mt-3 flex-wrap items-center justify-between gap-3 text-sm text-muted-foreground">
      <p aria-live="polite">
        {t("common.rowRange", {
          from: formatNumber(from),
          to: formatNumber(to),
          total: total === COUNTED_TO ? `${formatNumber(total)}+` : formatNumber(total),
        })}
      </p>
      <div className="flex items-center gap-1 print:hidden">
        <span className="hidden sm:inline">{t("common.rowsPerPage")}</span>
        <SelectInput
          aria-label={t("common.rowsPerPage")}
          className="me-2 h-8! w-20 text-sm!"
          value={String(pageSize)}
          onChange={(size) => table.setPageSize(Number(size))}
          options={[...new Set([...PAGE_SIZES, pageSize])]
            .sort((a, b) => a - b)
            .map((size) => ({ value: String(size), label: formatNumber(size) }))}
        />
        <PaginationContent>
          <PaginationItem>
            <IconButton
              icon={ChevronLeft}
              flip
              size="icon-sm"
              label={t("common.previousPage")}
              disabled={!table.getCanPreviousPage()}
              onClick={() => table.previousPage()}
            />
          </PaginationItem>
          <PaginationItem>
            <IconButton
              icon={ChevronRight}
              flip
              size="icon-sm"
              label={t("common.nextPage")}
              disabled={!table.getCanNextPage()}
              onClick={() => table.nextPage()}
            />
          </PaginationItem>
        </PaginationContent>
      </div>
    </Pagination>
  );
}
