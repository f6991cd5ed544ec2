import type pg from "pg";

export interface TableEntry {
  name: string;
  /** all but generated ones */
  columns: string[];
  /** what its rows are ordered by, as SQL */
  order: string;
}

/** What every table of the schema is, from PostgreSQL's own catalogue: a new table is never forgotten. */
const TABLES = `
  SELECT c.relname AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    coalesce((SELECT string_agg(quote_ident(a.attname) || CASE WHEN a.attcollation = 0 THEN '' ELSE ' COLLATE "C"' END,
        ', ' ORDER BY k.ordinality)
      FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k(attnum, ordinality)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
      WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = i.indrelid), 't::text COLLATE "C"') AS "order"
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`;

/** Tables by name. `_prisma_migrations` is one of them. */
export async function tablesOf(client: pg.ClientBase): Promise<TableEntry[]> {
  return (await client.query<TableEntry>(TABLES)).rows;
}

/** Every sequence and the last value it gave out, null where it gave none. @throws Error where the role may not see that */
export async function sequencesOf(client: pg.ClientBase): Promise<{ name: string; last: string | null }[]> {
  const { rows } = await client.query<{ name: string; last: string | null; may: boolean }>(`
    SELECT sequencename AS name, last_value::text AS last,
      has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'USAGE, SELECT') AS may
    FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename`);
  const hidden = rows.find(({ may }) => !may);
  if (hidden) throw new Error(`This database role may not read the sequence ${hidden.name}; back up as the owner.`);
  return rows.map(({ name, last }) => ({ name, last }));
}

/** Names of the migrations that were applied, oldest first; none where there is no schema yet. */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query(
    "SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = '_prisma_migrations'",
  );
  if (found.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name",
  );
  return rows.map(({ name }) => name);
}

/** How a table's rows are read: always the same text for the same rows, whatever server and order they lie in. */
export const readingCopy = ({ name, columns, order }: TableEntry): string =>
  `COPY (SELECT ${quoted(columns)} FROM public.${identifier(name)} t ORDER BY ${order}) TO STDOUT`;

export const writingCopy = ({ name, columns }: Pick<TableEntry, "name" | "columns">): string =>
  `COPY public.${identifier(name)} (${quoted(columns)}) FROM STDIN`;

/** Values as text are the same on every server and in every setting, and no setting cuts the work short. */
export const PLAIN_TEXT =
  "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';" +
  "SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8';" +
  "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoted = (names: readonly string[]): string => names.map(identifier).join(", ");
