import { DomainError } from "@innkey/shared/errors";
import { type QuoteLine, totalOf, unusedOf } from "@innkey/shared/price-rules";
import type {
  HistoryInput,
  HistoryOutput,
  HistoryRow,
  numberedHistoryInput,
} from "@innkey/shared/schemas/stays/history";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { HotelQuery } from "../../kernel/hotel-database.ts";
import type { Scope } from "../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../kernel/search-needle.ts";
import { previewCheckInReversal, previewReversal } from "../folio/public.ts";
import { mayUndo, requireVisibleRoom } from "../property/public.ts";
import { readCheckIn, readDocumentNumber } from "../stays/public.ts";

type EntryRow = schema.StayDetail["entries"][number];

interface DetailRow
  extends Omit<schema.StayDetail, "expired" | "guests" | "money" | "entries" | "checkInUndo" | "checkOutUndo"> {
  /** entries that the check-out wrote; null: it recorded nothing that can be undone */
  checkOutEntryIds: number[] | null;
  entries: (Omit<EntryRow, "lines"> & { lines: (EntryRow["lines"][number] & Pick<QuoteLine, "agreedUnit">)[] })[];
  guests: (Omit<schema.StayDetail["guests"][number], "documentNumber"> & { documentBox: string | null })[];
  money: { chargedMinor: number; roomChargedMinor: number; owedMinor: number; depositHeldMinor: number };
}

const DETAIL = `
SELECT s.id, s.state::text AS state, s.unit::text AS unit, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt",
  iso(s.checked_in_at) AS "checkedInAt", iso(s.checked_out_at) AS "checkedOutAt", iso(s.cancelled_at) AS "cancelledAt",
  (SELECT x.checked_in_by_guest FROM stay x WHERE x.id = s.id) AS "checkedInByGuest",
  (SELECT x.no_show_reason FROM stay x WHERE x.id = s.id) AS "noShowReason",
  (SELECT x.ended_entry_ids FROM stay x
    WHERE x.id = s.id AND x.state = 'checked_out' AND x.room_condition_before IS NOT NULL) AS "checkOutEntryIds",
  s.breakfast, s.other_information AS "otherInformation", s.disable_old_cards AS "disableOldCards",
  s.id_card_match AS "idCardMatch",
  EXISTS (SELECT FROM card c WHERE c.hotel_id = $1 AND c.stay_id = s.id AND c.id_card AND c.state = 'active') AS "idCardRead",
  (SELECT jsonb_build_object('id', c.id, 'name', c.name) FROM customer c WHERE c.id = s.customer_id) AS customer,
  (SELECT jsonb_build_object('id', r.id, 'name', r.name) FROM room r WHERE r.id = s.room_id) AS room,
  (SELECT jsonb_agg(jsonb_build_object('roomId', r.id, 'roomName', r.name, 'startsAt', iso(o.starts_at),
      'endsAt', iso(o.ends_at), 'state', o.state) ORDER BY o.id)
     FROM occupancy o JOIN room r ON r.id = o.room_id WHERE o.stay_id = s.id) AS occupancies,
  (SELECT jsonb_agg(jsonb_build_object('stayGuestId', sg.id, 'guestId', g.id, 'primary', sg."primary", 'name', g.name,
      'gender', g.gender, 'nationality', g.nationality, 'birthDate', g.birth_date, 'documentType', g.document_type,
      'documentBox', encode(g.document_number_box, 'base64'), 'mobile', g.mobile, 'email', g.email)
      ORDER BY sg."primary" DESC, sg.id)
     FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id WHERE sg.stay_id = s.id) AS guests,
  (SELECT jsonb_build_object('owedMinor', a.owed_minor, 'chargedMinor', a.charged_minor,
      'roomChargedMinor', a.room_charged_minor, 'depositHeldMinor', a.deposit_held_minor) FROM stay_account a WHERE a.stay_id = s.id) AS money,
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'type', o.type, 'amountMinor', o.amount_minor, 'channel', o.channel,
      'refundsEntryId', o.refunds_entry_id, 'note', o.note, 'createdAt', iso(o.created_at),
      'operatorName', (SELECT name FROM operator WHERE id = o.operator_id),
      'refundableMinor', o.refundable_minor, 'refundState', o.refund_state, 'quantity', o.quantity, 'unitMinor', o.unit_minor,
      'serviceDate', to_char(o.service_date, 'YYYY-MM-DD'),
      'lines', coalesce((SELECT jsonb_agg(jsonb_build_object('kind', l.kind, 'date', l.date, 'startsAt', iso(l.starts_at),
          'endsAt', iso(l.ends_at), 'quantity', l.quantity, 'unitMinor', l.unit_minor, 'amountMinor', l.amount_minor,
          'agreedUnit', CASE WHEN l.kind = 'agreed' THEN coalesce(l.agreed_unit, s.unit) END)
          ORDER BY l.id) FROM folio_entry_line l WHERE l.folio_entry_id = o.id), '[]')) ORDER BY o.id)
     FROM folio_entry_now o WHERE o.stay_id = s.id), '[]') AS entries
FROM stay_now s WHERE s.hotel_id = $1 AND s.id = $2`;

