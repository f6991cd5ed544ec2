import {
  type ColumnDef,
  columnVisibilityFeature,
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";

export type DataColumn<Row> = {
  /** Id of the column, and the name by which the server sorts. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Value that client-side sorting compares. */
  value?: (row: Row) => string | number | boolean | null;
  sortable?: boolean;
  align?: "start" | "end";
  /** Hidden until it is switched on in the column menu. */
  hidden?: boolean;
  /** Can't be hidden. */
  fixed?: boolean;
  className?: string;
  /** Place in the card on phones: the first line, a chip at its end, a labelled line (default), or none. */
  card?: "title" | "status" | "line" | "none";
};

export type RowAction<Row> = {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** `false`: the action navigates or needs no server, and can be chosen while the server is unreachable. */
  needsServer?: boolean;
  onSelect: (row: Row) => void;
};

/** "name", or "-name" for descending, as in the URL. */
type SortText = string;

export type PageState = { page: number; pageSize: number; sort?: SortText };

const dataTableFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

type Options<Row> = {
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Total number of rows on the server; undefined if `rows` contains all. */
  total: number | undefined;
  state: PageState | undefined;
  onStateChange: ((patch: Partial<PageState>) => void) | undefined;
};

export function useDataTable<Row extends object>({ columns, rows, rowId, total, state, onStateChange }: Options<Row>) {
  const [own, setOwn] = useState<PageState>({ page: 1, pageSize: 50 });
  const current = state ?? own;
  const change = onStateChange ?? ((patch: Partial<PageState>) => setOwn((old) => ({ ...old, ...patch })));
  const atServer = total !== undefined;

  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof dataTableFeatures, Row> => ({
          id: column.id,
          header: column.header,
          accessorFn: (row) => column.value?.(row) ?? undefined,
          cell: ({ row }) => column.cell(row.original),
          enableSorting: column.sortable ?? false,
          enableHiding: !column.fixed,
          sortUndefined: "last",
        }),
      ),
    [columns],
  );

  const sort = current.sort;
  const sorting = useMemo(() => (sort ? [{ id: sort.replace(/^-/, ""), desc: sort.startsWith("-") }] : []), [sort]);
  const pagination = useMemo(
    () => ({ pageIndex: current.page - 1, pageSize: current.pageSize }),
    [current.page, current.pageSize],
  );

  const table = useTable({
    features: dataTableFeatures,
    columns: definitions,
    data: rows as Row[],
    getRowId: rowId,
    initialState: {
      columnVisibility: Object.fromEntries(
        columns.filter((column) => column.hidden).map((column) => [column.id, false]),
      ),
    },
    state: { sorting, pagination },
    onSortingChange: (updater) => {
      const [first] = typeof updater === "function" ? updater(sorting) : updater;
      change({ sort: first ? `${first.desc ? "-" : ""}${first.id}` : undefined, page: 1 });
    },
    onPaginationChange: (updater) => {
      const next = typeof updater === "function" ? updater(pagination) : updater;
      if (next.pageSize !== pagination.pageSize) change({ pageSize: next.pageSize, page: 1 });
      else if (next.pageIndex !== pagination.pageIndex) change({ page: next.pageIndex + 1 });
    },
    autoResetPageIndex: false,
    manualSorting: atServer,
    manualPagination: atServer,
    rowCount: total,
    enableMultiSort: false,
  });
  return table;
}

export type DataTableModel<Row extends object> = ReturnType<typeof useDataTable<Row>>;
