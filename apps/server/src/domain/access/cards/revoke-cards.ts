import type { RevokeReason } from "@innkey/shared/enums";
import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Card, CredentialState, Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { announceCards } from "../../messaging/public.ts";
import { revokeCredentials } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";

/**
 * Revokes the live cards that match `where` and removes them from the locks' lists. They stay `revoking` until
 * `settleCards` finds that they open no door, even if their writing was never confirmed: the confirmation may have been
 * lost after the record was written. Returns the cards that were live.
 */
export async function revokeCards(
  scope: Scope,
  tx: Transaction,
  where: Prisma.CardWhereInput,
  revokeReason: RevokeReason,
): Promise<Card[]> {
  const live = await tx.db.card.findMany({ where: { AND: [where, { state: { in: ["pending", "active"] } }] } });
  if (live.length === 0) return live;
  const ids = live.map(({ id }) => id);
  await tx.db.card.updateMany({
    where: { id: { in: ids }, state: { in: ["pending", "active"] } },
    data: { state: "revoking", revokedAt: scope.now(), revokeReason },
  });
  await revokeCredentials(scope, tx, { cardId: { in: ids } }, revokeReason);
  // Cards that were never confirmed were never announced, so their revocation isn't either.
  const revokedIds = live.filter(({ state }) => state === "active").map(({ id }) => id);
  await announceCards(scope, tx, "card.taken_back", revokedIds, { reason: revokeReason });
  return live;
}

const ENDED: CredentialState[] = ["revoking", "revoked"];

/**
 * Ends the cards that open once and are on the list of a lock that leaves its door: whether they have opened is only in that
 * lock's memory, so no other lock may get them. The caller has locked the lock's row.
 */
export async function endOneTimeCards(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const listed = { once: true, credentials: { some: { lockId, state: { notIn: ENDED } } } };
  await revokeCards(scope, tx, { ...listed, usedAt: { not: null } }, "used_up");
  await revokeCards(scope, tx, listed, "lock_moved");
}

/**
 * Takes cards that open once and have opened off their locks' lists. Settles revoked cards whose period has ended since: no lock
 * needs to confirm them any more.
 */
export const settleCardsJob: Job<Record<string, never>> = { name: "cards.settle", payload: z.strictObject({}) };

const SWEEP_EVERY_SECONDS = 60;

export function defineCardJobs(queue: JobQueue, deps: { database: Database; scopes: SystemScopes }): void {
  queue.define(settleCardsJob, () => settleCardsOfAllHotels(deps.database, deps.scopes), {
    concurrency: 1,
    attempts: 1,
  });
  queue.every(settleCardsJob, SWEEP_EVERY_SECONDS, {});
}

/** Settles every hotel that has such cards, each in its own transaction. */
export async function settleCardsOfAllHotels({ pool }: Pick<Database, "pool">, scopes: SystemScopes): Promise<void> {
  const { rows } = await pool.query<{ hotelId: number }>(
    `SELECT hotel_id AS "hotelId" FROM card WHERE state = 'revoking'
     UNION SELECT hotel_id FROM card WHERE state = 'active' AND once AND used_at IS NOT NULL ORDER BY 1`,
  );
  for (const { hotelId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write(async (tx) => {
      await revokeCards(scope, tx, { once: true, usedAt: { not: null } }, "used_up");
      await settleCards(scope, tx);
    });
  }
}
