import { serveTask } from "./adapters/process/child-process.ts";

/** Work of a first start that needs much memory: the schema engine of the migrations, and the demo hotel. */
export type SetUpTask =
  | { kind: "migrations"; databaseUrl: string; migrationsDir: string }
  | { kind: "demo hotel"; databaseUrl: string; secretKey: Uint8Array; password: string };

serveTask(async (task: SetUpTask, say) => {
  if (task.kind === "migrations") {
    const { migrate } = await import("./adapters/postgres/migrate.ts");
    return migrate(task.databaseUrl, task.migrationsDir);
  }
  const { createDemo } = await import("./create-demo.ts");
  return createDemo(task, say);
});
