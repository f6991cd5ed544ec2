-- As in the migration refund_state, with the new columns of folio_entry. What takes a charge or a
-- withdrawal back can't be refunded itself.
DROP VIEW folio_entry_now;
CREATE VIEW folio_entry_now WITH (security_invoker = true) AS
  SELECT o.*,
      CASE WHEN k.never_refunded THEN 0 ELSE greatest(0, o.amount_minor - r.refunded_minor)::int END AS refundable_minor,
      CASE WHEN k.never_refunded OR r.refunded_minor <= 0 THEN 'done' WHEN r.refunded_minor >= o.amount_minor THEN 'refunded'
        ELSE 'partly_refunded' END AS refund_state,
      o.type = 'withdrawal' AND r.entries = 0 AS undoable
    FROM folio_entry o
    CROSS JOIN LATERAL (
      SELECT o.type IN ('refund', 'withdrawal', 'deposit_used', 'cancellation', 'withdrawal_undone') AS never_refunded
    ) k
    CROSS JOIN LATERAL (SELECT coalesce(sum(e.amount_minor), 0) AS refunded_minor, count(*) AS entries
      FROM folio_entry e WHERE e.refunds_entry_id = o.id) r;

-- As in the migration shared_rules, with `room_charged_minor`: what of the charges is for the room itself. Only this part
-- may be given back for nights that were not used.
CREATE OR REPLACE VIEW stay_account WITH (security_invoker = true) AS
  SELECT s.hotel_id, s.id AS stay_id, a.owed_minor, a.charged_minor, a.deposit_held_minor, a.room_charged_minor
    FROM stay s CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'receivable'), 0) AS owed_minor,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'revenue'), 0) AS charged_minor,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'deposits'), 0) AS deposit_held_minor,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'revenue'
            AND coalesce(r.type, o.type) IN ('room', 'renewal', 'exchange')), 0) AS room_charged_minor
        FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id
        LEFT JOIN folio_entry r ON r.id = o.refunds_entry_id
       WHERE o.stay_id = s.id
    ) a;
