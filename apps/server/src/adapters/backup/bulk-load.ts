import type pg from "pg";

interface Statements {
  before: string;
  after: string;
}

/**
 * Foreign keys, triggers and indexes without a constraint: they prevent loading rows in any order, or slow down loading
 * millions of them, and triggers would reject or repeat old changes. The table's owner may drop them; no superuser is
 * needed.
 */
const OBSTACLES = `
  SELECT before, after FROM (
    SELECT 1 AS turn, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS before,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS after
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
    UNION ALL
    SELECT 2, format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT DISTINCT 3, format('ALTER TABLE %s DISABLE TRIGGER USER', tgrelid::regclass),
      format('ALTER TABLE %s ENABLE TRIGGER USER', tgrelid::regclass)
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace
  ) obstacles ORDER BY turn`;

/** Drops these objects, runs `load` and creates them again; the foreign keys are then checked over all rows. */
export async function unhindered(client: pg.ClientBase, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<Statements>(OBSTACLES);
  for (const { before } of rows) await client.query(before);
  await load();
  // Foreign keys depend on unique indexes, so they were dropped first and are created last.
  for (const { after } of rows.reverse()) await client.query(after);
}
