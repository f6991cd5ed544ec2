import { openedActs } from "@innkey/shared/schemas/identity/staff";
import { listActs } from "../../../domain/identity/staff/acts.queries.ts";
import type {} from "../../http/route-contract.ts";
import { type Opened, router, withPermission } from "../trpc.ts";

interface Procedure {
  _def: { meta?: Opened };
}

/** What each permission opens, from what `procedures` and the REST routes say about themselves. */
export const permissionsRouter = (procedures: Readonly<Record<string, unknown>>) =>
  router({
    acts: withPermission("staff.view")
      .output(openedActs)
      .query(({ ctx }) => {
        const routes = [...ctx.request.server.contracts.values()].map((one) =>
          typeof one === "string" ? undefined : one.opens,
        );
        const opened = (Object.values(procedures) as Procedure[]).map(({ _def }) => _def.meta);
        return listActs(ctx.scope, [...opened, ...routes]);
      }),
  });
