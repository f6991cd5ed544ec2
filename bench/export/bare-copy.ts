import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { copyRows } from "../../apps/server/src/adapters/postgres/long-reads.ts";
import { recordsFileQuery } from "../../apps/server/src/domain/access/unlocks/unlocks.queries.ts";

/** Runs COPY with the same columns, records and order, but without translating or escaping the values. */
export function bareCopy({ pool }: Database, hotelId: number): AsyncGenerator<Buffer> {
  const { text, values } = recordsFileQuery(
    {},
    null,
    {},
    (_put, holder) => `u.at, r.name, u.style, u.success, u.reason, g.name, ${holder}, o.name, u.source, u.content`,
  );
  return copyRows(pool, { text, values: [hotelId, ...values] });
}
