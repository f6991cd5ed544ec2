import { cn } from "@/lib/cn.ts";
import type { DataColumn, RowAction } from "./columns.ts";
import { RowMenu } from "./row-menu.tsx";
import type { DataTableModel } from "./use-data-table.ts";

type TableCardsProps<Row extends object> = {
  table: DataTableModel<Row>;
  columns: readonly DataColumn<Row>[];
  onOpen?: (row: Row) => void;
  actions?: (row: Row) => readonly RowAction<Row>[];
  rowClassName?: (row: Row) => string | undefined;
};

/** Shows the rows as cards, on phones. */
export function TableCards<Row extends object>(props: TableCardsProps<Row>) {
  const { table, columns, onOpen, actions, rowClassName } = props;
  const title = columns.find((column) => column.card === "title") ?? columns[0];
  const status = columns.filter((column) => column.card === "status");
  const lines = columns.filter((column) => column !== title && !column.hidden && (column.card ?? "line") === "line");

  return (
    <ul className="divide-y lg:hidden">
      {table.getRowModel().rows.map(({ id, original: row }) => (
        <li key={id} className={cn("relative px-4 py-3.5 transition-colors", rowClassName?.(row))}>
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1 text-lg font-medium">
              {onOpen ? (
                <button
                  type="button"
                  onClick={() => onOpen(row)}
                  className="max-w-full text-start before:absolute before:inset-0 before:content-['']"
                >
                  {title?.cell(row)}
                </button>
              ) : (
                title?.cell(row)
              )}
            </div>
            {status.map((column) => (
              <div key={column.id}>{column.cell(row)}</div>
            ))}
            {actions && (
              <div className="relative -me-2 -mt-1">
                <RowMenu row={row} actions={actions(row)} />
              </div>
            )}
          </div>
          <dl className="mt-1.5 grid gap-1 text-sm">
            {lines.map((column) => {
              const content = column.cell(row);
              if (content === null || content === false) return null;
              return (
                <div key={column.id} className="flex items-baseline justify-between gap-4">
                  <dt className="shrink-0 text-muted-foreground">{column.header}</dt>
                  <dd className="min-w-0 truncate text-end">{content}</dd>
                </div>
              );
            })}
          </dl>
        </li>
      ))}
    </ul>
  );
}
