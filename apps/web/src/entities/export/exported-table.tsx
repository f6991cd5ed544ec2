import { DataTable, type DataTableProps } from "@/ui/table/data-table.tsx";
import { ExportButton } from "./export-button.tsx";
import type { ExportableList } from "./export-dialog.tsx";

type ExportedTableProps<Row extends object> = Omit<DataTableProps<Row>, "tools"> & {
  /** The list to export, with the filters of the screen. */
  exportList: Pick<ExportableList, "list" | "filters">;
};

/** A table with an export button. If rows are filtered and sorted here, the export names them one by one. */
export function ExportedTable<Row extends object>({ exportList, ...props }: ExportedTableProps<Row>) {
  return (
    <DataTable
      {...props}
      tools={({ page, pageSize, ids }) => (
        <ExportButton
          list={exportList.list}
          filters={ids ? { ...exportList.filters, ids } : exportList.filters}
          page={page}
          pageSize={pageSize}
        />
      )}
    />
  );
}
