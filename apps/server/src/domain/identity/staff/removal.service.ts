import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import { endSessionsHere } from "../login/accounts.ts";
import { lockedMember, requireReach } from "./member.ts";
import { requireAnotherOwner } from "./staff.service.ts";

/**
 * Removes a staff member from the hotel: ends their sessions here and unassigns their card readers. Records keep their name,
 * and rehiring them here reuses the same person unless they also left another hotel.
 * @throws no_permission (yourself; an owner, for an administrator), not_found, last_owner
 */
export async function remove(scope: Scope, operatorId: number): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  return scope.write(async (unit) => {
    const member = await lockedMember(unit, operatorId);
    requireReach(scope, member);
    if (member.role === "owner") await requireAnotherOwner(unit, operatorId);
    if (operatorId === scope.operatorId) throw new DomainError("no_permission");
    const sessionsEnded = await endSessionsHere(unit, operatorId, "revoked", scope.now());
    await unit.db.encoder.updateMany({ where: { operatorId }, data: { operatorId: null } });
    await unit.db.membership.deleteMany({ where: { id: member.membershipId } });
    const { name, role } = member;
    unit.journal({
      action: "operator.remove",
      entity: "operator",
      entityId: operatorId,
      before: { name, role },
      after: { sessionsEnded },
    });
    unit.boardChanged();
    return { operatorId };
  });
}
