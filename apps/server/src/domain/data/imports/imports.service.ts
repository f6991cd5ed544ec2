import { PRICE_COLUMNS } from "@innkey/shared/imports/columns";
import type { ImportInput, ImportOutput, ImportRunInput } from "@innkey/shared/schemas/imports";
import type { RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { tooManyAttempts } from "../../../kernel/too-many-attempts.ts";
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

/** Enough to mend a table step by step, too few to ask the hotel's data thousands of questions. */
const PREVIEWS = { points: 60, duration: 60 * 60 };

/** Counts how often each person and program has looked at what tables would do. */
export function previewLimit(rateLimits: RateLimits): (scope: Scope) => Promise<void> {
  const limiter = rateLimits("imports", PREVIEWS);
  return async ({ hotelId, actor }) => {
    const waitMs = await limiter.take(`${hotelId}:${actor.kind}:${actor.id}`);
    if (waitMs !== null) throw tooManyAttempts(waitMs);
  };
}

/**
 * What the table would do, row by row, by the same rules as if it were typed. Nothing is written but that somebody asked.
 * @throws no_permission
 */
export async function preview(scope: Scope, input: ImportInput): Promise<ImportOutput> {
  requireImport(scope, input);
  const table = new Table(input);
  if (input.kind === "rooms") await planRooms(scope, scope.sql, table);
  else if (input.kind === "guests") await planGuests(scope, scope.sql, table);
  else await planCustomers(scope, scope.sql, table);
  await scope.write(async (unit) => {
    const after = { kind: input.kind, ...table.counts() };
    unit.journal({ action: "import.preview", entity: "import", entityId: scope.hotelId, after });
  });
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
