import { lockArgs } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { openArgs } from "./command-args.ts";
import { enqueue } from "./commands.ts";

/**
 * Tells a lock to refuse room records below a sequence. Floors only rise: nothing is sent where the lock is known to refuse
 * them already, or a command that says as much waits.
 */
export async function raiseFloor(scope: Scope, unit: Unit, lockId: number, floor: number): Promise<void> {
  // Under the lock's row, so that of two writes at once the lower floor can't supersede the higher.
  const [lock] = await unit.sql.rows<{ known: number }>(
    `SELECT guest_floor AS known FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    lockId,
  );
  if (!lock || lock.known >= floor) return;
  const subject = "floor:guest";
  const open = await unit.db.lockCommand.findMany({
    where: { lockId, subject, state: { in: ["queued", "sent"] } },
    select: { id: true, argsBox: true },
  });
  if (open.some((command) => lockArgs.raise_floor.parse(openArgs(scope, command)).floor >= floor)) return;
  await enqueue(scope, unit, lockId, { type: "raise_floor", subject, args: { kind: "guest", floor } });
}

/**
 * Cards taken back that no door opens for any more are dead: each of their locks refuses them or they ran out (view
 * card_risk in prisma/migrations has the rule). Called whenever a lock confirmed something or showed a newer card.
 */
export async function settleCards(scope: Scope, unit: Unit): Promise<void> {
  await unit.sql.rows(
    `UPDATE card c SET state = 'revoked' WHERE c.hotel_id = $1 AND c.state = 'revoking'
       AND NOT EXISTS (SELECT FROM card_risk k WHERE k.hotel_id = $1 AND k.card_id = c.id
         AND (k.ends_at IS NULL OR k.ends_at > $2::timestamptz))
     RETURNING c.id`,
    scope.now().toISOString(),
  );
}
