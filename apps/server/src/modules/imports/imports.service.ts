import { PRICE_COLUMNS } from "@innkey/shared/imports/columns";
import type { ImportInput, ImportOutput, ImportRunInput } from "@innkey/shared/schemas/imports";
import type { Scope } from "../../core/scope.ts";
import { planCustomers, runCustomers } from "./customers.ts";
import { planGuests, runGuests } from "./guests.ts";
import { planRooms, runRooms } from "./rooms.ts";
import { Table } from "./table.ts";

/** Who may do by hand what the table would do. @throws no_permission */
function requireImport(scope: Scope, input: ImportInput): void {
  if (input.kind === "rooms") {
    scope.require("rooms.manage");
    if (new Table(input).says(PRICE_COLUMNS)) scope.require("prices.manage");
  } else if (input.kind === "guests") {
    scope.require("stays.manage");
    if (new Table(input).says(["price"])) scope.require("prices.agree");
  } else {
    scope.require("customers.manage");
  }
}

/** What the table would do, row by row, by the same rules as if it were typed; nothing is written. @throws no_permission */
export async function preview(scope: Scope, input: ImportInput): Promise<ImportOutput> {
  requireImport(scope, input);
  const table = new Table(input);
  if (input.kind === "rooms") await planRooms(scope, scope.sql, table);
  else if (input.kind === "guests") await planGuests(scope, scope.sql, table);
  else await planCustomers(scope.sql, table);
  return table.output();
}

/**
 * Does it: rooms and customers all in one transaction, guests party by party. Answers what became of each row.
 * @throws no_permission; import_has_errors, with nothing written, unless rows with errors are to be left out
 */
export async function run(scope: Scope, input: ImportRunInput): Promise<ImportOutput> {
  requireImport(scope, input);
  const runs = { rooms: runRooms, guests: runGuests, customers: runCustomers };
  return (await runs[input.kind](scope, input)).output();
}
