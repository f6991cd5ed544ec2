import { PRICE_COLUMNS } from "@innkey/shared/imports/columns";
import type { ImportInput, ImportOutput, ImportRunInput } from "@innkey/shared/schemas/data";
import type { RateLimits } from "../../../adapters/redis/rate-limits.ts";
import { tooManyAttempts } from "../../../kernel/errors.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { planCustomers, runCustomers } from "./customers.ts";
import { planGuests, runGuests } from "./guests.ts";
import { planRooms, runRooms } from "./rooms.ts";
import { Table } from "./table.ts";

/** Requires the same permissions as entering the rows by hand. @throws no_permission */
function requireImport(scope: Scope, input: ImportInput): void {
  if (input.kind === "rooms") {
    scope.require("rooms.manage");
    if (new Table(input).hasValues(PRICE_COLUMNS)) scope.require("prices.manage");
  } else if (input.kind === "guests") {
    scope.require("stays.manage");
    if (new Table(input).hasValues(["price"])) scope.require("prices.agree");
  } else {
    scope.require("customers.manage");
  }
}

/** Enough previews to correct a table step by step, but too few to probe the hotel's data with thousands of rows. */
const PREVIEW_LIMIT = { points: 60, duration: 60 * 60 };

/** Returns `preview`, limited per person or program. @throws also too_many_attempts */
export function limitedPreview(rateLimits: RateLimits): typeof preview {
  const limiter = rateLimits("imports", PREVIEW_LIMIT);
  return async (scope, input) => {
    const { hotelId, actor } = scope;
    const waitMs = await limiter.take(`${hotelId}:${actor.kind}:${actor.id}`);
    if (waitMs !== null) throw tooManyAttempts(waitMs);
    return preview(scope, input);
  };
}

/**
 * Returns what the table would do, row by row, by the same rules as for manual input. Writes only an audit entry.
 * @throws no_permission
 */
export async function preview(scope: Scope, input: ImportInput): Promise<ImportOutput> {
  requireImport(scope, input);
  const table = new Table(input);
  if (input.kind === "rooms") await planRooms(scope, scope.sql, table);
  else if (input.kind === "guests") await planGuests(scope, scope.sql, table);
  else await planCustomers(scope, scope.sql, table);
  await scope.write(async (tx) => {
    const after = { kind: input.kind, ...table.counts() };
    tx.audit({ action: "import.preview", entity: "import", entityId: scope.hotelId, after });
  });
  return table.output();
}

/**
 * Imports the table: rooms and customers in one transaction, guests party by party. Returns the result of each row.
 * @throws no_permission; import_has_errors, with nothing written, unless rows with errors are to be skipped
 */
export async function run(scope: Scope, input: ImportRunInput): Promise<ImportOutput> {
  requireImport(scope, input);
  const runs = { rooms: runRooms, guests: runGuests, customers: runCustomers };
  return (await runs[input.kind](scope, input)).output();
}
