import { inspectBackup } from "../../../adapters/backup/inspect.ts";
import { loadBackup } from "../../../adapters/backup/load.ts";
import { withScratchDatabase } from "../../../adapters/backup/scratch-database.ts";
import { withTrialDatabase } from "../../../adapters/backup/trial-database.ts";
import { brokenInvariants, LEFT_OUT } from "./invariants.ts";

export interface TriedBackup {
  createdAt: Date;
  version: string;
  rows: number;
  tables: number;
  files: number;
  gone: readonly string[];
  /** Faults that the data already had when it was backed up. */
  findings: string[];
}

export interface TrialSetting {
  /** For the server's role or the owner. */
  databaseUrl: string;
  /** Empty database kept for trials; if undefined, one is created beside `databaseUrl` and dropped afterwards. */
  trialUrl: string | undefined;
  migrationsDir: string;
}

/**
 * Restores a backup into a separate database and removes it again. Reads every byte, loads, compares and checks every
 * row, and runs this version's migrations. May run beside running servers; files are read but not stored.
 * @throws UnreadableBackup, NotAsBackedUp, RestoreRefused for a backup of a newer version, NoScratchDatabase,
 * TrialRefused
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
