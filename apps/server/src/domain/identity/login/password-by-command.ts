import { DomainError } from "@innkey/shared/errors";
import type { Database } from "../../../adapters/postgres/client.ts";
import { SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import type { ScopeFactory } from "../../../kernel/system-scope.ts";
import { endSessions, setPassword } from "./accounts.ts";
import { maskedAccount } from "./masked.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { requireUnguessable } from "./weak-passwords.ts";

/**
 * Resets a password from the command line, the only way for an owner who forgot it where no mail can be sent. The
 * holder must choose another password at the next login; a second factor is still required.
 * @throws not_found, invalid_input for a weak password
 */
export async function resetPasswordOfAccount(
  { database, hasher, openScope }: { database: Database; hasher: PasswordHasher; openScope: ScopeFactory },
  account: string,
  password: string,
): Promise<void> {
  const membership = await database.prisma.membership.findFirst({
    where: { operator: { OR: [{ mobile: account }, { email: account }] } },
    orderBy: { id: "asc" },
    include: { hotel: true },
  });
  if (!membership) throw new DomainError("not_found");
  const { hotel, operatorId } = membership;
  await requireUnguessable(password, [account, hotel.name]);
  const passwordHash = await hasher.hash(password);
  const scope = openScope({
    actor: SYSTEM_ACTOR,
    hotel,
    language: "en",
    channel: "system",
    address: "",
    requestId: "reset-password",
  });
  await scope.write(async (tx) => {
    if (!(await setPassword(tx, operatorId, passwordHash, "colleague", scope.now())))
      throw new DomainError("not_found");
    const sessionsEnded = await endSessions(tx, operatorId, "password_changed", scope.now());
    const after = { account: maskedAccount(account), sessionsEnded };
    tx.audit({ action: "password.reset", entity: "operator", entityId: operatorId, after });
  });
}
