import type pg from "pg";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";
import { overrunningKeys } from "./credential.sql.ts";
import { withdraw } from "./credentials.ts";
import { settleCards } from "./min-sequences.ts";

/** Credentials revoked in one sweep; the next sweep handles the rest. */
const MAX_AT_ONCE = 200;

interface Due {
  id: number;
  hotelId: number;
  lockId: number;
}

/**
 * Revokes expired credentials that their locks still accept, so that they are listed as keys not yet blocked until the
 * lock has removed them. Returns the number of credentials found.
 */
export async function takeBackOverrunning(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<Due>(`${overrunningKeys("$1")} ORDER BY 2, 3, 1 LIMIT ${MAX_AT_ONCE}`, [
    now.toISOString(),
  ]);
  for (const { id, hotelId, lockId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write(async (tx) => {
      if (!(await selectLockForUpdate(tx, lockId))) return;
      // The credential may have been extended or revoked since the list was read.
      const still = await tx.sql.rows(
        `${overrunningKeys("$2")} WHERE "hotelId" = $1 AND id = $3::int`,
        scope.now().toISOString(),
        id,
      );
      if (still.length === 0) return;
      await withdraw(scope, tx, { id }, "period_over");
      await settleCards(scope, tx);
    });
  }
  return rows.length;
}
