import type pg from "pg";

interface Statements {
  before: string;
  after: string;
}

/**
 * What stands in the way of rows that come in any order, and what slows millions of them down: foreign keys, indexes that
 * hold no constraint, and triggers, which would refuse or repeat what was done long ago. An owner may do without them; a
 * superuser is not needed.
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

/** Clears the way for rows, lets `load` bring them, and puts everything back; foreign keys are checked over all rows then. */
export async function unhindered(client: pg.ClientBase, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<Statements>(OBSTACLES);
  for (const { before } of rows) await client.query(before);
  await load();
  // Foreign keys stand on unique indexes, so they come last as they went first.
  for (const { after } of rows.reverse()) await client.query(after);
}
