import { DomainError } from "@innkey/shared/errors";
import type { AddPermitInput, operatorRoleInput, PermitInput, permitted } from "@innkey/shared/schemas/identity/staff";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { lockedMember } from "./member.ts";
import { permissionsOf, permit } from "./permissions.ts";

/**
 * Sets the capabilities and rooms of staff members, all or none, and returns how many changed.
 * @throws no_permission, not_found, invalid_input; state_conflict for a person whose role is not staff
 */
export async function permitStaff(scope: Scope, { people }: PermitInput): Promise<z.infer<typeof permitted>> {
  scope.require("staff.manage");
  const byOperator = new Map(people.map((person) => [person.operatorId, person]));
  const inOrder = [...byOperator.values()].sort((a, b) => a.operatorId - b.operatorId);
  return scope.write(async (tx) => {
    let changed = 0;
    for (const { operatorId, capabilities, grants } of inOrder) {
      const member = await lockedMember(tx, operatorId);
      if (member.role !== "staff") throw new DomainError("state_conflict");
      if (await permit(scope, tx, member, "staff", permissionsOf(capabilities, grants))) changed += 1;
    }
    return { changed };
  });
}

/**
 * Adds permanent room grants and capabilities to a staff member. Existing grants keep their periods, except that an
 * expired one becomes permanent.
 * @throws no_permission, not_found; state_conflict for a person whose role is not staff
 */
export async function addPermissions(
  scope: Scope,
  { operatorId, roomIds, capabilities }: AddPermitInput,
): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  const now = scope.now().toISOString();
  return scope.write(async (tx) => {
    const member = await lockedMember(tx, operatorId);
    if (member.role !== "staff") throw new DomainError("state_conflict");
    const live = member.grants.filter(({ endsAt }) => endsAt === null || endsAt > now).map(({ roomId }) => roomId);
    const added = roomIds
      .filter((roomId) => !live.includes(roomId))
      .map((roomId) => ({ roomId, startsAt: null, endsAt: null }));
    const permissions = permissionsOf([...member.capabilities, ...capabilities], [...member.grants, ...added]);
    await permit(scope, tx, member, "staff", permissions);
    return { operatorId };
  });
}

/**
 * Makes a staff member an administrator, or the reverse. A former administrator starts without permissions.
 * @throws no_permission for owners and oneself, not_found; state_conflict if they have the role already
 */
export async function setRole(
  scope: Scope,
  { operatorId, role }: z.output<typeof operatorRoleInput>,
): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  return scope.write(async (tx) => {
    const member = await lockedMember(tx, operatorId);
    if (member.role === "owner" || operatorId === scope.operatorId) throw new DomainError("no_permission");
    if (member.role === role) throw new DomainError("state_conflict");
    await permit(scope, tx, member, role, { capabilities: [], grants: [] });
    return { operatorId };
  });
}
