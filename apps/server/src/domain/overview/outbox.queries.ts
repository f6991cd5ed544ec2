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
 * the outbox is the only destination of messages. Those to guests are read at the guest, where showing a door code is
 * recorded. @throws no_permission
 */
export async function list(
  scope: Scope,
  { outboxOnly }: Pick<OutgoingMessages, "outboxOnly">,
): Promise<z.output<typeof outboxListOutput>> {
  scope.require("outbox.view");
  const messages = await scope.reads.outgoingMessage.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_ROWS,
    include: { guestMessage: { select: { stayGuestId: true } } },
  });
  const readable = await scope.sql.rows<{ id: number }>(
    READABLE,
    messages.flatMap(({ operatorId }) => operatorId ?? []),
  );
  const mayRead = ({ operatorId, channel, guestMessage }: (typeof messages)[number]): boolean =>
    // A messenger service belongs to the hotel and gets its messages even where the server has no services.
    outboxOnly &&
    channel !== "webhook" &&
    guestMessage === null &&
    (operatorId === null || readable.some(({ id }) => id === operatorId));
  const textOf = ({ id, bodyBox }: (typeof messages)[number]): string =>
    scope.secrets.message.open(bodyBox, bodyContext({ id, hotelId: scope.hotelId })) ?? "";
  const rows = messages.map((message) => {
    const { id, channel, recipient, subject, state, lastError, createdAt, sentAt, guestMessage } = message;
    return {
      ...{ id, channel, recipient, subject, state, lastError },
      body: mayRead(message) ? textOf(message) : "",
      stayGuestId: guestMessage?.stayGuestId ?? null,
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    };
  });
  return { rows, embedded: outboxOnly };
}
