import { DomainError } from "@innkey/shared/errors";
import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { announceCards } from "../../messaging/public.ts";
import type { LockOfRoom } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { putOnLists } from "./card-doors.ts";
import { mayTouch } from "./find-card.ts";
import { locksRefusing } from "./refusals.ts";
import { takeBack } from "./revoke-cards.ts";

/** Checks whether the card is only registered: it opens by its number and has no doors yet. */
export const isDraft = ({ state, overTheAir }: Pick<Card, "state" | "overTheAir">): boolean =>
  state === "pending" && overTheAir;

/**
 * Checks that a card number may be granted doors. An earlier draft of that number is discarded; other issues of the
 * card stay as they are. @throws card_in_use for a card that is already live, a draft that the caller may not touch, or
 * a number that one of the locks was instructed to refuse: accepting the number again would also accept an old record
 * still written on the card
 */
export async function requireUnused(
  scope: Scope,
  tx: Transaction,
  uid: string,
  locks: readonly LockOfRoom[],
): Promise<void> {
  const live = await tx.db.card.findFirst({
    where: { uid, state: { in: ["pending", "active"] } },
    include: { rooms: true },
  });
  if (live) {
    if (!isDraft(live) || !(await mayTouch(scope, tx, live))) throw new DomainError("card_in_use");
    await takeBack(scope, tx, { id: live.id }, "reissued");
    await settleCards(scope, tx);
  }
  await requireNotRefused(scope, tx, uid, locks);
}

/** @throws card_in_use if one of the locks was instructed to refuse the number, as in `requireUnused` */
export async function requireNotRefused(
  scope: Scope,
  tx: Transaction,
  uid: string,
  locks: readonly LockOfRoom[],
): Promise<void> {
  const lockIds = locks.map(({ id }) => id);
  if ((await locksRefusing(scope, tx, uid, lockIds)).length > 0) throw new DomainError("card_in_use");
}

/** Sends a card's number to locks and announces it to webhooks. Returns the ids of the lock commands. */
export async function openByNumber(
  scope: Scope,
  tx: Transaction,
  card: Card,
  locks: readonly LockOfRoom[],
): Promise<string[]> {
  await putOnLists(scope, tx, card, locks);
  await announceCards(scope, tx, "card.issued", [card.id]);
  const commands = await tx.db.lockCommand.findMany({
    where: { type: "set_credential", state: "queued", credential: { is: { cardId: card.id } } },
    orderBy: { seq: "asc" },
    select: { id: true },
  });
  return commands.map(({ id }) => id);
}
