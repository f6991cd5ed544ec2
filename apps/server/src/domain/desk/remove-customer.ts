import type { Scope } from "../../kernel/scope.ts";
import { releaseReaders } from "../access/public.ts";
import { expireExports } from "../compliance/public.ts";
import { removeCustomer as removeLocked, selectRemovableCustomerForUpdate } from "../stays/public.ts";

/**
 * Removes a customer and unassigns their card readers. A customer whom stays were booked for keeps only the name.
 * @throws no_permission, not_found; in_house while a stay of theirs is reserved or checked in
 */
export async function removeCustomer(scope: Scope, id: number): Promise<{ id: number }> {
  scope.require("customers.manage");
  return scope.write(async (tx) => {
    const customer = await selectRemovableCustomerForUpdate(tx, id);
    const readers = await releaseReaders(tx, { customerId: id });
    await removeLocked(scope, tx, customer, readers);
    await expireExports(tx, scope.now(), "customers");
    return { id };
  });
}
