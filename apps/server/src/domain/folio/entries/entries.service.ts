import { PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/folio";
import type { entryDone, refundInput } from "@innkey/shared/schemas/folio";
import type { z } from "zod";
import type { FolioEntryType } from "../../../adapters/postgres/generated/enums.ts";
import { type HotelQuery, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { selectStayForUpdate } from "../../stays/public.ts";
import { lockHotelMoney, readAvailable, readHotelMoney } from "../balance/balance.service.ts";
import { depositEntries, fundsEntries, type LedgerEntry, paymentEntries, postEntry } from "./ledger.ts";
import { isCharge, isRoomCharge, readAccount, readRefundable } from "./stay-account.ts";

/**
 * Withdraws part of an earlier deposit of the hotel's own money, limited by its remainder and the available amount.
 * @throws refund_too_large; not_found for a withdrawal, and for callers who may not manage the hotel's money
 */
async function refundRecharge(
  scope: Scope,
  tx: Transaction,
  entry: { id: number; type: FolioEntryType },
  { amountMinor, channel, note }: z.infer<typeof refundInput>,
): Promise<z.infer<typeof entryDone>> {
  if (!scope.can("balance.manage") || entry.type !== "recharge") throw new DomainError("not_found");
  if (!channel) throw new DomainError("invalid_input", {}, { channel: { key: "validation.required" } });
  await lockHotelMoney(tx);
  const [left] = await tx.sql.rows<{ refundableMinor: number }>(
    `SELECT refundable_minor AS "refundableMinor" FROM folio_entry_now WHERE hotel_id = $1 AND id = $2::int`,
    entry.id,
  );
  const { availableMinor } = await readHotelMoney(tx.sql);
  const leftMinor = Math.max(0, Math.min(left?.refundableMinor ?? 0, availableMinor));
  if (amountMinor > leftMinor) throw new DomainError("refund_too_large", { leftMinor });
  const entryId = await postEntry(scope, tx, {
    stayId: null,
    type: "refund",
    amountMinor,
    channel,
    refundsEntryId: entry.id,
    note,
    entries: fundsEntries(-amountMinor, channel),
  });
  return { entryId, owedMinor: 0, depositHeldMinor: 0 };
}

type Input<S extends z.ZodType> = z.infer<S>;
type EntryDone = Input<typeof schema.entryDone>;

export const ANY_STATE = ["reserved", "checked_in", "checked_out", "cancelled", "no_show"] as const;

/** Returns the answer of an act: the entry's id, and what the stay now owes and holds as deposit. */
export async function readEntryDone(tx: Transaction, stayId: number, entryId: number): Promise<EntryDone> {
  const { owedMinor, depositHeldMinor } = await readAccount(tx.sql, stayId);
  return { entryId, owedMinor, depositHeldMinor };
}

/** Everyone at the desk may refund a deposit; `refund` checks whether the entry requires more. @throws no_permission */
function requireRefund(scope: Scope): void {
  if (!scope.can("stays.manage")) scope.require("folio.refund");
}

/** Takes a payment for what a stay owes. @throws invalid_input for more than is owed */
export async function pay(scope: Scope, input: Input<typeof schema.payInput>): Promise<EntryDone> {
  scope.require("stays.manage");
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, ...ANY_STATE);
    const { owedMinor } = await readAccount(tx.sql, stay.id);
    if (input.amountMinor > owedMinor) {
      throw new DomainError("invalid_input", {}, { amountMinor: { key: "validation.moreThanOwed" } });
    }
    const entryId = await postEntry(scope, tx, {
      ...input,
      type: "payment",
      entries: paymentEntries(input.amountMinor, input.channel),
    });
    return readEntryDone(tx, stay.id, entryId);
  });
}

/**
 * Refunds part of an entry with a new entry that refers to it. The limit is what is left of the entry and what the stay
 * was charged; if money other than a deposit is paid out, also what was paid. Without a channel, a charge only reduces
 * what is owed. Deposits may be refunded without the right to refund, as far as checkPayout allows.
 * @throws refund_too_large, payout_not_allowed
 */
