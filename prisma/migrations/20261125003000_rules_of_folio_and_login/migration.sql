-- More rules that several queries ask, as in the migration shared_rules. PostgreSQL replaces a call of these functions by
-- their expression; it can't do that for a function with a subquery, so rules with subqueries are views.

-- The stays whose guests owe something, with the amount as in stay_account. It adds up all stays that a query names with
-- `stay_id = ANY (ARRAY (…))` at once, while stay_account, joined to a list of stays, adds up one after the other.
CREATE VIEW owing_stay WITH (security_invoker = true) AS
  SELECT f.hotel_id, f.stay_id, sum(e.amount_minor) AS owed_minor
    FROM folio_entry f JOIN ledger_entry e ON e.folio_entry_id = f.id AND e.account = 'receivable'
   GROUP BY f.hotel_id, f.stay_id HAVING sum(e.amount_minor) > 0;

-- When a stay ended: it is either checked out or cancelled, never both. The index stay_ended has the same expression, so
-- that a query for one day skips earlier years.
CREATE FUNCTION stay_ended_at(checked_out_at timestamptz, cancelled_at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(checked_out_at, cancelled_at, 'infinity'::timestamptz);

-- Each operator with whether they have a second factor, and whether they belong to exactly one hotel, frozen or not, and
-- aren't its owner. Recovery codes don't count as a factor, since they only replace one.
CREATE VIEW operator_now WITH (security_invoker = true) AS
  SELECT o.*,
      EXISTS (SELECT FROM operator_totp f WHERE f.operator_id = o.id)
        OR EXISTS (SELECT FROM operator_passkey f WHERE f.operator_id = o.id) AS has_second_factor,
      (SELECT count(*) = 1 AND bool_and(m.role <> 'owner') FROM membership m WHERE m.operator_id = o.id) AS colleague_only
    FROM operator o;

-- Whether a hotel with this policy requires a second factor of somebody with this role; null without a membership.
CREATE FUNCTION asks_second_factor(policy two_step_policy, role role) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN policy = 'everyone' OR (policy = 'administrators' AND role <> 'staff');

-- Status of a lock's connection, as `lockStatusOf` in packages/shared/src/locks/lock-status.ts. A test compares the two.
CREATE FUNCTION lock_status(configured_at timestamptz, online boolean, driver lock_driver, last_seen_at timestamptz,
  last_error lock_error) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN configured_at IS NULL THEN 'not_set_up'
  WHEN online OR driver <> 'mqtt' AND last_seen_at IS NULL AND last_error IS NULL THEN 'reachable'
  ELSE 'unreachable' END;

-- The prices of each room that has some, as RoomPrices JSON.
CREATE VIEW room_prices WITH (security_invoker = true) AS
  SELECT p.hotel_id, p.room_id, jsonb_build_object('depositMinor', p.deposit_minor, 'usualMinor', p.usual_minor,
      'weekendMinor', p.weekend_minor, 'renewalMinor', p.renewal_minor, 'hourMinor', p.hour_minor,
      'monthMinor', p.month_minor, 'yearMinor', p.year_minor,
      'dates', coalesce((SELECT jsonb_object_agg(to_char(d.date, 'YYYY-MM-DD'), d.price_minor) FROM room_price_date d
        WHERE d.hotel_id = p.hotel_id AND d.room_id = p.room_id), '{}')) AS prices
    FROM room_price p;
