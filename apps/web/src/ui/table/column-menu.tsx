import { Columns3 } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "../primitives/button.tsx";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "../primitives/dropdown-menu.tsx";
import type { DataColumn } from "./columns.ts";
import type { DataTableModel } from "./use-data-table.ts";

export function ColumnMenu<Row extends object>({
  table,
  columns,
}: {
  table: DataTableModel<Row>;
  columns: readonly DataColumn<Row>[];
}) {
  const { t } = useTranslation();
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
      <DropdownMenuContent>
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
