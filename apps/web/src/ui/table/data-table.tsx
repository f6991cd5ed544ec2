import { COUNTED_TO } from "@innkey/shared/lists";
import { ChevronLeft, ChevronRight, Columns3 } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import type { Drawing } from "@/ui/drawings.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { Pagination, PaginationContent, PaginationItem } from "@/ui/primitives/pagination.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PAGE_SIZES } from "./list-search.ts";
import { type DataColumn, type DataTableModel, type PageState, type RowAction, useDataTable } from "./table-model.ts";
import { TableCards, TableRows } from "./table-rows.tsx";

type TablePagerProps<Row extends object> = {
  table: DataTableModel<Row>;
  more?: { available: boolean; loading: boolean; load: () => void };
};

function TablePager<Row extends object>({ table, more }: TablePagerProps<Row>) {
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

function ColumnMenu<Row extends object>({
  table,
  columns,
}: {
  table: DataTableModel<Row>;
  columns: readonly DataColumn<Row>[];
}) {
  const names = new Map(columns.map((column) => [column.id, column.header]));
  const hideable = table.getAllLeafColumns().filter((column) => column.getCanHide());
  if (hideable.length < 2) return null;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="sm">
          <Columns3 aria-hidden />
          {t("common.columns")}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel>{t("common.shownColumns")}</DropdownMenuLabel>
        {hideable.map((column) => (
          <DropdownMenuCheckboxItem
            key={column.id}
            checked={column.getIsVisible()}
            onCheckedChange={(checked) => column.toggleVisibility(checked === true)}
            onSelect={(event) => event.preventDefault()}
          >
            {names.get(column.id)}
          </DropdownMenuCheckboxItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Ids of the visible rows, if filtering and sorting happen here. */
type ShownRows = { page: number; pageSize: number; ids?: number[] };

export type DataTableProps<Row extends object> = {
  /** Accessible name of the table: "Guests". */
  label: string;
  columns: readonly DataColumn<Row>[];
  /** Undefined while loading. Must be stable between renders. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** Total number of rows if the server pages and sorts; otherwise both happen here. */
  total?: number;
  /** From `useListState().table`; without it the table has a state of its own. */
  state?: PageState;
  onStateChange?: (patch: Partial<PageState>) => void;
  error?: unknown;
  onRetry?: () => void;
  /** Whether old rows are shown while new ones load. */
  stale?: boolean;
  empty: { drawing?: Drawing; title: string; description?: string; action?: ReactNode };
  onOpen?: (row: Row) => void;
  actions?: (row: Row) => readonly RowAction<Row>[];
  /** Search and filters, before the column menu. */
  toolbar?: ReactNode;
  /** Actions on the list as shown, such as exporting it; beside the column menu. */
  tools?: (shown: ShownRows) => ReactNode;
  /** For keyset lists: shows a "load more" button instead of pages. */
  more?: { available: boolean; loading: boolean; load: () => void };
  /** Background of a row, for example of one that has just arrived. */
  rowClassName?: (row: Row) => string | undefined;
  className?: string;
};

const NO_ROWS: readonly never[] = [];

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    columns,
    rows,
    rowId,
    total,
    state,
    onStateChange,
    error,
    onRetry,
    stale,
    empty,
    toolbar,
    more,
    tools,
    className,
  } = props;
  const table = useDataTable({
    columns,
    rows: rows ?? NO_ROWS,
    rowId,
    total: more ? (rows?.length ?? 0) : total,
    state: more ? { page: 1, pageSize: 1e6, sort: state?.sort } : state,
    onStateChange,
  });
  const failed = error !== undefined && error !== null && rows === undefined;

  return (
    <section aria-label={props.label} aria-busy={rows === undefined || stale} className={cn("min-w-0", className)}>
      <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
        {toolbar}
        <div className="ms-auto flex items-center">
          {tools?.(shownRows(table, total, more))}
          {rows?.length !== 0 && (
            <div className="hidden lg:block">
              <ColumnMenu table={table} columns={columns} />
            </div>
          )}
        </div>
      </div>
      <div
        className={cn(
          "overflow-hidden rounded-lg border bg-card shadow-card transition-opacity",
          stale && "opacity-60",
        )}
      >
        {failed ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : rows === undefined ? (
          <TableSkeleton columns={columns.length} />
        ) : rows.length === 0 ? (
          <EmptyState {...empty} actionIsRepeated />
        ) : (
          <>
            <TableRows
              table={table}
              columns={columns}
              label={props.label}
              onOpen={props.onOpen}
              actions={props.actions}
              rowClassName={props.rowClassName}
            />
            <TableCards
              table={table}
              columns={columns}
              onOpen={props.onOpen}
              actions={props.actions}
              rowClassName={props.rowClassName}
            />
          </>
        )}
      </div>
      {rows !== undefined && rows.length > 0 && <TablePager table={table} more={more} />}
    </section>
  );
}

function shownRows<Row extends object>(
  table: DataTableModel<Row>,
  total: number | undefined,
  more: DataTableProps<Row>["more"],
): ShownRows {
  const { pageIndex, pageSize } = table.state.pagination;
  if (more) return { page: 1, pageSize: Math.max(1, table.getRowCount()) };
  const ids = total === undefined && { ids: table.getPrePaginatedRowModel().rows.map(({ id }) => Number(id)) };
  return { page: pageIndex + 1, pageSize, ...ids };
}

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

function TableSkeleton({ columns }: { columns: number }) {
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
