import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/messaging/integrations";
import type { z } from "zod";
import { requireIntegrations, type Scope } from "../../../kernel/scope.ts";

import { bodyOf } from "./post-event.ts";

/** Returns all webhooks of the hotel with their status, oldest first. @throws no_permission, feature_off */
export async function list(scope: Scope): Promise<schema.WebhookRow[]> {
  requireIntegrations(scope);
  return scope.sql.rows<schema.WebhookRow>(
    `SELECT w.id, w.name, w.url, w.events, w.failures, iso(w.failing_since) AS "failingSince",
        CASE WHEN w.given_up THEN 'given_up' WHEN w.disabled_at IS NOT NULL THEN 'off'
          WHEN w.failures > 0 THEN 'failing' ELSE 'on' END AS state,
        iso(w.next_try_at) AS "nextTryAt", iso(w.disabled_at) AS "disabledAt", iso(w.created_at) AS "createdAt",
        iso(CASE WHEN w.previous_secret_until > $2 THEN w.previous_secret_until END) AS "previousSecretUntil",
        (SELECT name FROM operator WHERE id = w.created_by_id) AS "operatorName", d.*
      FROM webhook w
      CROSS JOIN LATERAL (
        SELECT (count(*) FILTER (WHERE state = 'queued'))::int AS queued,
          (count(*) FILTER (WHERE state = 'failed'))::int AS failed, iso(max(delivered_at)) AS "lastDeliveredAt"
        FROM webhook_delivery WHERE hotel_id = $1 AND webhook_id = w.id
      ) d
      WHERE w.hotel_id = $1 ORDER BY w.id`,
    scope.now(),
  );
}

/** Returns the sent and waiting events of one webhook, newest first. @throws no_permission, feature_off, not_found */
export async function deliveries(
  scope: Scope,
  input: z.infer<typeof schema.deliveriesInput>,
): Promise<z.infer<typeof schema.deliveryPage>> {
  requireIntegrations(scope);
  const { webhookId, state, page, pageSize } = input;
  const webhook = await scope.reads.webhook.findFirst({ where: { id: webhookId }, select: { id: true } });
  if (!webhook) throw new DomainError("not_found");
  const where = { webhookId, ...(state && { state }) };
  const [list, total] = await Promise.all([
    scope.reads.webhookDelivery.findMany({
      where,
      orderBy: { number: "desc" },
      skip: (page - 1) * pageSize,
      take: pageSize,
    }),
    scope.reads.webhookDelivery.count({ where }),
  ]);
  const rows = list.map((row): schema.DeliveryRow => {
    const { id, event, tries, lastStatus, createdAt, deliveredAt } = row;
    return {
      ...{ id, event, state: row.state, tries, lastStatus, lastError: row.lastError },
      createdAt: createdAt.toISOString(),
      deliveredAt: deliveredAt?.toISOString() ?? null,
      body: bodyOf(row),
    };
  });
  return { rows, total };
}
