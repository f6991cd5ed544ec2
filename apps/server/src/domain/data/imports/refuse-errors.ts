import { DomainError } from "@innkey/shared/errors";
import type { ImportRunInput } from "@innkey/shared/schemas/imports";
import type { Table } from "./table.ts";

/** Refuses a table with errors, unless rows with errors are to be skipped. @throws import_has_errors */
export function refuseErrors(table: Table, { skipErrors }: ImportRunInput): void {
  if (table.hasErrors && !skipErrors) throw new DomainError("import_has_errors");
}
