-- What the schema language can't say: the rules that hold whatever the application does.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- No two live occupancies of a room overlap; reservations, guests in the house and maintenance share the one constraint.
ALTER TABLE occupancy
  ADD CONSTRAINT occupancy_period CHECK (ends_at IS NULL OR ends_at >= starts_at),
  ADD CONSTRAINT occupancy_kind CHECK ((kind = 'maintenance') = (stay_id IS NULL) AND (kind = 'stay' OR state <> 'in_house')),
  ADD CONSTRAINT occupancy_open_end CHECK (ends_at IS NOT NULL OR kind = 'maintenance'),
  ADD CONSTRAINT occupancy_no_overlap EXCLUDE USING gist (room_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
    WHERE (state IN ('held', 'in_house'));
-- A guest who overstays still has the room, though the planned period is over.
CREATE UNIQUE INDEX occupancy_one_in_house ON occupancy (room_id) WHERE state = 'in_house';
-- A stay is in one room at a time.
CREATE UNIQUE INDEX occupancy_one_live_per_stay ON occupancy (stay_id) WHERE state IN ('held', 'in_house');
CREATE UNIQUE INDEX stay_guest_one_primary ON stay_guest (stay_id) WHERE "primary";
CREATE INDEX occupancy_live ON occupancy (hotel_id, room_id, starts_at) WHERE state IN ('held', 'in_house');

-- An archived room gives its name free.
CREATE UNIQUE INDEX room_hotel_id_name_key ON room (hotel_id, name) WHERE archived_at IS NULL;

ALTER TABLE stay ADD CONSTRAINT stay_minimum CHECK (ends_at >= starts_at + interval '1 hour');
ALTER TABLE room_price ADD CONSTRAINT room_price_positive CHECK (
  deposit_minor >= 0 AND usual_minor > 0 AND weekend_minor > 0 AND coalesce(renewal_minor, 1) > 0
  AND coalesce(hour_minor, 1) > 0 AND coalesce(month_minor, 1) > 0 AND coalesce(year_minor, 1) > 0);
ALTER TABLE room_price_date ADD CONSTRAINT room_price_date_positive CHECK (price_minor > 0);
ALTER TABLE operator ADD CONSTRAINT operator_account CHECK (mobile IS NOT NULL OR email IS NOT NULL);

CREATE INDEX guest_name_trgm ON guest USING gin (name gin_trgm_ops);
CREATE INDEX customer_name_trgm ON customer USING gin (name gin_trgm_ops);

-- Append-only: money and the journal are never rewritten.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER orders_append_only BEFORE UPDATE OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_line_append_only BEFORE UPDATE OR DELETE ON order_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry EXECUTE FUNCTION refuse_change();

-- Double entry: at commit, the entries of every order written sum to zero.
CREATE FUNCTION check_order_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum(amount_minor), 0) FROM ledger_entry WHERE order_id = NEW.order_id) <> 0 THEN
    RAISE EXCEPTION 'entries of order % do not sum to zero', NEW.order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_entry_balance AFTER INSERT ON ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_balance();

-- The journal's chain: each row's hash covers the row and the hash before it.
CREATE FUNCTION audit_hash(entry audit_entry) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(entry.prev_hash || convert_to(jsonb_build_array(
    entry.hotel_id, entry.seq, extract(epoch FROM entry.at), entry.actor_kind, entry.actor_id, entry.actor_name, entry.door,
    entry.address, entry.request_id, entry.action, entry.entity, entry.entity_id, entry.before, entry.after)::text, 'UTF8'))
$$;

-- The last statement of every write: journal rows in order, the board's version, and word to the other desks at commit.
-- The hotel's one state row is locked only here, so that writes of a hotel queue for a moment, not for their whole length.
CREATE FUNCTION commit_unit(p_hotel int, p_at timestamptz, p_actor jsonb, p_entries jsonb, p_board boolean)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  state hotel_state;
  item jsonb;
  entry audit_entry;
BEGIN
  SELECT * INTO STRICT state FROM hotel_state WHERE hotel_id = p_hotel FOR UPDATE;
  FOR item IN SELECT * FROM jsonb_array_elements(p_entries) LOOP
    state.audit_seq := state.audit_seq + 1;
    entry := ROW(nextval('audit_entry_id_seq'), p_hotel, state.audit_seq, date_trunc('milliseconds', p_at),
      p_actor ->> 'kind', (p_actor ->> 'id')::int, p_actor ->> 'name', p_actor ->> 'door', p_actor ->> 'address',
      p_actor ->> 'requestId', item ->> 'action', item ->> 'entity', item ->> 'entityId',
      nullif(item -> 'before', 'null'::jsonb), nullif(item -> 'after', 'null'::jsonb), state.audit_hash, ''::bytea);
    entry.hash := audit_hash(entry);
    INSERT INTO audit_entry SELECT entry.*;
    state.audit_hash := entry.hash;
  END LOOP;
  IF p_board THEN
    state.board_version := state.board_version + 1;
    PERFORM pg_notify('innkey', jsonb_build_object('topic', 'board', 'hotelId', p_hotel, 'version', state.board_version)::text);
  END IF;
  UPDATE hotel_state SET board_version = state.board_version, audit_seq = state.audit_seq, audit_hash = state.audit_hash
    WHERE hotel_id = p_hotel;
  RETURN state.board_version;
END $$;

-- Instants inside JSON that PostgreSQL builds: ISO 8601 in UTC with milliseconds, as everywhere else.
CREATE FUNCTION iso(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
