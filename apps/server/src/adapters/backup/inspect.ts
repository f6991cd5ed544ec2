import type { z } from "zod";
import { FILE_ID } from "../storage/storage.ts";
import {
  type BackupHeader,
  type BackupManifest,
  backupHeader,
  backupManifest,
  damaged,
  FILES,
  FORMAT,
  HEADER_ENTRY,
  MANIFEST_ENTRY,
  type Measure,
  measure,
  notABackup,
  SECRETS,
  TABLES,
  UnreadableBackup,
} from "./backup-format.ts";
import { type Entry, readSealed } from "./sealed-tar.ts";

/** Header and contents of a complete backup. */
export interface Inspected {
  header: BackupHeader;
  manifest: BackupManifest;
  secrets: ReadonlyMap<string, string>;
}

const PART = /^(.+)\.\d{6}\.copy$/;
/** These names become paths when a backup is restored, and anyone with the public key can write a backup. */
const SECRET_NAME = /^[a-z]+(-[a-z]+)*$/;
/** Limits of one secret and of their number, because all are kept in memory. The longest is a list of previous keys. */
const MAX_SECRET_BYTES = 64 * 1024;
const MAX_SECRETS = 100;

/** Returns the table that an entry is a part of; null for other entries. */
export const tableOf = ({ name }: Entry): string | null =>
  name.startsWith(TABLES) ? (PART.exec(name.slice(TABLES.length))?.[1] ?? null) : null;

/** Returns the id of the file in an entry; null for other entries. */
export const fileOf = ({ name }: Entry): string | null => (name.startsWith(FILES) ? name.slice(FILES.length) : null);

/**
 * Reads a backup from beginning to end, without changing anything, and compares its contents with its own manifest.
 * @throws UnreadableBackup
 */
export async function inspectBackup(path: string, identity: string): Promise<Inspected> {
  const inspection = new Inspection();
  for await (const entry of readSealed(path, identity)) inspection.add(entry);
  return inspection.result();
}

class Inspection {
  #header: BackupHeader | undefined;
  #manifest: BackupManifest | undefined;
  readonly #secrets = new Map<string, string>();
  readonly #tables = new Map<string, Measure>();
  readonly #files = measure();
  #fileCount = 0;

  add(entry: Entry): void {
    if (this.#header === undefined) {
      this.#header = parseHeader(entry);
      return;
    }
    const { name, bytes } = entry;
    const [table, file] = [tableOf(entry), fileOf(entry)];
    if (name === MANIFEST_ENTRY) this.#manifest = parse(backupManifest, bytes);
    else if (name.startsWith(SECRETS)) this.#addSecret(name.slice(SECRETS.length), bytes);
    else if (table !== null) this.#measureOf(table).add(bytes);
    else if (file !== null) {
      if (!FILE_ID.test(file)) throw notABackup();
      this.#files.add(bytes);
      this.#fileCount += 1;
    } else throw notABackup();
  }

  /** @throws UnreadableBackup */
  #addSecret(name: string, bytes: Buffer): void {
    if (!SECRET_NAME.test(name) || bytes.length > MAX_SECRET_BYTES) throw notABackup();
    this.#secrets.set(name, bytes.toString());
    if (this.#secrets.size > MAX_SECRETS) throw notABackup();
  }

  #measureOf(table: string): Measure {
    const entry = this.#tables.get(table) ?? measure();
    this.#tables.set(table, entry);
    return entry;
  }

  /** @throws UnreadableBackup if something is missing or differs from the manifest */
  result(): Inspected {
    const [header, manifest] = [this.#header, this.#manifest];
    if (header === undefined) throw notABackup();
    if (manifest === undefined) throw damaged();
    const names = new Set(header.tables.map(({ name }) => name));
    const tablesMatch = manifest.tables.every(({ name, rows, bytes, sha256 }) => {
      const result = this.#measureOf(name).result();
      return names.has(name) && result.lines === rows && result.bytes === bytes && result.sha256 === sha256;
    });
    const { bytes, sha256 } = this.#files.result();
    const { files } = manifest;
    const filesMatch = this.#fileCount === files.count && bytes === files.bytes && sha256 === files.sha256;
    const sameTables = this.#tables.size === manifest.tables.length && names.size === manifest.tables.length;
    if (!tablesMatch || !filesMatch || !sameTables) throw damaged();
    return { header, manifest, secrets: this.#secrets };
  }
}

function parseHeader({ name, bytes }: Entry): BackupHeader {
  if (name !== HEADER_ENTRY) throw notABackup();
  const header: { format?: unknown; version?: unknown } = JSON.parse(bytes.toString()) ?? {};
  if (typeof header.format === "number" && header.format > FORMAT) {
    throw new UnreadableBackup(
      `The backup was made by Innkey ${header.version}, in a format that this version does not know. Restore it with that one.`,
    );
  }
  return parse(backupHeader, bytes);
}

/** @throws UnreadableBackup */
function parse<T>(schema: z.ZodType<T>, bytes: Buffer): T {
  const result = schema.safeParse(JSON.parse(bytes.toString()));
  if (!result.success) throw notABackup();
  return result.data;
}
