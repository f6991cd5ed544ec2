import { DomainError } from "@innkey/shared/errors";
import type { Database } from "../../../adapters/postgres/client.ts";
import { type Scope, type ScopeFactory, SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import { notifyAccountHolder, type OutgoingMessages } from "../../messaging/public.ts";
import { resetTwoStep } from "../two-step/recovery-codes.ts";
import { selectMemberForUpdate } from "./members.ts";

/**
 * Resets the second factor of a person who lost it, and notifies them. Only owners may do this, because afterwards the
 * password alone is enough.
 * @throws no_permission (also for oneself, and for a person who works for another hotel too), not_found, state_conflict
 * without a second factor
 */
export async function resetTwoStepOf(
  scope: Scope,
  outgoingMessages: OutgoingMessages,
  operatorId: number,
): Promise<{ operatorId: number }> {
  scope.require("staff.manage");
  if (scope.actor.role !== "owner" || operatorId === scope.operatorId) throw new DomainError("no_permission");
  await scope.write(async (tx) => {
    const member = await selectMemberForUpdate(tx, operatorId);
    if (member.elsewhere) throw new DomainError("no_permission");
    if (!(await resetTwoStep(tx, operatorId, scope.now()))) throw new DomainError("state_conflict");
    const params = { hotel: scope.hotel.name };
    await notifyAccountHolder(scope, tx, outgoingMessages, member, { template: "twoStepReset", params });
  });
  return { operatorId };
}

/**
 * Resets it from the command line, for an owner without another owner to help. @throws not_found, state_conflict
 * without a second factor
 */
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
    channel: "system",
    address: "",
    requestId: "reset-two-factor",
  });
  await scope.write(async (tx) => {
    if (!(await resetTwoStep(tx, operatorId, scope.now()))) throw new DomainError("state_conflict");
  });
}
