import { DomainError } from "@innkey/shared/errors";
import type { CustomerDetail, customerStays } from "@innkey/shared/schemas/customers";
import type { CustomerListInput, CustomerListOutput } from "@innkey/shared/schemas/people";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../kernel/hotel-database.ts";
import type { Scope } from "../../kernel/scope.ts";
import { CARDS, DETAIL, listSql, READERS, STAYS } from "./customers.sql.ts";

/** Returns the statement of the list; without a page it selects everything that matches. */
export function customerListQuery(
  scope: Scope,
  input: Omit<CustomerListInput, "page" | "pageSize">,
  page?: Paging,
): HotelQuery {
  const { keyword, kind, frozen, sort } = input;
  const pattern = `%${keyword.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return {
    text: listSql(sort),
    values: [keyword, pattern, kind ?? null, frozen ?? null, ...limits(page), scope.now(), scope.roomIds],
  };
}

/**
 * Returns one page of the active customers whose name, company, phone or mail contains the keyword literally.
 * @throws no_permission
 */
export async function list(scope: Scope, input: CustomerListInput): Promise<CustomerListOutput> {
  scope.require("customers.view");
  const { text, values } = customerListQuery(scope, input, input);
  const [row] = await scope.sql.rows<CustomerListOutput>(text, ...values);
  return row ?? { rows: [], total: 0 };
}

/**
 * Returns one customer with their cards and readers, and the amount owed. Includes only stays in the caller's rooms.
 * @throws no_permission, not_found
 */
export async function detail(scope: Scope, id: number): Promise<CustomerDetail> {
  scope.require("customers.view");
  const [customer] = await scope.sql.rows<Omit<CustomerDetail, "cards" | "readers">>(DETAIL, id, scope.roomIds);
  if (!customer) throw new DomainError("not_found");
  const now = scope.now();
  const stays = scope.can("stays.view");
  return {
    ...customer,
    balanceMinor: stays ? customer.balanceMinor : null,
    cards: stays && scope.can("cards.view") ? await scope.sql.rows(CARDS, id, scope.roomIds, now) : null,
    readers: scope.can("encoders.view") ? await scope.sql.rows(READERS, id, now) : null,
  };
}

type Stays = z.infer<typeof customerStays>;

/**
 * Returns a page of the customer's stays in the caller's rooms, latest arrival first. @throws no_permission, not_found
 */
export async function stays(
  scope: Scope,
  { customerId, page, pageSize }: { customerId: number; page: number; pageSize: number },
): Promise<Stays> {
  scope.require("customers.view");
  scope.require("stays.view");
  const [row] = await scope.sql.rows<Stays>(
    STAYS,
    customerId,
    scope.roomIds,
    scope.now(),
    pageSize,
    (page - 1) * pageSize,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}
