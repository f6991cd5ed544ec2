-- As in the migration shared_rules, with the guests who didn't come.
CREATE OR REPLACE FUNCTION guest_state(state stay_state, ends_at timestamptz, at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE state WHEN 'reserved' THEN 'reserved' WHEN 'checked_out' THEN 'out' WHEN 'cancelled' THEN 'cancelled'
  WHEN 'no_show' THEN 'no_show' ELSE CASE WHEN ends_at <= at THEN 'expired' ELSE 'in' END END;

-- Whether the stay of a reservation ended before its guests came. Staff who see some rooms only don't see it any more,
-- because its room isn't its own.
CREATE FUNCTION never_came(state stay_state) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN state IN ('cancelled', 'no_show');

-- As in the migration extra_charges_rules. A reversal refers to what was refunded, with a negative amount, so that the
-- refund no longer counts; it can't be refunded itself.
CREATE OR REPLACE VIEW folio_entry_now WITH (security_invoker = true) AS
  SELECT o.*,
      CASE WHEN k.never_refunded THEN 0 ELSE greatest(0, o.amount_minor - r.refunded_minor)::int END AS refundable_minor,
      CASE WHEN k.never_refunded OR r.refunded_minor <= 0 THEN 'done' WHEN r.refunded_minor >= o.amount_minor THEN 'refunded'
        ELSE 'partly_refunded' END AS refund_state,
      o.type = 'withdrawal' AND r.entries = 0 AS undoable
    FROM folio_entry o
    CROSS JOIN LATERAL (
      SELECT o.type IN ('refund', 'withdrawal', 'deposit_used', 'cancellation', 'withdrawal_undone', 'reversal') AS never_refunded
    ) k
    CROSS JOIN LATERAL (SELECT coalesce(sum(e.amount_minor), 0) AS refunded_minor, count(*) AS entries
      FROM folio_entry e WHERE e.refunds_entry_id = o.id) r;
