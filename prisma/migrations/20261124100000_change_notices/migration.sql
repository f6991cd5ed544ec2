-- Tells open consoles what a write changed. The topic follows from the table that is written, whoever writes it: a
-- person's act, a job or the report of a lock. So no write can forget it. PostgreSQL sends equal notices of one
-- transaction once, and those of a rollback never.

CREATE FUNCTION notify_change(p_hotel int, p_about text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('innkey', jsonb_build_object('topic', 'change', 'hotelId', p_hotel, 'about', p_about)::text);
$$;

CREATE FUNCTION notify_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change(w.hotel_id, TG_ARGV[0]) FROM (SELECT DISTINCT hotel_id FROM written) AS w;
  RETURN NULL;
END $$;

CREATE FUNCTION notify_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change(NEW.hotel_id, TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE FUNCTION notify_hotel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change(NEW.id, TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE FUNCTION notify_hotels_of_operator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change(hotel_id, TG_ARGV[0]) FROM membership WHERE operator_id = NEW.id;
  RETURN NULL;
END $$;

-- `quiet`: columns in which programs note that they are alive or how far they are. A write of nothing else is no news.
-- The other columns are compared by name, which is much cheaper than to compare rows as JSON; a column that is added later
-- must be added to the trigger of its table, which a test of these triggers checks.
DO $$
DECLARE
  noticed record;
  before text;
  after text;
BEGIN
  FOR noticed IN SELECT * FROM (VALUES
    ('room', 'rooms', NULL::text[]),
    ('room_group', 'rooms', NULL),
    ('room_price', 'prices', NULL),
    ('room_price_date', 'prices', NULL),
    ('price_template', 'prices', NULL),
    ('price_template_date', 'prices', NULL),
    ('stay', 'stays', NULL),
    ('occupancy', 'stays', NULL),
    ('stay_guest', 'stays', NULL),
    ('breakfast', 'breakfast', NULL),
    ('guest', 'guests', NULL),
    ('customer', 'customers', NULL),
    ('folio_entry', 'money', NULL),
    ('folio_entry_line', 'money', NULL),
    ('ledger_entry', 'money', NULL),
    ('withdrawal_account', 'money', NULL),
    ('night_audit', 'money', NULL),
    ('card', 'keys', NULL),
    ('card_room', 'keys', NULL),
    ('card_profile', 'keys', NULL),
    ('passcode', 'keys', NULL),
    ('face', 'keys', NULL),
    ('credential', 'keys', NULL),
    ('card_reader', 'readers', ARRAY['last_seen_at']),
    ('lock', 'locks', ARRAY['last_seen_at', 'drift_seconds', 'otp_next', 'otp_floor', 'event_seq', 'event_log', 'event_base']),
    ('lock_command', 'locks', NULL),
    ('device_link', 'locks', ARRAY['last_seen_at']),
    ('membership', 'staff', NULL),
    ('room_grant', 'staff', NULL),
    ('api_key', 'integrations', ARRAY['last_used_at', 'last_used_address']),
    ('webhook', 'integrations', ARRAY['claimed_until', 'next_try_at']),
    ('export', 'exports', ARRAY['alive_at', 'rows_done']),
    ('outgoing_message', 'outbox', NULL),
    ('audit_entry', 'audit', NULL)
  ) AS n (written, about, quiet) LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS written
      FOR EACH STATEMENT EXECUTE FUNCTION notify_statement(%L)', noticed.written || '_insert_notice', noticed.written, noticed.about);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS written
      FOR EACH STATEMENT EXECUTE FUNCTION notify_statement(%L)', noticed.written || '_delete_notice', noticed.written, noticed.about);
    IF noticed.quiet IS NULL THEN
      EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION notify_statement(%L)', noticed.written || '_update_notice', noticed.written, noticed.about);
    ELSE
      SELECT string_agg(format('OLD.%I', column_name), ', ' ORDER BY ordinal_position),
             string_agg(format('NEW.%I', column_name), ', ' ORDER BY ordinal_position)
        INTO before, after
        FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = noticed.written AND column_name <> ALL (noticed.quiet);
      EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I FOR EACH ROW WHEN (ROW(%s) IS DISTINCT FROM ROW(%s))
        EXECUTE FUNCTION notify_row(%L)', noticed.written || '_update_notice', noticed.written, before, after, noticed.about);
    END IF;
  END LOOP;
END $$;

CREATE TRIGGER hotel_update_notice AFTER UPDATE ON hotel FOR EACH ROW EXECUTE FUNCTION notify_hotel('settings');
CREATE TRIGGER operator_update_notice AFTER UPDATE ON operator FOR EACH ROW EXECUTE FUNCTION notify_hotels_of_operator('staff');

-- PostgreSQL commits one notifying transaction at a time. A command that was handed to its lock is answered a moment
-- later, and only the answer is news; a notice for every step makes the slowest openings three times as slow.
DROP TRIGGER lock_command_update_notice ON lock_command;
CREATE TRIGGER lock_command_update_notice AFTER UPDATE ON lock_command FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state AND NEW.state <> 'sent') EXECUTE FUNCTION notify_row('locks');
