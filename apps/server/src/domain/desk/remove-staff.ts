import type { Scope } from "../../kernel/scope.ts";
import { releaseReaders } from "../access/public.ts";
import type { FileStore } from "../files/public.ts";
import { endMembership } from "../identity/public.ts";

/**
 * Removes a staff member from the hotel: ends their sessions here and unassigns their card readers. Records keep their
 * name, and rehiring them here reuses the same person unless they also left another hotel. All other data about a person
 * without another job, their picture included, is erased, except for the account. @throws no_permission
 * (yourself; an owner, for an administrator), not_found, last_owner
 */
export async function removeStaff(
  scope: Scope,
  files: Pick<FileStore, "eraseUnusedAvatars">,
  operatorId: number,
): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  await scope.write(async (tx) => {
    await endMembership(scope, tx, operatorId);
    await releaseReaders(tx, { operatorId });
  });
  await files.eraseUnusedAvatars(scope, operatorId);
  return { operatorId };
}