/**
 * Returns everything about one stay in one query. Callers without folio.view still get deposit and paid totals, because
 * check-out shows what it pays out.
 * @throws not_found
 */
export async function detail(scope: Scope, stayId: number): Promise<schema.StayDetail> {
  scope.require("stays.view");
  const [stored] = await scope.sql.rows<DetailRow>(DETAIL, stayId);
  if (!stored || !scope.seesRoom(stored.room.id)) throw new DomainError("not_found");
  const { checkOutEntryIds: _entryIds, ...row } = stored;
  const now = scope.now().toISOString();
  const lines = row.entries.flatMap((entry) => entry.lines);
  const open = row.state === "reserved" || row.state === "checked_in";
  const seesFolio = scope.can("folio.view");
  return {
    ...row,
    checkInUndo: await readCheckInUndo(scope, stored),
    checkOutUndo: await readCheckOutUndo(scope, stored),
    customer: row.customer && { ...row.customer, name: scope.can("customers.view") ? row.customer.name : "" },
    expired: row.state === "checked_in" && row.endsAt <= now,
    guests: row.guests.map(({ documentBox, ...guest }) => ({
      ...guest,
      documentNumber: readDocumentNumber(
        scope,
        guest.guestId,
        documentBox === null ? null : Buffer.from(documentBox, "base64"),
      ),
    })),
    money: {
      owedMinor: row.money.owedMinor,
      chargedMinor: seesFolio ? row.money.chargedMinor : 0,
      paidMinor: seesFolio || scope.can("folio.refund") ? row.money.chargedMinor - row.money.owedMinor : 0,
      ...(seesFolio || scope.can("stays.manage") ? depositOf(row) : { depositHeldMinor: 0, depositChannels: [] }),
      unusedMinor: open
        ? Math.max(0, Math.min(row.money.roomChargedMinor, totalOf(unusedOf(lines, now, scope.hotel))))
        : 0,
    },
    entries: seesFolio ? row.entries : [],
  };
}

/** What undoing the check-in would give back, if the caller may undo it. */
async function readCheckInUndo(
  scope: Scope,
  { id, state, checkedInAt }: DetailRow,
): Promise<schema.StayDetail["checkInUndo"]> {
  if (state !== "checked_in" || checkedInAt === null || !scope.can("stays.manage")) return null;
  if (!(await mayUndo(scope, scope.sql, { act: "check_in", at: checkedInAt }))) return null;
  const { entryIds, isFollowed } = await readCheckIn(scope.sql, id);
  if (!entryIds || isFollowed) return null;
  return { givenBackMinor: await previewCheckInReversal(scope.sql, id, entryIds) };
}

