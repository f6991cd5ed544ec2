import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import type { DataColumn, RowAction } from "./columns.ts";
import { RowMenu } from "./row-menu.tsx";
import type { DataTableModel } from "./use-data-table.ts";

type TableRowsProps<Row extends object> = {
  table: DataTableModel<Row>;
  columns: readonly DataColumn<Row>[];
  label: string;
  onOpen?: (row: Row) => void;
  actions?: (row: Row) => readonly RowAction<Row>[];
  rowClassName?: (row: Row) => string | undefined;
};

const INTERACTIVE = "a, button, input, [role='menuitem'], [role='checkbox'], [role='switch']";
const SORT_WORD = { asc: "ascending", desc: "descending" } as const;

function ownClick(event: MouseEvent<HTMLElement>): boolean {
  return (event.target as HTMLElement).closest(INTERACTIVE) === null && getSelection()?.isCollapsed !== false;
}

/** Arrow keys move between rows and Enter opens one. Only one row is in the tab order. */
export function TableRows<Row extends object>(props: TableRowsProps<Row>) {
  const { table, columns, label, onOpen, actions, rowClassName } = props;
  const { t } = useTranslation();
  const [activeId, setActiveId] = useState<string>();
  const rows = table.getRowModel().rows;
  const tabbable = rows.some((row) => row.id === activeId) ? activeId : rows[0]?.id;
  const columnOf = new Map(columns.map((column) => [column.id, column]));

  function walk(event: KeyboardEvent<HTMLTableRowElement>, row: Row): void {
    if (event.target !== event.currentTarget) return;
    const at = event.currentTarget;
    const body = at.parentElement;
    const next = {
      ArrowDown: at.nextElementSibling,
      ArrowUp: at.previousElementSibling,
      Home: body?.firstElementChild,
      End: body?.lastElementChild,
    }[event.key];
    if (next instanceof HTMLElement) {
      event.preventDefault();
      next.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      onOpen?.(row);
    }
  }

  return (
    <div className="scroll-quiet hidden overflow-x-auto lg:block">
      <table className="w-full border-collapse" aria-label={label}>
        <thead className="bg-sunken/60">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => {
                const sorted = header.column.getIsSorted();
                const end = columnOf.get(header.column.id)?.align === "end";
                return (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={sorted ? SORT_WORD[sorted] : undefined}
                    className={cn(
                      "h-9 px-3 text-xs font-medium whitespace-nowrap text-muted-foreground first:ps-5",
                      end ? "text-end" : "text-start",
                    )}
                  >
                    {header.column.getCanSort() ? (
                      <button
                        type="button"
                        onClick={() => header.column.toggleSorting()}
                        className={cn(
                          "-mx-1.5 inline-flex h-7 items-center gap-1 rounded-sm px-1.5 hover:bg-hover hover:text-foreground",
                          sorted && "text-foreground",
                          end && "flex-row-reverse",
                        )}
                      >
                        {columnOf.get(header.column.id)?.header}
                        {sorted === "asc" ? (
                          <ArrowUp className="size-3.5" aria-hidden />
                        ) : sorted === "desc" ? (
                          <ArrowDown className="size-3.5" aria-hidden />
                        ) : (
                          <ChevronsUpDown className="size-3.5 opacity-50" aria-hidden />
                        )}
                      </button>
                    ) : (
                      columnOf.get(header.column.id)?.header
                    )}
                  </th>
                );
              })}
              {actions && (
                <th scope="col" className="w-12">
                  <span className="sr-only">{t("common.actions")}</span>
                </th>
              )}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              tabIndex={row.id === tabbable ? 0 : -1}
              onFocus={() => setActiveId(row.id)}
              onKeyDown={(event) => walk(event, row.original)}
              onClick={(event) => onOpen && ownClick(event) && onOpen(row.original)}
              className={cn(
                "border-t transition-colors focus-visible:-outline-offset-2",
                onOpen ? "cursor-pointer hover:bg-hover" : "hover:bg-hover/50",
                rowClassName?.(row.original),
              )}
            >
              {row.getVisibleCells().map((cell) => {
                const column = columnOf.get(cell.column.id);
                return (
                  <td
                    key={cell.id}
                    className={cn(
                      "h-12 px-3 py-2 first:ps-5",
                      column?.align === "end" && "text-end",
                      column?.className,
                    )}
                  >
                    {column?.cell(row.original)}
                  </td>
                );
              })}
              {actions && (
                <td className="pe-3 text-end">
                  <RowMenu row={row.original} actions={actions(row.original)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
