import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card, Prisma } from "../../infra/database/generated/client.ts";
import { type RevokeReason, withdraw } from "../locks/credentials.ts";
import { announceCards } from "../webhooks/announce.ts";

/**
 * The live cards among `which` stop being promised, and what locks were told of them is withdrawn. All of them stay
 * `revoking` until `settleCards` finds that no door opens for them: also one whose writing was never confirmed may carry
 * its record, if the word of it got lost. Returns those that were live.
 */
export async function takeBack(
  scope: Scope,
  unit: Unit,
  which: Prisma.CardWhereInput,
  revokeReason: RevokeReason,
): Promise<Card[]> {
  const live = await unit.db.card.findMany({ where: { AND: [which, { state: { in: ["pending", "active"] } }] } });
  if (live.length === 0) return live;
  const ids = live.map(({ id }) => id);
  await unit.db.card.updateMany({
    where: { id: { in: ids }, state: { in: ["pending", "active"] } },
    data: { state: "revoking", revokedAt: scope.now(), revokeReason },
  });
  await withdraw(scope, unit, { cardId: { in: ids } }, revokeReason);
  // Of one that never was confirmed nobody was told.
  const revokedIds = live.filter(({ state }) => state === "active").map(({ id }) => id);
  await announceCards(scope, unit, "card.taken_back", revokedIds, { reason: revokeReason });
  return live;
}
