import { DataTable, type DataTableProps } from "@/ui/table/data-table.tsx";
import { ExportButton } from "./export-button.tsx";
import type { ExportableList } from "./export-dialog.tsx";

type ExportedTableProps<Row extends object> = Omit<DataTableProps<Row>, "tools"> & {
  /** The list as it is exported, narrowed as it is here. */
  exportList: Pick<ExportableList, "list" | "filters">;
};

/** A table that can be taken out as a file; rows that are narrowed and sorted here are named one by one. */
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
