import type { outboxListOutput } from "@innkey/shared/schemas/people";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { isColleagueOnly } from "../auth/accounts.ts";
import { bodyContext, type Notifier } from "./notifications.service.ts";

const MAX_ROWS = 100;

/**
 * Those of some operators ($2) whose recovery codes the hotel's owners may read: they belong to this hotel alone and don't
 * own it. Whoever reads the code of another owner, or of who works for another hotel too, is them there.
 */
const READABLE = `SELECT m.operator_id AS id FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = ANY ($2::int[])
  AND ${isColleagueOnly("m.operator_id")}`;

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
    take: MAX_ROWS,
  });
  const readable = await scope.sql.rows<{ id: number }>(
    READABLE,
    messages.flatMap(({ operatorId }) => operatorId ?? []),
  );
  const mayRead = (operatorId: number | null): boolean =>
    embedded && (operatorId === null || readable.some(({ id }) => id === operatorId));
  const rows = messages.map(({ id, channel, recipient, subject, state, lastError, createdAt, sentAt, ...message }) => ({
    id,
    channel,
    recipient,
    subject,
    body: mayRead(message.operatorId)
      ? (scope.secrets.message.open(message.bodyBox, bodyContext({ id, hotelId: scope.hotelId })) ?? "")
      : "",
    state,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    lastError,
  }));
  return { rows, embedded };
}
