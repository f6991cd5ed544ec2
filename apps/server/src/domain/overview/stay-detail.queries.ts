import { DomainError } from "@innkey/shared/errors";
import { type QuoteLine, restOf, totalOf } from "@innkey/shared/quote";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { Scope } from "../../kernel/scope.ts";
import { readDocumentNumber } from "../stays/public.ts";

type EntryRow = schema.StayDetail["entries"][number];

interface DetailRow extends Omit<schema.StayDetail, "expired" | "guests" | "money" | "entries"> {
  entries: (Omit<EntryRow, "lines"> & { lines: (EntryRow["lines"][number] & Pick<QuoteLine, "agreedUnit">)[] })[];
  guests: (Omit<schema.StayDetail["guests"][number], "documentNumber"> & { documentBox: string | null })[];
  money: { chargedMinor: number; owedMinor: number; depositHeldMinor: number };
}

const DETAIL = `
SELECT s.id, s.state::text AS state, s.unit::text AS unit, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt",
  iso(s.checked_in_at) AS "checkedInAt", iso(s.checked_out_at) AS "checkedOutAt", iso(s.cancelled_at) AS "cancelledAt",
  s.breakfast, s.other_information AS "otherInformation", s.disable_old_cards AS "disableOldCards",
  s.id_card_match AS "idCardMatch",
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
  (SELECT jsonb_build_object(
      'owedMinor', coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'receivable'), 0),
      'chargedMinor', coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'revenue'), 0),
      'depositHeldMinor', coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'deposits'), 0))
     FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id WHERE o.stay_id = s.id) AS money,
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'type', o.type, 'amountMinor', o.amount_minor, 'channel', o.channel,
      'refundsEntryId', o.refunds_entry_id, 'note', o.note, 'createdAt', iso(o.created_at),
      'operatorName', (SELECT name FROM operator WHERE id = o.operator_id),
      'refundableMinor', CASE WHEN o.type IN ('refund', 'deposit_used') THEN 0 ELSE greatest(0, o.amount_minor - coalesce(
          (SELECT sum(amount_minor) FROM folio_entry f WHERE f.refunds_entry_id = o.id), 0)) END,
      'lines', coalesce((SELECT jsonb_agg(jsonb_build_object('kind', l.kind, 'date', l.date, 'startsAt', iso(l.starts_at),
          'endsAt', iso(l.ends_at), 'quantity', l.quantity, 'unitMinor', l.unit_minor, 'amountMinor', l.amount_minor,
          'agreedUnit', CASE WHEN l.kind = 'agreed' THEN coalesce(l.agreed_unit, s.unit) END)
          ORDER BY l.id) FROM folio_entry_line l WHERE l.folio_entry_id = o.id), '[]')) ORDER BY o.id)
     FROM folio_entry o WHERE o.stay_id = s.id), '[]') AS entries
FROM stay_now s WHERE s.hotel_id = $1 AND s.id = $2`;

/**
 * Returns everything about one stay in one query. Who may not see entries still sees the money that an act of theirs pays
 * out: the deposit at check-out, and what was paid.
 * @throws not_found
 */
export async function detail(scope: Scope, stayId: number): Promise<schema.StayDetail> {
  scope.require("stays.view");
  const [row] = await scope.sql.rows<DetailRow>(DETAIL, stayId);
  if (!row || !scope.seesRoom(row.room.id)) throw new DomainError("not_found");
  const now = scope.now().toISOString();
  const lines = row.entries.flatMap((entry) => entry.lines);
  const open = row.state === "reserved" || row.state === "checked_in";
  const seesFolio = scope.can("folio.view");
  return {
    ...row,
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
      unusedMinor: open ? Math.max(0, Math.min(row.money.chargedMinor, totalOf(restOf(lines, now, scope.hotel)))) : 0,
    },
    entries: seesFolio ? row.entries : [],
  };
}

function depositOf({
  money,
  entries,
}: DetailRow): Pick<schema.StayDetail["money"], "depositHeldMinor" | "depositChannels"> {
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
