-- Rules that several queries ask. PostgreSQL replaces a call of these functions by their expression, so a query with one
-- uses the same indexes as with the expression itself. The views have the rights of whoever reads them, as stay_now has.

-- Each entry of a folio with what can still be refunded of it, in minor units. Entries that pay money out, or that only
-- use a deposit up, can't be refunded themselves.
CREATE VIEW folio_entry_now WITH (security_invoker = true) AS
  SELECT o.*,
      CASE WHEN o.type IN ('refund', 'withdrawal', 'deposit_used') THEN 0
        ELSE greatest(0, o.amount_minor - coalesce(
          (SELECT sum(r.amount_minor) FROM folio_entry r WHERE r.refunds_entry_id = o.id), 0))::int END AS refundable_minor
    FROM folio_entry o;

-- The balances of each stay's folio in minor units, from its ledger entries. Positive `owed_minor`: the guest owes;
-- negative: the hotel owes the guest.
CREATE VIEW stay_account WITH (security_invoker = true) AS
  SELECT s.hotel_id, s.id AS stay_id, a.owed_minor, a.charged_minor, a.deposit_held_minor
    FROM stay s CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'receivable'), 0) AS owed_minor,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'revenue'), 0) AS charged_minor,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'deposits'), 0) AS deposit_held_minor
        FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id WHERE o.stay_id = s.id
    ) a;

-- The state of a stay as lists of guests show it; `expired` is a guest who is still here after the planned departure.
CREATE FUNCTION guest_state(state stay_state, ends_at timestamptz, at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE state WHEN 'reserved' THEN 'reserved' WHEN 'checked_out' THEN 'out' WHEN 'cancelled' THEN 'cancelled'
  ELSE CASE WHEN ends_at <= at THEN 'expired' ELSE 'in' END END;

-- Whether a card opens, may still open, or is being written.
CREATE FUNCTION is_live_card(state card_state, valid_to timestamptz, at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN state <> 'revoked' AND (valid_to IS NULL OR valid_to > at);

-- Whether the grant of a room is in force, or will be.
CREATE FUNCTION is_live_grant(ends_at timestamptz, at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ends_at IS NULL OR ends_at > at;

-- Whether a card reader is online: a desk reported it in the last two minutes.
CREATE FUNCTION is_reader_online(last_seen_at timestamptz, at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(last_seen_at > at - interval '2 minutes', false);

-- Whether a process of the console runs: less time has passed than three missed heartbeats take. It compares with the
-- database's clock, because the processes' clocks may differ.
CREATE FUNCTION is_process_alive(seen_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN seen_at > now() - interval '30 seconds';

-- Whether a card is issued, or being written, and has not expired.
CREATE FUNCTION is_valid_card(state card_state, valid_to timestamptz, at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN state IN ('pending', 'active') AND (valid_to IS NULL OR valid_to > at);