/** What undoing the check-out would move, if the caller may undo it. */
async function readCheckOutUndo(
  scope: Scope,
  { id, checkOutEntryIds, checkedOutAt }: DetailRow,
): Promise<schema.StayDetail["checkOutUndo"]> {
  if (!checkOutEntryIds || checkedOutAt === null || !scope.can("stays.manage")) return null;
  if (!(await mayUndo(scope, scope.sql, { act: "check_out", at: checkedOutAt }))) return null;
  return previewReversal(scope.sql, id, checkOutEntryIds);
}

function depositOf({
  money,
  entries,
}: Pick<DetailRow, "money" | "entries">): Pick<schema.StayDetail["money"], "depositHeldMinor" | "depositChannels"> {
  const open = entries.filter(({ type, refundableMinor }) => type === "deposit" && refundableMinor > 0);
  const depositChannels = [...new Set(open.flatMap(({ channel }) => channel ?? []))];
  return { depositHeldMinor: money.depositHeldMinor, depositChannels };
}

/** Returns the stay of a guest, by the id that old clients call manage_id. */
export async function detailByGuest(scope: Scope, stayGuestId: number): Promise<schema.StayDetail> {
  scope.require("stays.view");
  const guest = await scope.reads.stayGuest.findFirst({ where: { id: stayGuestId }, select: { stayId: true } });
  if (!guest) throw new DomainError("not_found");
  return detail(scope, guest.stayId);
}

/** Selects `what` of the audit entry of the last one of these actions. */
const ofLast = (actions: string, what: string): string => `(SELECT ${what} FROM audit_entry a
  WHERE a.hotel_id = $1 AND a.entity = 'stay' AND a.entity_id = s.id::text AND a.action IN (${actions})
  ORDER BY a.seq DESC LIMIT 1)`;

/** Selects the name of the staff member who last did one of these actions. */
const doneBy = (actions: string): string => ofLast(actions, "a.actor_name");

/**
 * $2 rooms the caller can see, null for all; $3 the keyword, a `searchQuery`; $4 room; $5 and $6 period; $7 and
 * $8 the last stay shown. Stays without an audit entry of their check-in are attributed to their creator.
 */
const COLUMNS = `SELECT s.id AS "stayId", g.stay_guest_id AS "stayGuestId", g.name AS "guestName",
  (SELECT count(*)::int - 1 FROM stay_guest x WHERE x.stay_id = s.id) AS "otherGuests",
  (SELECT array_agg(r.name ORDER BY x.id) FROM occupancy x JOIN room r ON r.id = x.room_id WHERE x.stay_id = s.id) AS rooms,
  iso(s.checked_in_at) AS "checkedInAt", iso(s.checked_out_at) AS "checkedOutAt",
  coalesce(${doneBy("'stay.check_in', 'stay.arrive'")}, (SELECT name FROM operator WHERE id = s.created_by_id)) AS "checkedInBy",
  CASE WHEN s.checked_out_at IS NOT NULL THEN ${doneBy("'stay.check_out'")} END AS "checkedOutBy",
  (SELECT x.checked_in_by_guest FROM stay x WHERE x.id = s.id) AS "checkedInByGuest",
  s.checked_out_at IS NOT NULL AND coalesce(${ofLast("'stay.check_out'", "a.actor_kind = 'guest'")}, false) AS "checkedOutByGuest"`;

const MATCHING_STAYS = `FROM stay_now s
JOIN primary_guest g ON g.stay_id = s.id
WHERE s.hotel_id = $1 AND s.checked_in_at IS NOT NULL
  AND ($2::int[] IS NULL OR s.room_id = ANY ($2))
  AND ($3::text = ''
    OR EXISTS (SELECT FROM stay_guest x JOIN guest y ON y.id = x.guest_id WHERE x.stay_id = s.id AND ${containsWords("$3", "y.search_key")})
    OR EXISTS (SELECT FROM occupancy x JOIN room r ON r.id = x.room_id WHERE x.stay_id = s.id AND ${containsWords("$3", "r.search_key")}))
  AND ($4::int IS NULL OR EXISTS (SELECT FROM occupancy x WHERE x.stay_id = s.id AND x.room_id = $4))
  AND (($5::timestamptz IS NULL AND $6::timestamptz IS NULL)
    OR s.checked_in_at >= coalesce($5, '-infinity') AND s.checked_in_at < coalesce($6, 'infinity')
    OR s.checked_out_at >= coalesce($5, '-infinity') AND s.checked_out_at < coalesce($6, 'infinity'))
  AND ($7::timestamptz IS NULL OR (s.checked_in_at, s.id) < ($7, $8::int))`;

