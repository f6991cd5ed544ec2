import { unlockRecordsInput } from "@innkey/shared/schemas/access/unlocks";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { list } from "../../../domain/access/unlocks/unlocks.queries.ts";
import { callerScope } from "../../trpc/context.ts";
import { requestContext } from "../request-context.ts";

const number = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);
/** `unlockRecordsInput` as a query string. */
const query = z
  .object({ limit: number, success: z.enum(["true", "false"]).transform((value) => value === "true") })
  .partial()
  .catchall(z.string());

/** Registers a room's unlock records, outside tRPC because they are read very often. */
export function registerUnlockRoutes(app: FastifyInstance): void {
  app.get<{ Params: { roomId: string } }>("/api/rooms/:roomId/unlocks", async (request, reply) => {
    const scope = callerScope(await requestContext(request, reply));
    const roomId = number.safeParse(request.params.roomId).data ?? 0;
    const input = unlockRecordsInput.parse({ ...query.parse(request.query), roomId });
    reply.header("cache-control", "private, no-store");
    return list(scope, input);
  });
}
