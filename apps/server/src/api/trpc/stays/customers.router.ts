import * as s from "@innkey/shared/schemas/stays/customers";
import * as c from "@innkey/shared/schemas/stays/customers";
import { removeCustomer } from "../../../domain/desk/public.ts";
import * as queries from "../../../domain/overview/customers.queries.ts";
import * as customers from "../../../domain/stays/customers/customers.service.ts";
import { router, withPermission } from "../trpc.ts";

export const customersRouter = router({
  list: withPermission("customers.view")
    .input(s.customerListInput)
    .output(s.customerListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  detail: withPermission("customers.view")
    .input(c.customerIdInput)
    .output(c.customerDetail)
    .query(({ ctx, input }) => queries.detail(ctx.scope, input.id)),
  stays: withPermission("customers.view")
    .input(c.customerStaysInput)
    .output(c.customerStays)
    .query(({ ctx, input }) => queries.stays(ctx.scope, input)),
  save: withPermission("customers.manage", "saveCustomer")
    .input(s.customerInput)
    .output(s.customerRef)
    .mutation(({ ctx, input }) => customers.save(ctx.scope, input)),
  freeze: withPermission("customers.manage", "freezeCustomer")
    .input(s.freezeCustomerInput)
    .output(s.customerRef)
    .mutation(({ ctx, input }) => customers.freeze(ctx.scope, input)),
  remove: withPermission("customers.manage", "removeCustomer")
    .input(c.customerIdInput)
    .output(s.customerRef)
    .mutation(({ ctx, input }) => removeCustomer(ctx.scope, input.id)),
});
