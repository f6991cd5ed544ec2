import * as s from "@innkey/shared/schemas/orders";
import * as queries from "../../modules/orders/orders.queries.ts";
import * as orders from "../../modules/orders/orders.service.ts";
import { router, signedIn } from "./trpc.ts";

export const ordersRouter = router({
  list: signedIn
    .input(s.orderListInput)
    .output(s.orderListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  pay: signedIn
    .input(s.payInput)
    .output(s.orderDone)
    .mutation(({ ctx, input }) => orders.pay(ctx.scope, input)),
  refund: signedIn
    .input(s.refundInput)
    .output(s.orderDone)
    .mutation(({ ctx, input }) => orders.refund(ctx.scope, input)),
});
