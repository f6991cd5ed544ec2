import { inspectBackup } from "../../../adapters/backup/inspect.ts";
import { loadBackup } from "../../../adapters/backup/load.ts";
import { withScratchDatabase } from "../../../adapters/backup/scratch-database.ts";
import { withTrialDatabase } from "../../../adapters/backup/trial-database.ts";
import { LEFT_OUT } from "./contents.ts";
import { brokenInvariants } from "./invariants.ts";

export interface TriedBackup {
  createdAt: Date;
  version: string;
  rows: number;
  tables: number;
  files: number;
  gone: readonly string[];
  /** what is not as it should be in what was restored, and wasn't when it was backed up */
  findings: string[];
}

export interface TrialSetting {
  /** what the server works with, or its owner */
  databaseUrl: string;
  /** an empty database that is kept for trials; undefined: one is made beside `databaseUrl`, and dropped afterwards */
  trialUrl: string | undefined;
  migrationsDir: string;
}

/**
 * Restores a backup into a database of its own, where nothing of it stays: every byte is read, every row loaded, compared
 * and checked, up to this version's migrations. Beside running servers; files are read, and put nowhere.
 * @throws UnreadableBackup, NotAsBackedUp, RestoreRefused for a newer version's, NoScratchDatabase, TrialRefused
 */
export async function tryBackup(
  path: string,
  identity: string,
  { databaseUrl, trialUrl, migrationsDir }: TrialSetting,
): Promise<TriedBackup> {
  const inspected = await inspectBackup(path, identity);
  const load = (empty: string): Promise<string[]> =>
    loadBackup(path, identity, inspected, {
      databaseUrl: empty,
      migrationsDir,
      replace: false,
      keep: false,
      passing: Object.keys(LEFT_OUT),
      otherSchemas: [],
      writeFile: async () => undefined,
      check: (client) => brokenInvariants(client, inspected.secrets),
    });
  const findings = await (trialUrl === undefined
    ? withScratchDatabase(databaseUrl, load)
    : withTrialDatabase(databaseUrl, trialUrl, load));
  const { header, manifest } = inspected;
  return {
    createdAt: new Date(header.createdAt),
    version: header.version,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    tables: manifest.tables.length,
    files: manifest.files.count,
    gone: manifest.gone,
    findings,
  };
}
