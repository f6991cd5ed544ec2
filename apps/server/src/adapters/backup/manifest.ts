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
