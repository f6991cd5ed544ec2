import type { ImportColumn } from "@innkey/shared/imports/columns";
import type { ImportRunInput } from "@innkey/shared/schemas/data";
import { type CustomerInput, customerInput } from "@innkey/shared/schemas/stays/customers";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { createCustomers } from "../../stays/public.ts";
import { customerKindOf, parseRow, type Row, refuseErrors, Table } from "./table.ts";

const COLUMNS: readonly ImportColumn[] = ["kind", "name", "mobile", "email", "company", "note"];

function readCustomer(row: Row): CustomerInput | null {
  const kindText = row.cell("kind");
  const kind = kindText === "" ? "person" : customerKindOf(kindText);
  if (kind === null) row.problem("kind", { key: "validation.choice" });
  const values = {
    kind: kind ?? "person",
    name: row.cell("name"),
    mobile: row.cell("mobile"),
    email: row.cell("email"),
    company: row.cell("company"),
    note: row.cell("note"),
  };
  return parseRow(row, customerInput, values, (path) => COLUMNS.find((column) => column === path) ?? null);
}

const identity = ({ name, mobile }: { name: string; mobile: string }): string => JSON.stringify([name, mobile]);

/**
 * Returns the customers to create. Skips those whom the caller sees with the same name and phone, and repeated rows.
 */
export async function planCustomers(scope: Scope, sql: HotelSql, table: Table): Promise<CustomerInput[]> {
  const existing = await sql.rows<{ name: string; mobile: string }>(
    "SELECT name, mobile FROM customer WHERE hotel_id = $1 AND deleted_at IS NULL AND name = ANY ($2::text[])",
    scope.can("customers.view") ? table.rows.map((row) => row.cell("name")) : [],
  );
  const identities = new Set(existing.map(identity));
  return table.rows.flatMap((row) => {
    const customer = readCustomer(row);
    if (!customer || row.hasProblem() || identities.has(identity(customer))) return [];
    identities.add(identity(customer));
    table.acts[row.index] = "create";
    return [customer];
  });
}

/** Imports all customers of the table in one transaction. @throws import_has_errors */
export function runCustomers(scope: Scope, input: ImportRunInput): Promise<Table> {
  return scope.write(async (tx) => {
    const table = new Table(input);
    const planned = await planCustomers(scope, tx.sql, table);
    refuseErrors(table, input);
    await createCustomers(
      scope,
      tx,
      planned.map(({ id: _new, ...data }) => data),
    );
    tx.audit({
      action: "import.run",
      entity: "import",
      entityId: scope.hotelId,
      after: { kind: "customers", ...table.counts() },
    });
    return table;
  });
}
