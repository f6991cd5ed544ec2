import type pg from "pg";

export interface TableEntry {
  name: string;
  /** all columns except generated ones */
  columns: string[];
  /** ORDER BY expression of the rows */
  order: string;
}

/** Describes every table of the schema, from PostgreSQL's own catalogue, so that no new table is forgotten. */
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

/** Returns the tables by name, `_prisma_migrations` included. */
export async function tablesOf(client: pg.ClientBase): Promise<TableEntry[]> {
  return (await client.query<TableEntry>(TABLES)).rows;
}

/**
 * Returns every sequence and its last value, null if it was never used.
 * @throws Error if the role may not read it
 */
export async function sequencesOf(client: pg.ClientBase): Promise<{ name: string; last: string | null }[]> {
  const { rows } = await client.query<{ name: string; last: string | null; may: boolean }>(`
    SELECT sequencename AS name, last_value::text AS last,
      has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'USAGE, SELECT') AS may
    FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename`);
  const hidden = rows.find(({ may }) => !may);
  if (hidden) throw new Error(`This database role may not read the sequence ${hidden.name}; back up as the owner.`);
  return rows.map(({ name, last }) => ({ name, last }));
}

/** Returns the names of the applied migrations, oldest first; empty if there is no schema yet. */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = '_prisma_migrations'",
  );
  if (rowCount === 0) return [];
  const { rows } = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name",
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns the COPY statement for a table's rows; the same rows always give the same text, on any server and in any
 * storage order.
 */
export const readingCopy = ({ name, columns, order }: TableEntry): string =>
  `COPY (SELECT ${quoted(columns)} FROM public.${identifier(name)} t ORDER BY ${order}) TO STDOUT`;

export const writingCopy = ({ name, columns }: Pick<TableEntry, "name" | "columns">): string =>
  `COPY public.${identifier(name)} (${quoted(columns)}) FROM STDIN`;

/** Settings that make values as text independent of the server's settings, and that disable time limits. */
export const PLAIN_TEXT =
  "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';" +
  "SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8';" +
  "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoted = (names: readonly string[]): string => names.map(identifier).join(", ");
