import { inspectBackup } from "../../infra/backup/inspect.ts";
import { loadBackup } from "../../infra/backup/load.ts";
import { withScratchDatabase } from "../../infra/backup/scratch-database.ts";
import { LEFT_OUT } from "./contents.ts";
import { brokenLaws } from "./laws.ts";

export interface TriedBackup {
  createdAt: Date;
  version: string;
  rows: number;
  tables: number;
  files: number;
  gone: readonly string[];
  /** what is not as it should be in what was restored; none: it can be relied on */
  findings: string[];
}

/**
 * Restores a backup into a database of its own, which is dropped afterwards: every byte is read, every row loaded, compared
 * and checked, up to this version's migrations. Beside running servers; files are read, and put nowhere.
 * @throws UnreadableBackup, RestoreRefused for a newer version's, NoScratchDatabase
 */
export async function tryBackup(
  path: string,
  identity: string,
  { databaseUrl, migrationsDir }: { databaseUrl: string; migrationsDir: string },
): Promise<TriedBackup> {
  const inspected = await inspectBackup(path, identity);
  const findings = await withScratchDatabase(databaseUrl, (scratch) =>
    loadBackup(path, identity, inspected, {
      databaseUrl: scratch,
      migrationsDir,
      replace: false,
      passing: Object.keys(LEFT_OUT),
      otherSchemas: [],
      writeFile: async () => undefined,
      check: (client) => brokenLaws(client, inspected.secrets),
    }),
  );
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
