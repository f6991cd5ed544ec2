import * as s from "@innkey/shared/schemas/hotel";
import * as queries from "../../modules/hotels/hotels.queries.ts";
import * as hotels from "../../modules/hotels/hotels.service.ts";
import { router, signedIn } from "./trpc.ts";

export const hotelRouter = router({
  get: signedIn.output(s.hotelOutput).query(({ ctx }) => queries.get(ctx.scope)),
  update: signedIn
    .input(s.hotelInput)
    .output(s.hotelOutput)
    .mutation(({ ctx, input }) => hotels.update(ctx.scope, input)),
});
