import type { Scope } from "../../kernel/scope.ts";
import { releaseReaders } from "../access/public.ts";
import { endMembership } from "../identity/public.ts";

/**
 * Removes a staff member from the hotel: ends their sessions here and unassigns their card readers. Records keep their
 * name, and rehiring them here reuses the same person unless they also left another hotel. @throws no_permission
 * (yourself; an owner, for an administrator), not_found, last_owner
 */
export async function removeStaff(scope: Scope, operatorId: number): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  return scope.write(async (tx) => {
    await endMembership(scope, tx, operatorId);
    await releaseReaders(tx, { operatorId });
    return { operatorId };
  });
}
