-- Adds how much of an entry was refunded. Entries that pay money out, or that only use a deposit up, can't be refunded
-- themselves, so they are done.
CREATE OR REPLACE VIEW folio_entry_now WITH (security_invoker = true) AS
  SELECT o.*,
      CASE WHEN k.paid_out THEN 0 ELSE greatest(0, o.amount_minor - r.refunded_minor)::int END AS refundable_minor,
      CASE WHEN k.paid_out OR r.refunded_minor <= 0 THEN 'done' WHEN r.refunded_minor >= o.amount_minor THEN 'refunded'
        ELSE 'partly_refunded' END AS refund_state
    FROM folio_entry o
    CROSS JOIN LATERAL (SELECT o.type IN ('refund', 'withdrawal', 'deposit_used') AS paid_out) k
    CROSS JOIN LATERAL (SELECT coalesce(sum(e.amount_minor), 0) AS refunded_minor
      FROM folio_entry e WHERE e.refunds_entry_id = o.id) r;
