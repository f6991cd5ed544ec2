import type { Scope } from "../../../kernel/scope.ts";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { whatIs } from "../credentials/credential-content.ts";
import { send, withdraw } from "../credentials/credentials.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";

interface Due {
  credentialId: number;
  lockId: number;
  act: "begin" | "end";
}

/**
 * Codes whose period has begun while they are disabled on the lock, or has ended while they are still on it. $3: only
 * this credential.
 */
const DUE = `
  SELECT t.id AS "credentialId", t.lock_id AS "lockId",
    CASE WHEN t.valid_to <= $2::timestamptz THEN 'end' ELSE 'begin' END AS act
  FROM zigbee_slot z
  JOIN credential t ON t.id = z.credential_id AND t.state IN ('queued', 'sent', 'confirmed', 'used', 'failed')
  JOIN lock l ON l.id = t.lock_id AND l.driver = 'zigbee2mqtt' AND l.deleted_at IS NULL
  WHERE z.hotel_id = $1 AND ($3::int IS NULL OR t.id = $3)
    AND (t.valid_to <= $2::timestamptz OR (t.valid_from <= $2::timestamptz AND z.status = 'disabled'))
    AND NOT EXISTS (SELECT FROM lock_command k
      WHERE k.lock_id = l.id AND k.credential_id = t.id AND k.state IN ('queued', 'sent'))
  ORDER BY t.lock_id, t.id LIMIT 200`;

/**
 * Enables and removes codes on Zigbee locks, which store no periods. A code is enabled when its period begins and
 * revoked when it ends; until the lock confirms, it is listed as a key not yet blocked. Returns the number of codes
 * handled.
 */
export async function keepZigbeePeriods(scopes: SystemScopes, hotelId: number): Promise<number> {
  const scope = await scopes(hotelId);
  const due = await scope?.sql.rows<Due>(DUE, scope.now().toISOString(), null);
  if (!scope || !due) return 0;
  for (const one of due) await keepPeriod(scope, one);
  return due.length;
}

async function keepPeriod(scope: Scope, { credentialId, lockId }: Due): Promise<void> {
  await scope.write(async (tx) => {
    await selectLockForUpdate(tx, lockId);
    // The credential may have been revoked or extended since the list was read.
    const [due] = await tx.sql.rows<Due>(DUE, scope.now().toISOString(), credentialId);
    if (!due) return;
    if (due.act === "end") {
      await withdraw(scope, tx, { id: credentialId }, "period_over");
      return;
    }
    const credential = await tx.db.credential.findFirst({ where: { id: credentialId } });
    if (credential) await send(scope, tx, credential, await whatIs(scope, tx, credential));
  });
}
