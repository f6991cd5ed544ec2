import { PaymentChannel } from "@innkey/shared/enums";
import type * as schema from "@innkey/shared/schemas/folio/entries";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type Output = Input<typeof schema.entryListOutput>;

/** Current or last room of an entry's stay. */
const LAST_ROOM = "(SELECT x.room_id FROM occupancy x WHERE x.stay_id = o.stay_id ORDER BY x.id DESC LIMIT 1)";

/** $2: the reader's rooms (null: all), $3: kinds, $4 and $5: period. */
const CHOSEN = `FROM folio_entry o
   WHERE o.hotel_id = $1
     AND ($2::int[] IS NULL OR ${LAST_ROOM} = ANY ($2))
     AND ($3::text[] IS NULL OR o.type = ANY ($3::folio_entry_type[]))
     AND ($4::timestamptz IS NULL OR o.created_at >= $4) AND ($5::timestamptz IS NULL OR o.created_at < $5)`;

const LIST = `WITH chosen AS (SELECT o.* ${CHOSEN} ORDER BY o.created_at DESC, o.id DESC LIMIT $6 OFFSET $7)
SELECT o.id, o.type::text AS type, o.amount_minor AS "amountMinor", o.channel::text AS channel,
       o.refunds_entry_id AS "refundsEntryId", o.note, o.destination, iso(o.created_at) AS "createdAt",
       (SELECT name FROM operator WHERE id = o.operator_id) AS "operatorName",
       CASE WHEN o.type IN ('refund', 'withdrawal', 'deposit_used') THEN 0 ELSE greatest(0, o.amount_minor - coalesce(
         (SELECT sum(f.amount_minor) FROM folio_entry f WHERE f.refunds_entry_id = o.id), 0)) END::int AS "refundableMinor",
       o.stay_id AS "stayId", g.stay_guest_id AS "stayGuestId", g.name AS "guestName", r.name AS "roomName"
  FROM chosen o
  LEFT JOIN room r ON r.id = ${LAST_ROOM}
  LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
 ORDER BY o.created_at DESC, o.id DESC`;

/** $6: payment channels. Reads the matching entries once and joins all their entries. */
const TOTALS = `WITH listed AS MATERIALIZED (SELECT o.id ${CHOSEN}), moved AS (
  SELECT e.account, sum(greatest(e.amount_minor, 0)) AS debit, sum(greatest(-e.amount_minor, 0)) AS credit
    FROM listed l JOIN ledger_entry e ON e.folio_entry_id = l.id AND e.hotel_id = $1 GROUP BY e.account
)
SELECT (SELECT count(*)::int FROM listed) AS total, jsonb_build_object(
   'chargedMinor', coalesce(sum(credit - debit) FILTER (WHERE account = 'revenue'), 0),
   'channels', coalesce(jsonb_agg(jsonb_build_object('channel', account, 'takenMinor', debit, 'returnedMinor', credit)
     ORDER BY account::text) FILTER (WHERE account = ANY ($6::ledger_account[])), '[]')) AS totals
  FROM moved`;

type ListInput = Input<typeof schema.entryListInput>;

const filtersOf = (scope: Scope, input: Omit<ListInput, "page" | "pageSize">): unknown[] => [
  scope.roomIds,
  input.type === undefined ? null : [input.type].flat(),
  input.from ?? null,
  input.to ?? null,
];

/** Returns the statement of the list; without a page it selects everything that matches. */
export function entryListQuery(scope: Scope, input: Omit<ListInput, "page" | "pageSize">, page?: Paging): HotelQuery {
  return { text: LIST, values: [...filtersOf(scope, input), ...limits(page)] };
}

/**
 * Returns one page of entries, newest first, and the ledger totals of all that match; staff see the entries of their
 * rooms.
 */
export async function list(scope: Scope, input: ListInput): Promise<Output> {
  scope.require("folio.view");
  const { text, values } = entryListQuery(scope, input, input);
  const [rows, [sums]] = await Promise.all([
    scope.sql.rows<Output["rows"][number]>(text, ...values),
    scope.sql.rows<Pick<Output, "total" | "totals">>(TOTALS, ...filtersOf(scope, input), PaymentChannel.options),
  ]);
  if (!sums) throw new Error("sums without a row");
  return { rows, ...sums };
}
