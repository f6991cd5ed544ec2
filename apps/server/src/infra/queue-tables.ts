import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations } from "bullmq";
import type pg from "pg";

/** the schema BullMQ expects on a pool that it did not make */
export const QUEUE_SCHEMA = "bullmq";

/**
 * Makes the tables of the job queue, or brings them up to date. A role that may not sees that their owner has.
 * @throws Error that says what to do when they are missing or old
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
