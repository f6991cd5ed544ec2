import { columnOf, type ListName, type ScreenColumnName } from "@innkey/shared/lists";
import { textOf } from "@/lib/i18n.ts";
import type { DataColumn } from "@/ui/table/table-model.ts";

type Cell<Row> = Omit<DataColumn<Row>, "id" | "header" | "sortable">;

/** How each column of a list looks on its screen; `false` leaves it out. */
type Cells<List extends ListName, Row> = { [Column in ScreenColumnName<List>]: Cell<Row> | false };

/** Returns the columns of a list's screen, in the order of their cells. */
export function listColumns<List extends ListName, Row>(list: List, cells: Cells<List, Row>): DataColumn<Row>[] {
  return Object.entries<Cell<Row> | false>(cells).flatMap(([id, cell]) => {
    const column = columnOf(list, id);
    return cell && column ? [{ ...cell, id, header: textOf(column.heading), sortable: column.sortable }] : [];
  });
}
