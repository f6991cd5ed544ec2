-- Rights of the server's role, which the setting innkey.server_role names. The owner grants them again after every
-- migration. The role has no other rights: it owns no table and can't create, alter, drop or truncate any.
DO $$
DECLARE
  server text := current_setting('innkey.server_role');
  permanent text;
BEGIN
  EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), server);
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', server);
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM %I', server);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %I', server);
  EXECUTE format('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO %I', server);
  -- Functions need no grant: everybody may execute them, and those of extensions are not the owner's to give.

  -- Written once. The triggers refuse it too; here not even a mistake in a trigger helps.
  FOREACH permanent IN ARRAY ARRAY['audit_entry', 'ledger_entry', 'folio_entry', 'folio_entry_line', 'receipt'] LOOP
    EXECUTE format('REVOKE UPDATE, DELETE ON %I FROM %I', permanent, server);
  END LOOP;
  EXECUTE format('GRANT UPDATE (note) ON folio_entry TO %I', server);
  -- What is never erased as a row: what belongs to it goes on referring to it.
  FOREACH permanent IN ARRAY ARRAY['hotel', 'hotel_state', 'operator', 'guest', 'stay', 'occupancy', 'lock', 'night_audit',
    'audit_head'] LOOP
    EXECUTE format('REVOKE DELETE ON %I FROM %I', permanent, server);
  END LOOP;
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM %I', server);

  -- Jobs, where they are kept in this database.
  IF to_regnamespace('bullmq') IS NOT NULL THEN
    EXECUTE format('GRANT USAGE ON SCHEMA bullmq TO %I', server);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bullmq TO %I', server);
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON bullmq.migration FROM %I', server);
    EXECUTE format('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA bullmq TO %I', server);
    EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA bullmq TO %I', server);
  END IF;
END $$;
