import type { ProcessStatus, Trouble } from "@innkey/shared/schemas/system";
import type { Watch } from "../../../adapters/postgres/watch.ts";
import { heartbeatParts } from "./heartbeat.ts";
import type { BrokerState } from "./installation.ts";

/** Time of three missed heartbeats. */
const SILENT_SECONDS = 30;

export interface ProcessRecord extends ProcessStatus {
  troubles: Trouble[];
  broker: BrokerState | null;
  /** See heartbeat.ts. */
  depth: number[];
}

const PROCESSES = `
  SELECT id, role, host, version, iso(started_at) AS "startedAt", iso(seen_at) AS "seenAt",
    seen_at > now() - interval '${SILENT_SECONDS} seconds' AS alive, parts
  FROM process_heartbeat ORDER BY role, started_at, id`;

/** Returns every process of the console with a heartbeat within the last hour. */
export async function listProcesses(watch: Watch): Promise<ProcessRecord[]> {
  const rows = await watch.rows<ProcessStatus & { parts: unknown }>(PROCESSES);
  return rows.flatMap(({ parts, ...row }) => {
    const parsed = heartbeatParts.safeParse(parts);
    return parsed.success ? [{ ...row, ...parsed.data }] : [];
  });
}