export async function refund(scope: Scope, input: Input<typeof schema.refundInput>): Promise<EntryDone> {
  requireRefund(scope);
  return scope.write(async (tx) => {
    const entry = await tx.db.folioEntry.findFirst({ where: { id: input.entryId } });
    if (!entry) throw new DomainError("not_found");
    const { stayId } = entry;
    // The room is checked first, because callers must not learn of entries in rooms that they can't see.
    if (stayId !== null) await selectStayForUpdate(scope, tx, stayId, ...ANY_STATE);
    if (entry.type !== "deposit") scope.require("folio.refund");
    if (stayId === null) return refundRecharge(scope, tx, entry, input);
    const refundable = (await readRefundable(tx.sql, stayId)).find(({ id }) => id === entry.id)?.leftMinor ?? 0;
    const { chargedMinor, roomChargedMinor, owedMinor } = await readAccount(tx.sql, stayId);
    const charges = isCharge(entry.type);
    // Refunds of charges reduce this amount, so a payment that was refunded with its charge can't be refunded again.
    const paidMinor = chargedMinor - owedMinor;
    // A charge can be refunded up to what is still charged, and money up to what was paid.
    const stillCharged = isRoomCharge(entry.type) ? roomChargedMinor : chargedMinor;
    const chargeLimit = charges ? stillCharged : refundable;
    const moneyLimit = entry.type === "deposit" || (charges && !input.channel) ? refundable : paidMinor;
    const limit = Math.min(refundable, chargeLimit, moneyLimit);
    if (input.amountMinor > limit) throw new DomainError("refund_too_large", { leftMinor: limit });
    if (!charges && !input.channel) {
      throw new DomainError("invalid_input", {}, { channel: { key: "validation.required" } });
    }
    const entryId = await postEntry(scope, tx, {
      stayId,
      type: "refund",
      amountMinor: input.amountMinor,
      channel: input.channel,
      refundsEntryId: entry.id,
      note: input.note,
      entries: refundEntries(entry.type, input),
    });
    return readEntryDone(tx, stayId, entryId);
  });
}

/**
 * Pays out a guest's credit, for example after a change to a cheaper room or a shortened stay. @throws
 * refund_too_large, payout_not_allowed
 */
export async function payOutCredit(scope: Scope, input: Input<typeof schema.payOutCreditInput>): Promise<EntryDone> {
  scope.require("folio.refund");
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, ...ANY_STATE);
    const creditMinor = Math.max(0, -(await readAccount(tx.sql, stay.id)).owedMinor);
    if (input.amountMinor > creditMinor) throw new DomainError("refund_too_large", { leftMinor: creditMinor });
    const entryId = await postEntry(scope, tx, {
      stayId: stay.id,
      type: "payment",
      amountMinor: -input.amountMinor,
      channel: input.channel,
      note: input.note,
      entries: paymentEntries(-input.amountMinor, input.channel),
    });
    return readEntryDone(tx, stay.id, entryId);
  });
}

/**
 * Like `refund`, through the channel with which the entry was paid. If it wasn't paid directly, the refund reduces what
 * is owed. `availableMinor` is null also if it can't be read: the refund is done, and an error would look like a failed
 * refund, so that the client would refund again. @throws no_permission, not_found, refund_too_large
 */
export async function refundAsPaid(
  scope: Scope,
  input: Omit<Input<typeof schema.refundInput>, "channel">,
): Promise<EntryDone & { availableMinor: number | null }> {
  requireRefund(scope);
  const entry = await scope.reads.folioEntry.findFirst({ where: { id: input.entryId }, select: { channel: true } });
  if (!entry) throw new DomainError("not_found");
  const refunded = await refund(scope, { ...input, channel: entry.channel });
  return { ...refunded, availableMinor: await readAvailable(scope).catch(() => null) };
}

function refundEntries(type: string, { amountMinor, channel }: Input<typeof schema.refundInput>): LedgerEntry[] {
  if (type === "deposit" && channel) return depositEntries(-amountMinor, channel);
  if (type === "payment" && channel) return paymentEntries(-amountMinor, channel);
  return [
    { account: "revenue", amountMinor },
    { account: channel ?? "receivable", amountMinor: -amountMinor },
  ];
}

