import type { auditListInput, auditListOutput, auditRow } from "@innkey/shared/schemas/compliance/audit";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";

type AuditRow = z.infer<typeof auditRow>;

/** $2: only entries below this sequence number, $3: maximum number of entries; null means no limit. */
export const AUDIT_ROWS = `SELECT seq, at, actor_name AS "actorName", door, address, action, entity, entity_id AS "entityId", before, after
  FROM audit_entry WHERE hotel_id = $1 AND ($2::bigint IS NULL OR seq < $2::bigint) ORDER BY seq DESC LIMIT $3`;

/** Returns one page of the hotel's audit, newest first, below the sequence number `before`. @throws no_permission */
export async function list(
  scope: Scope,
  { before, limit }: z.output<typeof auditListInput>,
): Promise<z.output<typeof auditListOutput>> {
  scope.require("audit.view");
  const rows = await scope.sql.rows<AuditRow>(AUDIT_ROWS, before ?? null, limit);
  return { rows, nextBefore: rows.length === limit ? (rows.at(-1)?.seq ?? null) : null };
}
