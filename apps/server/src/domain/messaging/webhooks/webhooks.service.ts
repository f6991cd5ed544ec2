import { randomUUID } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import type * as schema from "@innkey/shared/schemas/messaging";
import { TEST_EVENT } from "@innkey/shared/webhook-events";
import type { z } from "zod";
import { addressesAtEntry, mayReach } from "../../../adapters/http/outside-request.ts";
import { requireIntegrations, type Scope } from "../../../kernel/scope.ts";
import { changesOf, nextId, type Transaction } from "../../../kernel/transaction.ts";
import { bodyOf, newSecret, previousSecretContext, secretContext, settleFailing } from "./deliver-event.ts";
import type { WebhookSender } from "./sender.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type Ref = Input<typeof schema.webhookRef>;

/** How long the previous secret also signs after a change. */
const BOTH_SECRETS_MS = 24 * 3_600_000;
const NO_FAILURES = { failures: 0, failingSince: null, nextTryAt: null };

/**
 * Creates a webhook and returns its secret, which no other call returns; with `input.id` changes its name, address or
 * events.
 * @throws not_found; invalid_input for an address that may not be reached
 */
export async function save(
  scope: Scope,
  input: Input<typeof schema.saveWebhookInput>,
  { allowLocal }: Pick<WebhookSender, "allowLocal">,
): Promise<schema.WebhookSaved> {
  requireIntegrations(scope);
  await checkAddress(input.url, allowLocal);
  const { id, name, url } = input;
  const events = [...new Set(input.events)];
  return scope.write(async (tx) => {
    if (id !== undefined) {
      const before = await selectWebhookForUpdate(tx, id);
      // Waiting events are sent to a new address at once.
      const data = { name, url, events, ...(url !== before.url && NO_FAILURES) };
      await tx.db.webhook.updateMany({ where: { id }, data });
      // The audit leaves the address out, because it may contain a secret of the receiver.
      const old = { name: before.name, url: before.url, events: before.events };
      const changes = changesOf(old, { name, url, events }, ["url"]);
      if (changes) tx.audit({ action: "webhook.save", entity: "webhook", entityId: id, ...changes });
      await settleFailing(scope, tx);
      return { id, secret: null };
    }
    const secret = newSecret();
    const { hotelId, operatorId: createdById, secrets } = scope;
    const createdId = await nextId(tx, "webhook");
    const secretBox = secrets.webhook.seal(secret, secretContext({ hotelId, id: createdId }));
    await tx.db.webhook.create({
      data: { id: createdId, hotelId, name, url, events, secretBox, createdById, createdAt: scope.now() },
    });
    const after = { name, host: new URL(url).host, events };
    tx.audit({ action: "webhook.create", entity: "webhook", entityId: createdId, after });
    return { id: createdId, secret };
  });
}

/** Checks that events may be sent to an address that somebody enters. @throws invalid_input */
export async function checkAddress(text: string, allowLocal: boolean): Promise<void> {
  const refuse = (key: string): never => {
    throw new DomainError("invalid_input", {}, { url: { key } });
  };
  const { protocol, hostname } = new URL(text);
  if (protocol !== "https:" && !allowLocal) refuse(v.webAddressPlain);
  const addresses = await addressesAtEntry(hostname);
  // A host name that does not resolve now may do so later. Every connection is checked again.
  if (addresses.length > 0 && !addresses.some((address) => mayReach(address, allowLocal))) refuse(v.webAddressInside);
}

/** Deletes a webhook with all its deliveries. @throws not_found */
export async function remove(scope: Scope, { id }: Ref): Promise<Ref> {
  requireIntegrations(scope);
  return scope.write(async (tx) => {
    const { name } = await selectWebhookForUpdate(tx, id);
    await tx.db.webhook.deleteMany({ where: { id } });
    tx.audit({ action: "webhook.remove", entity: "webhook", entityId: id, before: { name } });
    await settleFailing(scope, tx);
    return { id };
  });
}

/**
 * Switches a webhook off or on. While it is off, no new events are written for it, and waiting events are kept until it
 * is on again. @throws not_found, state_conflict
 */
