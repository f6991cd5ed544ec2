import { DomainError } from "@innkey/shared/errors";
import type { Database } from "../../../adapters/postgres/client.ts";
import { SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import type { ScopeFactory } from "../../../kernel/scope-factory.ts";
import { maskedAccount } from "../login/masked-account.ts";
import type { PasswordHasher } from "../login/password-hasher.ts";
import { requireUnguessable } from "../login/weak-passwords.ts";
import { createOperator } from "./operators.ts";

/**
 * Adds an owner. For the command line only, where the administrator of the server runs it.
 * @throws account_taken, not_found, invalid_input for a weak password
 */
export async function addOwner(
  { database, hasher, openScope }: { database: Database; hasher: PasswordHasher; openScope: ScopeFactory },
  hotelId: number,
  { account, name, password }: { account: string; name: string; password: string },
): Promise<number> {
  const hotel = await database.prisma.hotel.findUnique({ where: { id: hotelId } });
  if (!hotel) throw new DomainError("not_found");
  await requireUnguessable(password, [account, name, hotel.name]);
  const passwordHash = await hasher.hash(password);
  const scope = openScope({
    actor: SYSTEM_ACTOR,
    hotel,
    language: "en",
    channel: "system",
    address: "",
    requestId: "create-owner",
  });
  return scope.write(async (tx) => {
    const person = { account, name, gender: null, nationality: null, birthDate: null };
    const operatorId = await createOperator(tx, person, passwordHash, false, scope.now());
    await tx.db.membership.create({
      data: { hotelId, operatorId, role: "owner", apiKeyAuth: true, createdAt: scope.now() },
    });
    const after = { name, account: maskedAccount(account), role: "owner" };
    tx.audit({ action: "operator.create", entity: "operator", entityId: operatorId, after });
    return operatorId;
  });
}
