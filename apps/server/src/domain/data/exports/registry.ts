import { DomainError } from "@innkey/shared/errors";
import { fieldMessages } from "@innkey/shared/field-messages";
import { type ColumnKind, columnOf, type FileColumnName, type ListName } from "@innkey/shared/lists";
import { EXPORT_FILTERS, type ExportFilters } from "@innkey/shared/schemas/data/exports";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { CellValue, ExportList, Reader } from "./columns.ts";
import { alertsList } from "./lists/alerts.list.ts";
import { auditList } from "./lists/audit.list.ts";
import { breakfastList, entriesList } from "./lists/folio-entries.list.ts";
import { customersList, guestsList, historyList } from "./lists/guests.list.ts";
import { cardsList, facesList, passcodesList } from "./lists/keys.list.ts";
import { cardReadersList, locksList, unlocksList } from "./lists/locks.list.ts";

import { roomsList } from "./lists/rooms.list.ts";
import { staffList } from "./lists/staff.list.ts";

/** A list with validated filters and the chosen columns. */
export interface OpenList {
  query: HotelQuery;
  kinds: ColumnKind[];
  cells(rows: readonly unknown[], reader: Reader): CellValue[][];
}

interface Registered {
  /** @throws invalid_input for unknown filters or columns; as the screen for what the caller can't see */
  open(scope: Scope, filters: unknown, columns: readonly string[]): Promise<OpenList>;
}

function registered<List extends ListName, Row>(list: List, source: ExportList<List, Row>): Registered {
  const isColumn = (name: string): name is FileColumnName<List> => Object.hasOwn(source.columns, name);
  return {
    async open(scope, filters, columns) {
      const parsed = EXPORT_FILTERS[list].safeParse(filters);
      if (!parsed.success) throw new DomainError("invalid_input", {}, fieldMessages(parsed.error.issues));
      const chosen = columns.filter(isColumn);
      if (chosen.length < columns.length || new Set(columns).size < columns.length) {
        throw new DomainError("invalid_input", {}, { columns: { key: "validation.choice" } });
      }
      const narrowed = parsed.data as ExportFilters<List>;
      await source.check?.(scope, narrowed);
      return {
        query: await source.query(scope, narrowed),
        kinds: chosen.map((name) => columnOf(list, name)?.kind ?? "text"),
        cells: (rows, reader) =>
          (rows as readonly Row[]).map((row) => chosen.map((name) => source.columns[name](row, reader))),
      };
    },
  };
}

/** Every exportable list. */
export const EXPORTS: { readonly [List in ListName]: Registered } = {
  rooms: registered("rooms", roomsList),
  guests: registered("guests", guestsList),
  history: registered("history", historyList),
  customers: registered("customers", customersList),
  folio: registered("folio", entriesList),
  cards: registered("cards", cardsList),
  passcodes: registered("passcodes", passcodesList),
  faces: registered("faces", facesList),
  locks: registered("locks", locksList),
  unlocks: registered("unlocks", unlocksList),
  alerts: registered("alerts", alertsList),
  staff: registered("staff", staffList),
  cardReaders: registered("cardReaders", cardReadersList),
  audit: registered("audit", auditList),
  breakfast: registered("breakfast", breakfastList),
};
