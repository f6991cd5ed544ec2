import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/overview/night-audit";
import type { z } from "zod";
import { FREE_TEXTS, masked } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { audited, businessDay, read } from "./night-audit.queries.ts";

/**
 * Closes a business day once and stores its figures. Only callers who see the whole hotel may do so.
 * @throws no_permission; day_not_over before it ends; state_conflict if it is closed
 */
export async function close(scope: Scope, input: z.infer<typeof schema.closeDayInput>): Promise<schema.NightAudit> {
  scope.require("reports.close");
  if (scope.roomIds !== null) throw new DomainError("no_permission");
  const day = businessDay(scope, input.date);
  if (!day.over) throw new DomainError("day_not_over");
  await scope.write(async (tx) => {
    const { figures } = await audited(scope, tx.sql, day);
    const [closed] = await tx.sql.rows<{ date: string }>(
      `INSERT INTO night_audit (hotel_id, date, figures, note, operator_id, closed_at)
       VALUES ($1, $2::date, $3::jsonb, $4, $5::int, $6::timestamptz) ON CONFLICT DO NOTHING RETURNING date::text AS date`,
      day.date,
      JSON.stringify(figures),
      input.note,
      scope.operatorId,
      scope.now(),
    );
    if (!closed) throw new DomainError("state_conflict");
    tx.audit({
      action: "nightAudit.close",
      entity: "nightAudit",
      entityId: day.date,
      after: masked({ date: day.date, revenueMinor: figures.revenueMinor, note: input.note }, FREE_TEXTS),
    });
  });
  return read(scope, { date: day.date });
}
