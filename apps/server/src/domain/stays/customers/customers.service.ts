import type { CustomerKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { CustomerInput } from "@innkey/shared/schemas/stays/customers";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, FREE_TEXTS, masked, type Transaction, withoutUndefined } from "../../../kernel/transaction.ts";
import { maskedContact } from "../../identity/public.ts";

type CustomerRef = { id: number };

/** Fields that the audit log masks: people may ask to be erased, so they appear there by number only. */
const MASKED_FIELDS: Record<CustomerKind, readonly string[]> = {
  person: [...FREE_TEXTS, "name", "company", "address", "taxNumber"],
  company: FREE_TEXTS,
};

/** What a removed customer with stays keeps of every field but the name; the type requires a decision for new fields. */
const REMOVED_FIELDS: Required<Omit<CustomerInput, "id" | "kind" | "name">> = {
  mobile: "",
  email: "",
  company: "",
  address: "",
  taxNumber: "",
  note: "",
};

/** Returns data as the audit log may store it for ever. */
function forAudit(data: Readonly<Record<string, unknown>>, kind: CustomerKind): Record<string, unknown> {
  const contacts = (["mobile", "email"] as const).flatMap((name) => {
    const value = data[name];
    return typeof value === "string" ? [[name, maskedContact(value)]] : [];
  });
  return masked({ ...data, ...Object.fromEntries(contacts) }, MASKED_FIELDS[kind]);
}

/**
 * Creates a customer, or changes the one with `input.id`. Names may repeat. @throws no_permission, not_found (also for
 * a removed customer)
 */
export async function save(scope: Scope, { id, ...input }: CustomerInput): Promise<CustomerRef> {
  scope.require("customers.manage");
  const data = withoutUndefined(input);
  return scope.write(async (tx) => {
    if (id === undefined) {
      const [created] = await createCustomers(scope, tx, [data]);
      if (!created) throw new DomainError("internal");
      return created;
    }
    const before = await tx.db.customer.findFirst({ where: { id, deletedAt: null } });
    if (!before) throw new DomainError("not_found");
    const changes = changesOf(before, data);
    if (changes) {
      const { count } = await tx.db.customer.updateMany({ where: { id, deletedAt: null }, data });
      if (count === 0) throw new DomainError("not_found");

      tx.audit({
        action: "customer.update",
        entity: "customer",
        entityId: id,
        before: forAudit(changes.before, before.kind),
        after: forAudit(changes.after, data.kind),
      });
    }
    return { id };
  });
}

/** Creates customers and returns their ids in order; the caller must have checked customers.manage. */
export async function createCustomers(
  scope: Scope,
  tx: Transaction,
  customers: readonly Omit<CustomerInput, "id">[],
): Promise<CustomerRef[]> {
  const created = await tx.db.customer.createManyAndReturn({
    data: customers.map((data) => ({ hotelId: scope.hotelId, ...data, createdAt: scope.now() })),
    select: { id: true },
  });
  for (const [at, { id }] of created.entries()) {
    const data = customers[at];
    if (!data) throw new DomainError("internal");
    tx.audit({ action: "customer.create", entity: "customer", entityId: id, after: forAudit(data, data.kind) });
  }
  return created;
}

/**
 * Freezes or unfreezes a customer. A frozen one gets no new stays; existing stays continue. @throws no_permission,
 * not_found; state_conflict if already so
 */
export async function freeze(scope: Scope, { id, frozen }: { id: number; frozen: boolean }): Promise<CustomerRef> {
  scope.require("customers.manage");
  return scope.write(async (tx) => {
    const { count } = await tx.db.customer.updateMany({
      where: { id, deletedAt: null, frozenAt: frozen ? null : { not: null } },
      data: { frozenAt: frozen ? scope.now() : null },
    });
    if (count === 0) {
      const exists = await tx.db.customer.findFirst({ where: { id, deletedAt: null }, select: { id: true } });
      throw new DomainError(exists ? "state_conflict" : "not_found");
    }
    tx.audit({ action: frozen ? "customer.freeze" : "customer.unfreeze", entity: "customer", entityId: id });
    return { id };
  });
}

interface LockedCustomer extends CustomerRef {
  name: string;
  kind: CustomerKind;
  /** how many stays were ever booked for them */
  stays: number;
}

/**
 * Reads a customer who may be removed and locks their row, and counts their stays. @throws not_found; in_house while a stay of theirs is reserved or checked in
 */
export async function selectRemovableCustomerForUpdate(tx: Transaction, id: number): Promise<LockedCustomer> {
  // A booking takes a share lock on the row (`checkCustomer`), so none can begin before we finish.
  const [customer] = await tx.sql.rows<{ name: string; kind: CustomerKind }>(
    "SELECT name, kind FROM customer WHERE hotel_id = $1 AND id = $2::int AND deleted_at IS NULL FOR UPDATE",
    id,
  );
  if (!customer) throw new DomainError("not_found");
  const [stays] = await tx.sql.rows<{ total: number; open: number }>(
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE state IN ('reserved', 'checked_in'))::int AS open
      FROM stay WHERE hotel_id = $1 AND customer_id = $2::int`,
    id,
  );
  if (stays?.open) throw new DomainError("in_house");
  return { id, ...customer, stays: stays?.total ?? 0 };
}

/**
 * Removes a locked customer. `readers` is the number of card readers that were unassigned before. A customer with stays
 * keeps only the name, or `bookedName` instead of it.
 */
export async function removeCustomer(
  scope: Scope,
  tx: Transaction,
  { id, name, kind, stays }: LockedCustomer,
  readers: number,
  bookedName = name,
): Promise<void> {
  if (stays > 0) {
    const data = { deletedAt: scope.now(), name: bookedName, ...REMOVED_FIELDS };
    await tx.db.customer.updateMany({ where: { id }, data });
  } else {
    await tx.db.customer.deleteMany({ where: { id } });
  }
  const before = forAudit({ name, stays, readers }, kind);
  tx.audit({ action: "customer.remove", entity: "customer", entityId: id, before });
}
