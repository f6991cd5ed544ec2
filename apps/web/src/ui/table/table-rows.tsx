import { ArrowDown, ArrowUp, ChevronsUpDown, Ellipsis } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "@/ui/primitives/dropdown-menu.tsx";
import type { DataColumn, DataTableModel, RowAction } from "./table-model.ts";

export function RowMenu<Row>({ row, actions }: { row: Row; actions: readonly RowAction<Row>[] }) {
  if (actions.length === 0) return null;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={t("common.actions")}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" onClick={(event) => event.stopPropagation()}>
        {actions.map((action) => (
          <ActionMenuItem
            key={action.label}
            icon={action.icon}
            danger={action.danger}
            disabled={action.disabled}
            needsServer={action.needsServer}
            onSelect={() => action.onSelect(row)}
          >
            {action.label}
          </ActionMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

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