export async function switchTo(scope: Scope, { id, on }: Input<typeof schema.switchWebhookInput>): Promise<Ref> {
  requireIntegrations(scope);
  return scope.write(async (tx) => {
    const { name } = await selectWebhookForUpdate(tx, id);
    const { count } = on
      ? await tx.db.webhook.updateMany({
          where: { id, disabledAt: { not: null } },
          data: { disabledAt: null, givenUp: false, ...NO_FAILURES },
        })
      : await tx.db.webhook.updateMany({
          where: { id, OR: [{ disabledAt: null }, { givenUp: true }] },
          data: { disabledAt: scope.now(), givenUp: false, nextTryAt: null },
        });
    if (count === 0) throw new DomainError("state_conflict", { state: on ? "on" : "off" });
    tx.audit({ action: on ? "webhook.on" : "webhook.off", entity: "webhook", entityId: id, after: { name } });
    await settleFailing(scope, tx);
    if (on) await notifySenders(tx, id);
    return { id };
  });
}

/**
 * Creates a new secret and returns it; no other call returns it. For a day both secrets sign, so that the receiver can
 * change over. @throws not_found
 */
export async function rotateSecret(scope: Scope, { id }: Ref): Promise<Input<typeof schema.secretRotated>> {
  requireIntegrations(scope);
  const secret = newSecret();
  const previousUntil = new Date(scope.now().getTime() + BOTH_SECRETS_MS);
  return scope.write(async (tx) => {
    const { name, secretBox } = await selectWebhookForUpdate(tx, id);
    const webhookKey = { hotelId: scope.hotelId, id };
    const { webhook: box } = scope.secrets;
    const previous = box.open(secretBox, secretContext(webhookKey));
    await tx.db.webhook.updateMany({
      where: { id },
      data: {
        secretBox: box.seal(secret, secretContext(webhookKey)),
        previousSecretBox: previous === null ? null : box.seal(previous, previousSecretContext(webhookKey)),
        previousSecretUntil: previousUntil,
      },
    });
    tx.audit({ action: "webhook.secret", entity: "webhook", entityId: id, after: { name } });
    return { id, secret, previousUntil: previousUntil.toISOString() };
  });
}

/** Sends a test event like any other event. @throws not_found; state_conflict while the webhook is off */
export async function sendTest(scope: Scope, { id }: Ref): Promise<Input<typeof schema.testSent>> {
  requireIntegrations(scope);
  return scope.write(async (tx) => {
    const { disabledAt } = await selectWebhookForUpdate(tx, id);
    if (disabledAt !== null) throw new DomainError("state_conflict", { state: "off" });
    const deliveryId = randomUUID();
    await tx.db.webhookDelivery.create({
      data: {
        id: deliveryId,
        hotelId: scope.hotelId,
        webhookId: id,
        event: TEST_EVENT,
        payload: { hotelName: scope.hotel.name, operatorName: scope.actor.name },
        createdAt: scope.now(),
      },
    });
    tx.audit({ action: "webhook.test", entity: "webhook", entityId: id });
    return { deliveryId };
  });
}

/** Sends one event, or all failed ones, again with the same id, and retries the webhook at once. @throws not_found */
export async function resend(
  scope: Scope,
  { webhookId, deliveryId }: Input<typeof schema.resendInput>,
): Promise<Input<typeof schema.resent>> {
  requireIntegrations(scope);
  return scope.write(async (tx) => {
    const { name } = await selectWebhookForUpdate(tx, webhookId);
    const { count } = await tx.db.webhookDelivery.updateMany({
      where: { webhookId, ...(deliveryId === null ? { state: "failed" } : { id: deliveryId }) },
      data: { state: "queued", tries: 0, deliveredAt: null },
    });
    if (deliveryId !== null && count === 0) throw new DomainError("not_found");
    await tx.db.webhook.updateMany({ where: { id: webhookId }, data: { nextTryAt: null } });
    const after = { name, count };
    if (count > 0) tx.audit({ action: "webhook.resend", entity: "webhook", entityId: webhookId, after });
    await notifySenders(tx, webhookId);
    return { count };
  });
}

/**
 * Selects the webhook and locks its row until the transaction ends, so that nobody changes or deletes it in between.
 * @throws not_found
 */
async function selectWebhookForUpdate(tx: Transaction, id: number) {
  await tx.sql.rows("SELECT id FROM webhook WHERE hotel_id = $1 AND id = $2::int FOR NO KEY UPDATE", id);
  const webhook = await tx.db.webhook.findFirst({ where: { id } });
  if (!webhook) throw new DomainError("not_found");
  return webhook;
}

/** Notifies the senders at commit that events are waiting. */
async function notifySenders(tx: Transaction, webhookId: number): Promise<void> {
  await tx.sql.rows(
    "SELECT pg_notify('innkey', jsonb_build_object('topic', 'webhooks', 'webhookId', $2::int, 'hotelId', $1::int)::text)::text",
    webhookId,
  );
}

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
