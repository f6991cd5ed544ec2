import { DomainError } from "@innkey/shared/errors";
import type { CustomerInput } from "@innkey/shared/schemas/people";
import { changesOf } from "../../core/changes.ts";
import type { Scope } from "../../core/scope.ts";

type CustomerRef = { id: number };

/** Creates a customer, or changes the one with `input.id`. Namesakes are allowed. @throws no_permission, not_found */
export async function save(scope: Scope, { id, ...data }: CustomerInput): Promise<CustomerRef> {
  scope.require("customers.manage");
  return scope.write(async (unit) => {
    if (id === undefined) {
      const created = await unit.db.customer.create({
        data: { hotelId: scope.hotelId, ...data, createdAt: scope.now() },
        select: { id: true },
      });
      unit.journal({ action: "customer.create", entity: "customer", entityId: created.id, after: data });
      return created;
    }
    const before = await unit.db.customer.findFirst({ where: { id } });
    if (!before) throw new DomainError("not_found");
    const changes = changesOf(before, data);
    if (changes) {
      await unit.db.customer.updateMany({ where: { id }, data });
      unit.journal({ action: "customer.update", entity: "customer", entityId: id, ...changes });
    }
    return { id };
  });
}

/**
 * Freezes or unfreezes: a frozen customer gets no new stays, those they have go on.
 * @throws no_permission, not_found; state_conflict if somebody did it before
 */
export async function freeze(scope: Scope, { id, frozen }: { id: number; frozen: boolean }): Promise<CustomerRef> {
  scope.require("customers.manage");
  return scope.write(async (unit) => {
    const { count } = await unit.db.customer.updateMany({
      where: { id, frozenAt: frozen ? null : { not: null } },
      data: { frozenAt: frozen ? scope.now() : null },
    });
    if (count === 0) {
      const exists = await unit.db.customer.findFirst({ where: { id }, select: { id: true } });
      throw new DomainError(exists ? "state_conflict" : "not_found");
    }
    unit.journal({ action: frozen ? "customer.freeze" : "customer.unfreeze", entity: "customer", entityId: id });
    return { id };
  });
}
