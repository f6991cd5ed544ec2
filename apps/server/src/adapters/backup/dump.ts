import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { BACKUP_LOCK } from "../postgres/advisory-lock.ts";
import { quietClient } from "../postgres/client.ts";
import {
  type BackupHeader,
  type BackupManifest,
  FILES,
  FORMAT,
  HEADER_ENTRY,
  MANIFEST_ENTRY,
  measure,
  SECRETS,
  TABLES,
  type TableMeasure,
} from "./backup-format.ts";
import { appliedMigrations, PLAIN_TEXT, readingCopy, sequencesOf, type TableEntry, tablesOf } from "./catalogue.ts";
import { ENTRY_BYTES, type Entry } from "./sealed-tar.ts";

/** Storage of the files that rows refer to. */
export interface ReadableFiles {
  /** null if the file does not exist (any more) */
  read(id: string): Promise<Readable | null>;
}

export interface DumpSource {
  databaseUrl: string;
  version: string;
  createdAt: Date;
  /** tables whose rows are not backed up */
  leftOut: readonly string[];
  /** SQL that lists, as `id`, the files that rows refer to */
  fileIds: string;
  files: ReadableFiles;
  /** secrets by name: keys of the encrypted values in the rows, and other secrets of the installation */
  secrets: Readonly<Record<string, string>>;
}

export interface DumpedCounts {
  rows: number;
  files: number;
  /** files that were erased before they could be read */
  gone: number;
}

export class BackupUnderWay extends Error {}

/**
 * Yields the database as of one instant, without the tables `leftOut`, with the files that still exist and the secrets,
 * as entries of a backup. Memory is limited to one entry. `done` receives the counts once the last entry was consumed.
 * @throws BackupUnderWay while another backup is being made
 */
export async function* dumpEntries(source: DumpSource, done: (counts: DumpedCounts) => void): AsyncGenerator<Entry> {
  const client = quietClient({ connectionString: source.databaseUrl, application_name: "innkey backup" });
  await client.connect();
  try {
    const { rows } = await client.query<{ acquired: boolean }>("SELECT pg_try_advisory_lock($1) AS acquired", [
      BACKUP_LOCK,
    ]);
    if (!rows[0]?.acquired) throw new BackupUnderWay("Another backup of this database is being made.");
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${PLAIN_TEXT}`);
    const { includedTables, header } = await describe(client, source);
    yield json(HEADER_ENTRY, header);
    for (const [name, text] of Object.entries(source.secrets)) yield { name: SECRETS + name, bytes: Buffer.from(text) };
    const tables: TableMeasure[] = [];
    for (const table of includedTables) tables.push(yield* tableEntries(client, table));
    // The bytes of a file are written before its row, so every file in the snapshot exists or was erased since.
    const fileMeasures = yield* fileEntries(client, source);
    await client.query("COMMIT");
    yield json(MANIFEST_ENTRY, { tables, ...fileMeasures } satisfies BackupManifest);
    done({
      rows: tables.reduce((sum, table) => sum + table.rows, 0),
      files: fileMeasures.files.count,
      gone: fileMeasures.gone.length,
    });
  } finally {
    await client.end();
  }
}

async function describe(
  client: pg.Client,
  { version, createdAt, leftOut }: DumpSource,
): Promise<{ includedTables: TableEntry[]; header: BackupHeader }> {
  const all = await tablesOf(client);
  const includedTables = all.filter(({ name }) => !leftOut.includes(name));
  const header: BackupHeader = {
    format: FORMAT,
    product: "innkey",
    version,
    createdAt: createdAt.toISOString(),
    migrations: await appliedMigrations(client),
    tables: includedTables.map(({ name, columns }) => ({ name, columns })),
    sequences: await sequencesOf(client),
    leftOut: [...leftOut],
  };
  return { includedTables, header };
}

/**
 * Yields a table's rows as COPY writes them, split at any byte into entries of at least
 * `ENTRY_BYTES`; the last may be smaller.
 */
async function* tableEntries(client: pg.Client, table: TableEntry): AsyncGenerator<Entry, TableMeasure> {
  const measured = measure();
  let pending: Buffer[] = [];
  let size = 0;
  let part = 0;
  const entry = (): Entry => {
    part += 1;
    const bytes = Buffer.concat(pending);
    [pending, size] = [[], 0];
    return { name: `${TABLES}${table.name}.${String(part).padStart(6, "0")}.copy`, bytes };
  };
  for await (const chunk of client.query(copyTo(readingCopy(table))) as AsyncIterable<Buffer>) {
    measured.add(chunk);
    pending.push(chunk);
    size += chunk.length;
    if (size >= ENTRY_BYTES) yield entry();
  }
  if (size > 0) yield entry();
  const { bytes, sha256, lines } = measured.result();
  return { name: table.name, rows: lines, bytes, sha256 };
}

async function* fileEntries(
  client: pg.Client,
  { fileIds, files }: DumpSource,
): AsyncGenerator<Entry, Pick<BackupManifest, "files" | "gone">> {
  const { rows } = await client.query<{ id: string }>(fileIds);
  const measured = measure();
  const goneIds: string[] = [];
  for (const { id } of rows) {
    const stream = await files.read(id);
    if (stream === null) {
      goneIds.push(id);
      continue;
    }
    const bytes = await buffer(stream);
    measured.add(bytes);
    yield { name: FILES + id, bytes };
  }
  const { bytes, sha256 } = measured.result();
  return { files: { count: rows.length - goneIds.length, bytes, sha256 }, gone: goneIds };
}

const json = (name: string, value: unknown): Entry => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
});