type Output = Input<typeof schema.entryListOutput>;

/** Current or last room of an entry's stay. */
const LAST_ROOM = "(SELECT x.room_id FROM occupancy x WHERE x.stay_id = o.stay_id ORDER BY x.id DESC LIMIT 1)";

/** $2: the reader's rooms (null: all), $3: kinds, $4 and $5: period, $6: guest or room, a `searchQuery`. */
const MATCHING_ENTRIES = `FROM folio_entry o
   WHERE o.hotel_id = $1
     AND ($2::int[] IS NULL OR ${LAST_ROOM} = ANY ($2))
     AND ($3::text[] IS NULL OR o.type = ANY ($3::folio_entry_type[]))
     AND ($4::timestamptz IS NULL OR o.created_at >= $4) AND ($5::timestamptz IS NULL OR o.created_at < $5)
     AND ($6::text = '' OR o.stay_id IN (
       SELECT x.stay_id FROM guest g JOIN stay_guest x ON x.guest_id = g.id
        WHERE g.hotel_id = $1 AND ${containsWords("$6", "g.search_key")}
       UNION SELECT x.stay_id FROM room r JOIN occupancy x ON x.room_id = r.id
        WHERE r.hotel_id = $1 AND ${containsWords("$6", "r.search_key")}))`;

const LIST = `WITH chosen AS (SELECT o.id ${MATCHING_ENTRIES} ORDER BY o.created_at DESC, o.id DESC LIMIT $7 OFFSET $8)
SELECT o.id, o.type::text AS type, o.amount_minor AS "amountMinor", o.channel::text AS channel,
       o.refunds_entry_id AS "refundsEntryId", o.note, o.destination, iso(o.created_at) AS "createdAt",
       o.quantity, o.unit_minor AS "unitMinor", to_char(o.service_date, 'YYYY-MM-DD') AS "serviceDate", o.undoable,
       (SELECT name FROM operator WHERE id = o.operator_id) AS "operatorName",
       o.refundable_minor AS "refundableMinor", o.refund_state AS "refundState",
       o.stay_id AS "stayId", g.stay_guest_id AS "stayGuestId", g.name AS "guestName", r.name AS "roomName"
  FROM chosen JOIN folio_entry_now o ON o.id = chosen.id
  LEFT JOIN room r ON r.id = ${LAST_ROOM}
  LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
 ORDER BY o.created_at DESC, o.id DESC`;

/** $7: payment channels. Reads the matching entries once and joins all their ledger entries. */
const TOTALS = `WITH listed AS MATERIALIZED (SELECT o.id ${MATCHING_ENTRIES}), moved AS (
  SELECT e.account, sum(greatest(e.amount_minor, 0)) AS debit, sum(greatest(-e.amount_minor, 0)) AS credit
    FROM listed l JOIN ledger_entry e ON e.folio_entry_id = l.id AND e.hotel_id = $1 GROUP BY e.account
)
SELECT (SELECT count(*)::int FROM listed) AS total, jsonb_build_object(
   'chargedMinor', coalesce(sum(credit - debit) FILTER (WHERE account = 'revenue'), 0),
   'channels', coalesce(jsonb_agg(jsonb_build_object('channel', account, 'takenMinor', debit, 'returnedMinor', credit)
     ORDER BY account::text) FILTER (WHERE account = ANY ($7::ledger_account[])), '[]')) AS totals
  FROM moved`;

type ListInput = Input<typeof schema.entryListInput>;

const filtersOf = (scope: Scope, input: Omit<ListInput, "page" | "pageSize">): unknown[] => [
  scope.roomIds,
  input.type === undefined ? null : [input.type].flat(),
  input.from ?? null,
  input.to ?? null,
  searchQuery(input.keyword ?? ""),
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
  if (!sums) throw new Error("the totals of the entries returned no row");
  return { rows, ...sums };
}
