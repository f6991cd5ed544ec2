import { PaymentChannel } from "@innkey/shared/enums";
import type * as schema from "@innkey/shared/schemas/orders";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../core/hotel-database.ts";
import type { Scope } from "../../core/scope.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type Output = Input<typeof schema.orderListOutput>;

const LIST = `WITH listed AS (
  SELECT o.*, x.room_id FROM orders o
    LEFT JOIN LATERAL (SELECT room_id FROM occupancy x WHERE x.stay_id = o.stay_id ORDER BY x.id DESC LIMIT 1) x ON true
   WHERE o.hotel_id = $1
     AND ($2::int[] IS NULL OR x.room_id = ANY ($2))
     AND ($3::text IS NULL OR o.type::text = $3)
     AND ($4::timestamptz IS NULL OR o.created_at >= $4) AND ($5::timestamptz IS NULL OR o.created_at < $5)
), moved AS (
  SELECT e.account::text AS account, sum(greatest(e.amount_minor, 0)) AS debit, sum(greatest(-e.amount_minor, 0)) AS credit
    FROM listed l JOIN ledger_entry e ON e.order_id = l.id AND e.hotel_id = l.hotel_id GROUP BY e.account
)
SELECT o.id, o.type::text AS type, o.amount_minor AS "amountMinor", o.channel::text AS channel,
       o.refunds_order_id AS "refundsOrderId", o.note, o.destination, iso(o.created_at) AS "createdAt",
       (SELECT name FROM operator WHERE id = o.operator_id) AS "operatorName",
       CASE WHEN o.type IN ('refund', 'withdrawal') THEN 0 ELSE greatest(0, o.amount_minor - coalesce(
         (SELECT sum(f.amount_minor) FROM orders f WHERE f.refunds_order_id = o.id), 0)) END::int AS "refundableMinor",
       o.stay_id AS "stayId", g."manageId", g.name AS "guestName", r.name AS "roomName", count(*) OVER ()::int AS total,
       (SELECT jsonb_build_object(
          'chargedMinor', coalesce(sum(credit - debit) FILTER (WHERE account = 'revenue'), 0),
          'channels', coalesce(jsonb_agg(jsonb_build_object('channel', account, 'takenMinor', debit, 'returnedMinor', credit)
            ORDER BY account) FILTER (WHERE account = ANY ($8::text[])), '[]')) FROM moved) AS totals
  FROM listed o
  LEFT JOIN room r ON r.id = o.room_id
  LEFT JOIN LATERAL (SELECT sg.id AS "manageId", g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
                      WHERE sg.stay_id = o.stay_id AND sg."primary") g ON true
 ORDER BY o.created_at DESC, o.id DESC LIMIT $6 OFFSET $7`;

type ListInput = Input<typeof schema.orderListInput>;

/** The list's statement; without a page everything that matches. */
export function listQuery(scope: Scope, input: Omit<ListInput, "page" | "pageSize">, page?: Paging): HotelQuery {
  const filters = [scope.roomIds, input.type ?? null, input.from ?? null, input.to ?? null];
  return { text: LIST, values: [...filters, ...limits(page), PaymentChannel.options] };
}

/** Orders, newest first, and what all that match add up to by the ledger; staff see those of their rooms. */
export async function list(scope: Scope, input: ListInput): Promise<Output> {
  scope.require("orders.view");
  const { text, values } = listQuery(scope, input, input);
  const rows = await scope.sql.rows<Output["rows"][number] & Pick<Output, "total" | "totals">>(text, ...values);
  // A page past the last has no row to carry the totals.
  if (rows.length === 0 && input.page > 1) return { ...(await list(scope, { ...input, page: 1 })), rows: [] };
  return {
    rows: rows.map(({ total: _total, totals: _totals, ...row }) => row),
    total: rows[0]?.total ?? 0,
    totals: rows[0]?.totals ?? { chargedMinor: 0, channels: [] },
  };
}
