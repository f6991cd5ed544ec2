import type { Scope } from "../../kernel/scope.ts";
import { releaseReaders } from "../access/public.ts";
import { lockFreeCustomer, removeCustomer as removeLocked } from "../stays/public.ts";

/**
 * Removes a customer and unassigns their card readers. A customer whom stays were booked for keeps only the name.
 * @throws no_permission, not_found; in_house while a stay of theirs is reserved or checked in
 */
export async function removeCustomer(scope: Scope, id: number): Promise<{ id: number }> {
  scope.require("customers.manage");
  return scope.write(async (unit) => {
    const customer = await lockFreeCustomer(unit, id);
    const readers = await releaseReaders(unit, { customerId: id });
    await removeLocked(scope, unit, customer, readers);
    return { id };
  });
}
