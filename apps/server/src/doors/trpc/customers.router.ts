import * as s from "@innkey/shared/schemas/people";
import * as queries from "../../modules/customers/customers.queries.ts";
import * as customers from "../../modules/customers/customers.service.ts";
import { router, signedIn } from "./trpc.ts";

export const customersRouter = router({
  list: signedIn
    .input(s.customerListInput)
    .output(s.customerListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  save: signedIn
    .input(s.customerInput)
    .output(s.customerRef)
    .mutation(({ ctx, input }) => customers.save(ctx.scope, input)),
  freeze: signedIn
    .input(s.freezeCustomerInput)
    .output(s.customerRef)
    .mutation(({ ctx, input }) => customers.freeze(ctx.scope, input)),
});
