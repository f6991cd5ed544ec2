import type { CustomerListInput, CustomerListOutput } from "@innkey/shared/schemas/people";
import type { Scope } from "../../core/scope.ts";

/** Filters first, counts stays only for the page that is shown. */
const PAGE = `
  WITH found AS (
    SELECT * FROM customer
    WHERE hotel_id = $1 AND ($2::text = '' OR name ILIKE $3::text OR company ILIKE $3::text OR mobile ILIKE $3::text
                             OR email ILIKE $3::text)
  ),
  page AS (SELECT * FROM found ORDER BY lower(name), id LIMIT $4::int OFFSET $5::int)
  SELECT (SELECT count(*)::int FROM found) AS total, coalesce((
    SELECT json_agg(json_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'mobile', c.mobile, 'email', c.email,
      'company', c.company, 'note', c.note, 'frozen', c.frozen_at IS NOT NULL, 'createdAt', iso(c.created_at),
      'stayCount', coalesce(s.stays, 0), 'inHouse', coalesce(s.in_house, false)) ORDER BY lower(c.name), c.id)
    FROM page c
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS stays, bool_or(state = 'checked_in') AS in_house
      FROM stay WHERE hotel_id = $1 AND customer_id = c.id
    ) s ON true
  ), '[]') AS rows`;

/** Customers by name; the keyword is looked for in name, company, phone and mail. @throws no_permission */
export async function list(scope: Scope, { keyword, page, pageSize }: CustomerListInput): Promise<CustomerListOutput> {
  scope.require("customers.view");
  const pattern = `%${keyword.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const [found] = await scope.sql.rows<CustomerListOutput>(PAGE, keyword, pattern, pageSize, (page - 1) * pageSize);
  return found ?? { rows: [], total: 0 };
}
