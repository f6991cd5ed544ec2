import type { CustomerKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { CustomerInput } from "@innkey/shared/schemas/people";
import { changesOf, FREE_TEXTS, masked } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { maskedContact } from "../../identity/public.ts";

type CustomerRef = { id: number };

/** A company may be named for good; a person may ask to be forgotten, and is the entry's number. */
const PERSONAL: Record<CustomerKind, readonly string[]> = {
  person: [...FREE_TEXTS, "name", "company"],
  company: FREE_TEXTS,
};

/** As the journal keeps it: for good, while people may ask to be forgotten. */
function recorded(data: Readonly<Record<string, unknown>>, kind: CustomerKind): Record<string, unknown> {
  const contacts = (["mobile", "email"] as const).flatMap((name) => {
    const value = data[name];
    return typeof value === "string" ? [[name, maskedContact(value)]] : [];
  });
  return masked({ ...data, ...Object.fromEntries(contacts) }, PERSONAL[kind]);
}

/**
 * Creates a customer, or changes the one with `input.id`. Namesakes are allowed.
 * @throws no_permission, not_found (also for one who was removed)
 */
export async function save(scope: Scope, { id, ...data }: CustomerInput): Promise<CustomerRef> {
  scope.require("customers.manage");
  return scope.write(async (unit) => {
    if (id === undefined) {
      const [created] = await createCustomers(scope, unit, [data]);
      if (!created) throw new DomainError("internal");
      return created;
    }
    const before = await unit.db.customer.findFirst({ where: { id, removedAt: null } });
    if (!before) throw new DomainError("not_found");
    const changes = changesOf(before, data);
    if (changes) {
      const { count } = await unit.db.customer.updateMany({ where: { id, removedAt: null }, data });
      if (count === 0) throw new DomainError("not_found");
      const { before: was, after: is } = changes;
      unit.journal({
        action: "customer.update",
        entity: "customer",
        entityId: id,
        before: recorded(was, before.kind),
        after: recorded(is, data.kind),
      });
    }
    return { id };
  });
}

/** New customers, inside a write of more; the caller asked for customers.manage. Their ids, in order. */
export async function createCustomers(
  scope: Scope,
  unit: Unit,
  customers: readonly Omit<CustomerInput, "id">[],
): Promise<CustomerRef[]> {
  const created = await unit.db.customer.createManyAndReturn({
    data: customers.map((data) => ({ hotelId: scope.hotelId, ...data, createdAt: scope.now() })),
    select: { id: true },
  });
  for (const [at, { id }] of created.entries()) {
    const data = customers[at];
    if (!data) throw new DomainError("internal");
    unit.journal({ action: "customer.create", entity: "customer", entityId: id, after: recorded(data, data.kind) });
  }
  return created;
}

/**
 * Freezes or unfreezes: a frozen customer gets no new stays, those they have go on.
 * @throws no_permission, not_found; state_conflict if somebody did it before
 */
export async function freeze(scope: Scope, { id, frozen }: { id: number; frozen: boolean }): Promise<CustomerRef> {
  scope.require("customers.manage");
  return scope.write(async (unit) => {
    const { count } = await unit.db.customer.updateMany({
      where: { id, removedAt: null, frozenAt: frozen ? null : { not: null } },
      data: { frozenAt: frozen ? scope.now() : null },
    });
    if (count === 0) {
      const exists = await unit.db.customer.findFirst({ where: { id, removedAt: null }, select: { id: true } });
      throw new DomainError(exists ? "state_conflict" : "not_found");
    }
    unit.journal({ action: frozen ? "customer.freeze" : "customer.unfreeze", entity: "customer", entityId: id });
    return { id };
  });
}

/**
 * Removes a customer and takes their readers from them. Where stays were booked for them, the name stays on the books and
 * nothing else does. @throws no_permission, not_found; in_house while a stay of theirs is to come or goes on
 */
export async function remove(scope: Scope, id: number): Promise<CustomerRef> {
  scope.require("customers.manage");
  return scope.write(async (unit) => {
    // Against a booking at the same moment: it takes the row's share lock (stays/booking.ts).
    const [customer] = await unit.sql.rows<{ name: string; kind: CustomerKind }>(
      "SELECT name, kind FROM customer WHERE hotel_id = $1 AND id = $2::int AND removed_at IS NULL FOR UPDATE",
      id,
    );
    if (!customer) throw new DomainError("not_found");
    const [stays] = await unit.sql.rows<{ total: number; open: number }>(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE state IN ('reserved', 'checked_in'))::int AS open
        FROM stay WHERE hotel_id = $1 AND customer_id = $2::int`,
      id,
    );
    if (stays?.open) throw new DomainError("in_house");
    const readers = await unit.db.encoder.updateMany({ where: { customerId: id }, data: { customerId: null } });
    if (stays?.total) {
      const data = { removedAt: scope.now(), mobile: "", email: "", note: "" };
      await unit.db.customer.updateMany({ where: { id }, data });
    } else {
      await unit.db.customer.deleteMany({ where: { id } });
    }
    const { name, kind } = customer;
    const before = recorded({ name, stays: stays?.total ?? 0, readers: readers.count }, kind);
    unit.journal({ action: "customer.remove", entity: "customer", entityId: id, before });
    return { id };
  });
}
