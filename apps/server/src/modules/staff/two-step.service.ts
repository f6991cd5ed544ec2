import { DomainError } from "@innkey/shared/errors";
import { type Scope, SYSTEM_ACTOR } from "../../core/scope.ts";
import type { ScopeFactory } from "../../core/scope-factory.ts";
import type { Database } from "../../infra/database/client.ts";
import { resetTwoStep } from "../auth/two-step/reset.ts";
import { notifyAccountHolder } from "../notifications/account-notice.ts";
import type { Notifier } from "../notifications/notifications.service.ts";
import { lockedMember } from "./member.ts";

/**
 * Takes the second factor from somebody who has lost it, and tells them. For owners only: it makes the password enough.
 * @throws no_permission (also for oneself, and for who works for another hotel too), not_found, state_conflict without one
 */
export async function resetTwoStepOf(
  scope: Scope,
  notifier: Notifier,
  operatorId: number,
): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  if (scope.actor.role !== "owner" || operatorId === scope.operatorId) throw new DomainError("no_permission");
  await scope.write(async (unit) => {
    const member = await lockedMember(unit, operatorId);
    if (member.elsewhere) throw new DomainError("no_permission");
    if (!(await resetTwoStep(unit, operatorId, scope.now()))) throw new DomainError("state_conflict");
    const params = { hotel: scope.hotel.name };
    await notifyAccountHolder(scope, unit, notifier, member, { template: "twoStepReset", params });
  });
  return { operatorId };
}

/** For the command line only: an owner whom no other owner can help. @throws not_found, state_conflict without one */
export async function resetTwoStepOfAccount(
  { prisma }: Database,
  openScope: ScopeFactory,
  account: string,
): Promise<void> {
  const membership = await prisma.membership.findFirst({
    where: { operator: { OR: [{ mobile: account }, { email: account }] } },
    orderBy: { id: "asc" },
    include: { hotel: true },
  });
  if (!membership) throw new DomainError("not_found");
  const { hotel, operatorId } = membership;
  const scope = openScope({
    actor: SYSTEM_ACTOR,
    hotel,
    language: "en",
    door: "system",
    address: "",
    requestId: "reset-two-factor",
  });
  await scope.write(async (unit) => {
    if (!(await resetTwoStep(unit, operatorId, scope.now()))) throw new DomainError("state_conflict");
  });
}