/** $9 number of rows, $10 offset. */
const LIST = `${COLUMNS} ${MATCHING_STAYS} ORDER BY s.checked_in_at DESC, s.id DESC LIMIT $9::int OFFSET $10::int`;
const COUNT = `SELECT count(*)::int AS total FROM (SELECT ${MATCHING_STAYS} LIMIT $9::int) found`;

/**
 * Returns the statement of the list, from a cursor and with a number of rows; without them it selects everything that
 * matches.
 */
export function historyQuery(
  scope: Scope,
  { keyword, roomId, from, to }: Omit<HistoryInput, "cursor" | "limit">,
  after: { at: string; stayId: string } | null = null,
  rows: number | null = null,
  skip = 0,
): HotelQuery {
  const filters = [scope.roomIds, searchQuery(keyword), roomId ?? null, from ?? null, to ?? null];
  return { text: LIST, values: [...filters, after?.at ?? null, after?.stayId ?? null, rows, skip] };
}

/**
 * Returns every check-in and its check-out in the caller's rooms, newest first; `from` inclusive, `to` exclusive.
 * @throws no_permission; invalid_input for a malformed cursor
 */
export async function history(scope: Scope, input: HistoryInput): Promise<HistoryOutput> {
  scope.require("stays.view");
  const { cursor, limit } = input;
  const after = cursor === undefined ? null : readCursor(cursor);
  const { text, values } = historyQuery(scope, input, after, limit + 1);
  const rows = await scope.sql.rows<HistoryRow>(text, ...values);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), nextCursor: last ? `${last.checkedInAt}_${last.stayId}` : null };
}

/** Maximum number of stays that the history counts and pages by number. */
export const NUMBERED_STAYS = 10_000;

/**
 * Returns a numbered page of the history, for clients without cursors. @throws as `history`; invalid_input for a page
 * beyond NUMBERED_STAYS
 */
export async function readNumberedPage(
  scope: Scope,
  input: z.infer<typeof numberedHistoryInput>,
): Promise<{ rows: HistoryRow[]; total: number }> {
  scope.require("stays.view");
  const { page, pageSize, roomId } = input;
  if (roomId !== undefined) await requireVisibleRoom(scope, roomId);
  if (page * pageSize > NUMBERED_STAYS) {
    const params = { max: Math.floor(NUMBERED_STAYS / pageSize) };
    throw new DomainError("invalid_input", {}, { page: { key: "validation.tooLarge", params } });
  }
  const { text, values } = historyQuery(scope, input, null, pageSize, (page - 1) * pageSize);
  const rows = await scope.sql.rows<HistoryRow>(text, ...values);
  const filters = values.slice(0, -2);
  const [counted] = await scope.sql.rows<{ total: number }>(COUNT, ...filters, NUMBERED_STAYS);
  return { rows, total: counted?.total ?? 0 };
}

const CURSOR = /^((?:19|2\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{1,9})$/;

/** Parses the cursor, which names the last stay shown. */
function readCursor(cursor: string): { at: string; stayId: string } {
  const [, at, stayId] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || stayId === undefined || Number.isNaN(Date.parse(at)) || new Date(at).toISOString() !== at) {
    throw new DomainError("invalid_input", {}, { cursor: { key: "validation.unknown" } });
  }
  return { at, stayId };
}
