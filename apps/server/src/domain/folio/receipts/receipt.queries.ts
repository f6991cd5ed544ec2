import type { FolioEntryType, PaymentChannel, StayState } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { QuoteLine } from "@innkey/shared/price-rules";
import type { Scope } from "../../../kernel/scope.ts";
import { readStay } from "../../stays/public.ts";

/** A charge, or what takes one back; the amount of the latter is negative. */
export interface ReceiptCharge {
  type: FolioEntryType;
  createdAt: string;
  amountMinor: number;
  lines: QuoteLine[];
  /** What an extra is; of a cancellation, what the cancelled extra was. */
  text: string;
  quantity: number | null;
  unitMinor: number | null;
  /** Hotel-local date on which breakfasts were served. */
  serviceDate: string | null;
}

/** Content of a stay's receipt; times in ISO 8601, amounts in minor units. */
export interface Receipt {
  /** The stay and its last entry; a later entry makes it another receipt. */
  reference: string;
  lastEntryId: number;
  hotel: {
    name: string;
    legalName: string;
    taxNumber: string;
    logoFileId: string | null;
    address: string;
    tel: string;
  };
  stay: { state: StayState; startsAt: string; endsAt: string; cancelledAt: string | null };
  /** The first is the primary guest. */
  guests: { name: string; nationality: string | null }[];
  /** Who books and pays; null without one, and for callers who may not see customers. */
  customer: { name: string; company: string; address: string; taxNumber: string } | null;
  rooms: string[];
  charges: ReceiptCharge[];
  /** Payments and deposits; negative amounts were refunded. */
  moves: { createdAt: string; deposit: boolean; channel: PaymentChannel; amountMinor: number }[];
  chargedMinor: number;
  /** Includes amounts settled from a deposit, but not open deposits. */
  paidMinor: number;
  /** The part of the paid amount that came from deposits that were used or kept. */
  fromDepositMinor: number;
  depositHeldMinor: number;
  /** Negative means in the guest's favour. */
  owedMinor: number;
}

type Row = Omit<
  Receipt,
  "reference" | "chargedMinor" | "paidMinor" | "fromDepositMinor" | "depositHeldMinor" | "owedMinor"
> & {
  account: Record<"receivable" | "revenue" | "deposits" | "spentDeposits", number>;
};

/** $2: the stay. Rooms that were reserved and changed before arrival are not on the receipt. */
const RECEIPT = `
SELECT
  (SELECT jsonb_build_object('name', h.name, 'legalName', h.legal_name, 'taxNumber', h.tax_number,
      'logoFileId', h.logo_file_id, 'address', h.address, 'tel', h.tel) FROM hotel h WHERE h.id = s.hotel_id) AS hotel,
  jsonb_build_object('state', s.state, 'startsAt', iso(coalesce(s.checked_in_at, s.starts_at)),
    'endsAt', iso(coalesce(s.checked_out_at, s.ends_at)), 'cancelledAt', iso(s.cancelled_at)) AS stay,
  (SELECT jsonb_agg(jsonb_build_object('name', g.name, 'nationality', g.nationality) ORDER BY sg."primary" DESC, sg.id)
     FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id WHERE sg.stay_id = s.id) AS guests,
  (SELECT jsonb_build_object('name', c.name, 'company', c.company, 'address', c.address, 'taxNumber', c.tax_number)
     FROM customer c WHERE c.id = s.customer_id) AS customer,
  (SELECT jsonb_agg(r.name ORDER BY o.id) FROM occupancy o JOIN room r ON r.id = o.room_id
    WHERE o.stay_id = s.id AND (o.state <> 'cancelled' OR never_came(s.state))) AS rooms,
  coalesce((SELECT max(o.id) FROM folio_entry o WHERE o.stay_id = s.id), 0) AS "lastEntryId",
  coalesce((SELECT jsonb_agg(jsonb_build_object('type', o.type, 'createdAt', iso(o.created_at), 'amountMinor', e.charged,
      'text', CASE WHEN o.type = 'extra' THEN o.note WHEN r.type = 'extra' THEN r.note ELSE '' END,
      'quantity', o.quantity, 'unitMinor', o.unit_minor, 'serviceDate', to_char(o.service_date, 'YYYY-MM-DD'),
      'lines', coalesce((SELECT jsonb_agg(jsonb_build_object('kind', l.kind, 'date', l.date, 'startsAt', iso(l.starts_at),
          'endsAt', iso(l.ends_at), 'quantity', l.quantity, 'unitMinor', l.unit_minor, 'amountMinor', l.amount_minor)
          ORDER BY l.id) FROM folio_entry_line l WHERE l.folio_entry_id = o.id), '[]')) ORDER BY o.id)
     FROM folio_entry o LEFT JOIN folio_entry r ON r.id = o.refunds_entry_id
     JOIN LATERAL (SELECT -sum(amount_minor) AS charged FROM ledger_entry
                                  WHERE folio_entry_id = o.id AND account = 'revenue' HAVING count(*) > 0) e ON true
    WHERE o.stay_id = s.id), '[]') AS charges,
  coalesce((SELECT jsonb_agg(jsonb_build_object('createdAt', iso(o.created_at), 'channel', e.account, 'amountMinor', e.amount_minor,
      'deposit', EXISTS (SELECT FROM ledger_entry d WHERE d.folio_entry_id = o.id AND d.account = 'deposits')) ORDER BY e.id)
     FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id AND e.account IN ('cash', 'card', 'transfer', 'other')
    WHERE o.stay_id = s.id), '[]') AS moves,
  (SELECT jsonb_build_object('receivable', a.owed_minor, 'revenue', -a.charged_minor, 'deposits', -a.deposit_held_minor,
      'spentDeposits', coalesce((SELECT sum(e.amount_minor) FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id
         WHERE o.stay_id = s.id AND e.account = 'deposits' AND o.type IN ('deposit_used', 'deposit_kept', 'reversal')), 0))
     FROM stay_account a WHERE a.stay_id = s.id) AS account
FROM stay s WHERE s.hotel_id = $1 AND s.id = $2`;

/**
 * Returns the receipt; only callers who may see customers get the customer. @throws no_permission; not_found, also for
 * a stay in a room that the caller has no grant for
 */
export async function readReceipt(scope: Scope, stayId: number): Promise<Receipt> {
  scope.require("folio.view");
  await readStay(scope, scope.sql, stayId);
  const [row] = await scope.sql.rows<Row>(RECEIPT, stayId);
  if (!row) throw new DomainError("not_found");
  const { account, ...rest } = row;
  return {
    ...rest,
    customer: scope.can("customers.view") ? rest.customer : null,
    reference: `${stayId}-${rest.lastEntryId}`,
    chargedMinor: 0 - account.revenue,
    paidMinor: 0 - account.revenue - account.receivable,
    fromDepositMinor: account.spentDeposits,
    depositHeldMinor: 0 - account.deposits,
    owedMinor: account.receivable,
  };
}
