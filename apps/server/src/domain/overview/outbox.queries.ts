import type { outboxListOutput } from "@innkey/shared/schemas/messaging";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { bodyContext, type OutgoingMessages } from "../messaging/public.ts";

const MAX_ROWS = 100;

/**
 * SQL: those of the operators $2 whose recovery codes the owners may read, because they work for this hotel
 * alone and are not owners. Reading the code of another owner, or of a person who also works elsewhere, would allow
 * acting as them there.
 */
const READABLE = `SELECT o.id FROM membership m JOIN operator_now o ON o.id = m.operator_id
  WHERE m.hotel_id = $1 AND o.id = ANY ($2::int[]) AND o.colleague_only`;

/**
 * Returns the hotel's latest messages. The texts contain login codes, so they are shown only to the owner, and only if
 * the outbox is the only destination of messages.
 * @throws no_permission
 */
export async function list(
  scope: Scope,
  { outboxOnly }: Pick<OutgoingMessages, "outboxOnly">,
): Promise<z.output<typeof outboxListOutput>> {
  scope.require("outbox.view");
  const messages = await scope.reads.outgoingMessage.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_ROWS,
  });
  const readable = await scope.sql.rows<{ id: number }>(
    READABLE,
    messages.flatMap(({ operatorId }) => operatorId ?? []),
  );
  const mayRead = ({ operatorId, channel }: Pick<(typeof messages)[number], "operatorId" | "channel">): boolean =>
    // A messenger service belongs to the hotel and gets its messages even where the server has no services.
    outboxOnly && channel !== "webhook" && (operatorId === null || readable.some(({ id }) => id === operatorId));
  const rows = messages.map(({ id, channel, recipient, subject, state, lastError, createdAt, sentAt, ...message }) => ({
    id,
    channel,
    recipient,
    subject,
    body: mayRead({ channel, operatorId: message.operatorId })
      ? (scope.secrets.message.open(message.bodyBox, bodyContext({ id, hotelId: scope.hotelId })) ?? "")
      : "",
    state,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    lastError,
  }));
  return { rows, embedded: outboxOnly };
}
