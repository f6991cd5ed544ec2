import type { outboxListOutput } from "@innkey/shared/schemas/people";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Notifier } from "./notifications.service.ts";

const SHOWN = 100;

/**
 * The hotel's last messages. Their texts carry codes that log people in, so they are shown only where the outbox is the
 * one place they arrive at, and to the owner. @throws no_permission
 */
export async function list(
  scope: Scope,
  { embedded }: Pick<Notifier, "embedded">,
): Promise<z.output<typeof outboxListOutput>> {
  scope.require("outbox.view");
  const messages = await scope.reads.outboundMessage.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: SHOWN,
  });
  const rows = messages.map(({ id, channel, recipient, subject, state, lastError, bodyBox, createdAt, sentAt }) => ({
    id,
    channel,
    recipient,
    subject,
    body: embedded ? (scope.secrets.message.open(bodyBox) ?? "") : "",
    state,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    lastError,
  }));
  return { rows, embedded };
}
