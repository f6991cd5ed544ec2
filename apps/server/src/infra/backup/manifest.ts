import { z } from "zod";

/** The first part of every backup: what it is, before anything of it is read. */
export const FORMAT = 1;

/** What stands at the beginning. */
export const backupHeader = z.object({
  format: z.literal(FORMAT),
  product: z.literal("innkey"),
  /** of the product that made it */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** names of the migrations that its tables are the result of, oldest first */
  migrations: z.array(z.string()),
  /** in the order in which they follow; generated columns are not kept */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** last value given out; null: none yet */
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  /** tables whose rows are left out */
  leftOut: z.array(z.string()),
});

/** Something of any length: how much of it there was, and its hash. */
const measured = { bytes: z.int(), sha256: z.string() };

/** What stands at the end: what the whole must come to. */
export const backupManifest = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), ...measured })),
  files: z.object({ count: z.int(), ...measured }),
  /** files that rows named and that were erased before they could be read */
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
