import type { Card, Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { announceCards } from "../../messaging/public.ts";
import { type RevokeReason, withdraw } from "../credentials/credentials.ts";

/**
 * Revokes the live cards among `which` and withdraws them from locks. All stay `revoking` until `settleCards` finds
 * that they open no door. That includes cards whose writing was never confirmed, because they may carry the record
 * although the confirmation was lost. Returns the cards that were live.
 */
export async function takeBack(
  scope: Scope,
  tx: Transaction,
  which: Prisma.CardWhereInput,
  revokeReason: RevokeReason,
): Promise<Card[]> {
  const live = await tx.db.card.findMany({ where: { AND: [which, { state: { in: ["pending", "active"] } }] } });
  if (live.length === 0) return live;
  const ids = live.map(({ id }) => id);
  await tx.db.card.updateMany({
    where: { id: { in: ids }, state: { in: ["pending", "active"] } },
    data: { state: "revoking", revokedAt: scope.now(), revokeReason },
  });
  await withdraw(scope, tx, { cardId: { in: ids } }, revokeReason);
  // Cards that were never confirmed were never announced, so their revocation isn't either.
  const revokedIds = live.filter(({ state }) => state === "active").map(({ id }) => id);
  await announceCards(scope, tx, "card.taken_back", revokedIds, { reason: revokeReason });
  return live;
}
