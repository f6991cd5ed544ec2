import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations } from "bullmq";
import type pg from "pg";

/** the schema that BullMQ expects on a pool it did not create */
export const QUEUE_SCHEMA = "bullmq";

/**
 * Creates or updates the tables of the job queue. A role without that right only checks that the owner has done so.
 * @throws Error that says what to do if the tables are missing or outdated
 */
export async function prepareQueueTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    "SELECT has_database_privilege(current_database(), 'CREATE') AS may",
  );
  if (rows[0]?.may) {
    await runMigrations(client, QUEUE_SCHEMA);
    return;
  }
  const version = await assertSchemaCompatibility(client, QUEUE_SCHEMA).catch(() => 0);
  if (version < LATEST_SCHEMA_VERSION) {
    throw new Error("The tables of the job queue are missing or old. Run the migrate command first.");
  }
}
