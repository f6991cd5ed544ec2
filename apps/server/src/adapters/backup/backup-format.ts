import { createHash } from "node:crypto";
import { z } from "zod";

/** Version of the backup's format. */
export const FORMAT = 1;

/** First entry of a backup. */
export const backupHeader = z.object({
  format: z.literal(FORMAT),
  product: z.literal("innkey"),
  /** version of the product that made it */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** names of the migrations that created its tables, oldest first */
  migrations: z.array(z.string()),
  /** in the order of their entries; generated columns are not stored */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** last value used; null: none yet */
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  /** tables whose rows are not in the backup */
  leftOut: z.array(z.string()),
});

/** Size and hash of data. */
const measured = { bytes: z.int(), sha256: z.string() };

/** Last entry of a backup: sizes and hashes of all its contents. */
export const backupManifest = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), ...measured })),
  files: z.object({ count: z.int(), ...measured }),
  /** files that rows referred to and that were erased before they could be read */
  gone: z.array(z.string()),
});

export type BackupHeader = z.infer<typeof backupHeader>;
export type BackupManifest = z.infer<typeof backupManifest>;
export type TableMeasure = BackupManifest["tables"][number];

export const HEADER_ENTRY = "backup.json";
export const MANIFEST_ENTRY = "manifest.json";
export const TABLES = "tables/";
export const FILES = "files/";
export const SECRETS = "secrets/";

const NEWLINE = 10;

/** Counts and hashes the bytes passed to it. */
export interface Measure {
  add(chunk: Uint8Array): void;
  result(): { bytes: number; sha256: string; lines: number };
}

/** Counts lines by their ends; in COPY's text format each line is a row, since line ends inside values are escaped. */
export function measure(): Measure {
  const hash = createHash("sha256");
  let bytes = 0;
  let lines = 0;
  return {
    add(chunk) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    },
    result: () => ({ bytes, sha256: hash.digest("hex"), lines }),
  };
}

/** A backup that can't be read; the message tells the operator why. */
export class UnreadableBackup extends Error {}

const IS_NONE = "This is not a backup of Innkey, or only part of one.";
const DAMAGED = "The backup is damaged: bytes of it were changed or are missing. Take another one.";
const OTHER_KEY = "The backup was sealed for another key than this one.";

/** Turns a failure of age, gzip or tar into an UnreadableBackup; other errors are returned unchanged. */
export function asUnreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnreadableBackup) return error;
  const { message } = error;
  if (/no identity matched/.test(message)) return new UnreadableBackup(OTHER_KEY, { cause: error });
  if (/invalid (version|line|header)|non-ASCII|unexpected (end of|EOF)|unsupported version/i.test(message)) {
    return new UnreadableBackup(IS_NONE, { cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  // Errors of the file system or the database do not mean that the backup is damaged.
  if (code !== undefined && !/^(Z_|ERR_STREAM)/.test(code)) return error;
  return new UnreadableBackup(DAMAGED, { cause: error });
}

export const notABackup = (): UnreadableBackup => new UnreadableBackup(IS_NONE);
export const damaged = (): UnreadableBackup => new UnreadableBackup(DAMAGED);
