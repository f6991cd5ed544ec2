import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { copyRows } from "../../apps/server/src/adapters/postgres/long-reads.ts";
import { recordsForFile } from "../../apps/server/src/domain/access/unlocks/records.sql.ts";

/** COPY of the same columns of the same records in the same order, as the database has them: nothing translated, nothing made safe. */
export function bareCopy({ pool }: Database, hotelId: number): AsyncGenerator<Buffer> {
  const { text, values } = recordsForFile(
    {},
    null,
    {},
    (_put, holder) => `u.at, r.name, u.style, u.success, u.reason, g.name, ${holder}, o.name, u.source, u.content`,
  );
  return copyRows(pool, { text, values: [hotelId, ...values] });
}
