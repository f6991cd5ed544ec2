import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/card-readers";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

type Row = schema.CardReaderRow & { total: number };

/** $2 is the current time; a card reader is online if a desk reported it in the last two minutes. */
const ONLINE = "coalesce(e.last_seen_at > $2::timestamptz - interval '2 minutes', false)";

/**
 * $3 id, or null; $4 and $5 the keyword, plain and as a pattern; $6 assigned or not; $7 rows of a page, $8 offset; $9
 * whether the caller may see customers.
 */
const LIST = `
SELECT e.id, e.device_no AS "deviceNo", e.name, e.type, e.note, ${ONLINE} AS online,
  iso(e.last_seen_at) AS "lastSeenAt", iso(e.created_at) AS "createdAt", count(*) OVER ()::int AS total,
  CASE WHEN e.operator_id IS NOT NULL THEN jsonb_build_object('kind', 'operator', 'id', e.operator_id, 'name', o.name)
    WHEN e.customer_id IS NOT NULL THEN jsonb_build_object('kind', 'customer', 'id', e.customer_id, 'name', CASE WHEN $9::boolean THEN c.name ELSE '' END) END AS holder
FROM card_reader e
LEFT JOIN operator o ON o.id = e.operator_id
LEFT JOIN customer c ON c.id = e.customer_id
WHERE e.hotel_id = $1 AND ($3::int IS NULL OR e.id = $3)
  AND ($4::text = '' OR e.device_no ILIKE $5 OR e.name ILIKE $5 OR e.note ILIKE $5 OR o.name ILIKE $5 OR ($9::boolean AND c.name ILIKE $5))
  AND ($6::boolean IS NULL OR (e.operator_id IS NOT NULL OR e.customer_id IS NOT NULL) = $6)
ORDER BY lower(e.name), e.id LIMIT $7::int OFFSET $8::int`;

type ListInput = z.output<typeof schema.cardReaderListInput>;

/** Returns the statement of the list; without `page` it selects everything that matches. */
export function cardReaderListQuery(
  scope: Scope,
  input: Omit<ListInput, "page" | "pageSize">,
  page?: Paging,
): HotelQuery {
  const { keyword, bound } = input;
  const pattern = `%${keyword.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return {
    text: LIST,
    values: [scope.now(), null, keyword, pattern, bound ?? null, ...limits(page), scope.can("customers.view")],
  };
}

/** Returns card readers by name; the keyword matches number, name, note and the holder's name. @throws no_permission */
export async function list(scope: Scope, input: ListInput): Promise<z.infer<typeof schema.cardReaderListOutput>> {
  scope.require("cardReaders.view");
  const { text, values } = cardReaderListQuery(scope, input, input);
  const rows = await scope.sql.rows<Row>(text, ...values);
  // A page beyond the last one has no row, so the total is read with the first page.
  if (rows.length === 0 && input.page > 1) return { ...(await list(scope, { ...input, page: 1 })), rows: [] };
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** @throws no_permission, not_found */
export async function detail(scope: Scope, id: number): Promise<schema.CardReaderRow> {
  scope.require("cardReaders.view");
  const [row] = await scope.sql.rows<Row>(LIST, scope.now(), id, "", "", null, 1, 0, scope.can("customers.view"));
  if (!row) throw new DomainError("not_found");
  const { total: _total, ...cardReader } = row;
  return cardReader;
}

/**
 * Returns whether the card reader with that number is online, and whether it is assigned. @throws no_permission,
 * not_found if it isn't registered
 */
export async function checkStatus(scope: Scope, deviceNo: string): Promise<z.infer<typeof schema.cardReaderStatus>> {
  scope.require("cardReaders.view");
  const [status] = await scope.sql.rows<z.infer<typeof schema.cardReaderStatus>>(
    `SELECT ${ONLINE} AS online, iso(e.last_seen_at) AS "lastSeenAt",
        (e.operator_id IS NOT NULL OR e.customer_id IS NOT NULL) AS bound
      FROM card_reader e WHERE e.hotel_id = $1 AND e.device_no = $3`,
    scope.now(),
    deviceNo,
  );
  if (!status) throw new DomainError("not_found");
  return status;
}
