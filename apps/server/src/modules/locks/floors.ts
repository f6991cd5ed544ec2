import { lockArgs } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { enqueue } from "./commands.ts";

export type FloorKind = "guest" | "master";

/**
 * Tells a lock to refuse card records below a sequence: those of guests, or management and universal ones. Floors only
 * rise: nothing is sent where the lock is known to refuse them already, or a command that says as much waits.
 */
export async function raiseFloor(
  scope: Scope,
  unit: Unit,
  lockId: number,
  kind: FloorKind,
  floor: number,
): Promise<void> {
  // Under the lock's row, so that of two writes at once the lower floor can't supersede the higher.
  const [lock] = await unit.sql.rows<{ guest: number; master: number }>(
    `SELECT guest_floor AS guest, master_floor AS master FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    lockId,
  );
  if (!lock || lock[kind] >= floor) return;
  const subject = `floor:${kind}`;
  const open = await unit.db.lockCommand.findMany({
    where: { lockId, subject, state: { in: ["queued", "sent"] } },
    select: { argsBox: true },
  });
  if (open.some(({ argsBox }) => floorOf(scope, argsBox) >= floor)) return;
  await enqueue(scope, unit, lockId, { type: "raise_floor", subject, args: { kind, floor } });
}

function floorOf(scope: Scope, argsBox: Uint8Array): number {
  return lockArgs.raise_floor.parse(JSON.parse(scope.secrets.code.open(argsBox) ?? "null")).floor;
}

/**
 * Cards taken back that no door opens for any more are dead: each of their locks refuses them or they ran out (view
 * card_risk in prisma/migrations has the rule). Called whenever a lock confirmed something or showed a newer card.
 */
export async function settleCards(scope: Scope, unit: Unit): Promise<void> {
  await unit.sql.rows(
    `UPDATE card c SET state = 'revoked' WHERE c.hotel_id = $1 AND c.state = 'revoking'
       AND (c.valid_to <= $2::timestamptz
         OR NOT EXISTS (SELECT FROM card_risk k WHERE k.hotel_id = $1 AND k.card_id = c.id))
     RETURNING c.id`,
    scope.now().toISOString(),
  );
}
