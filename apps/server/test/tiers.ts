// Generous limits: waits end quickly on an idle machine and still succeed on a busy one.
const limits = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };
const database = { globalSetup: ["test/harness/database.ts"], setupFiles: ["test/harness/record-sql.ts"] };
const everywhere = ["src", "../../prisma/seed", "../../locales", "../../docs", "../../scripts", "../../bench"];
const endingWith = (suffix: string): string[] => everywhere.map((folder) => `${folder}/**/*${suffix}`);

/**
 * The server's tests as vitest projects. `unit`: without a database. `db` (*.db.test.ts): a real PostgreSQL with one
 * database per file; files share a process, because loading the server again for each would take longer than its
 * tests. `system` (test/system, *.system.test.ts): processes, brokers and faults.
 */
export const serverTiers = [
  {
    ...limits,
    name: "unit",
    isolate: false,
    include: [...endingWith(".test.ts"), "test/processes/*.test.ts"],
    exclude: [...endingWith(".db.test.ts"), ...endingWith(".system.test.ts")],
  },
  { ...limits, name: "db", include: endingWith(".db.test.ts"), ...database, isolate: false },
  { ...limits, name: "system", include: ["test/system/*.test.ts", ...endingWith(".system.test.ts")], ...database },
].map((test) => ({ root: "apps/server", test }));
