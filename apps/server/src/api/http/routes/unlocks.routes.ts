import { id } from "@innkey/shared/schemas/fields";
import { unlockRecordsInput } from "@innkey/shared/schemas/unlocks";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { list } from "../../../domain/access/unlocks/unlocks.queries.ts";
import type { Services } from "../../../domain/services.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { callerScope } from "../../trpc/context.ts";
import { EventStreams, type StreamOwner } from "../event-stream.ts";
import { ownerOf, requestContext } from "../request-context.ts";

const number = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);
const watched = z.object({ roomId: number.pipe(id).nullable().default(null) });
/** `unlockRecordsInput` as a query string. */
const query = z
  .object({ limit: number, success: z.enum(["true", "false"]).transform((value) => value === "true") })
  .partial()
  .catchall(z.string());

/** Registers a room's unlock records, outside tRPC because they are read very often, and live events of doors. */
export function registerUnlockRoutes(app: FastifyInstance, services: Services): void {
  const streams = new EventStreams();
  app.addHook("preClose", async () => streams.close());

  app.get<{ Params: { roomId: string } }>("/api/rooms/:roomId/unlocks", async (request, reply) => {
    const { scope } = await doorCaller(request, reply);
    const roomId = number.safeParse(request.params.roomId).data ?? 0;
    const input = unlockRecordsInput.parse({ ...query.parse(request.query), roomId });
    reply.header("cache-control", "private, no-store");
    return list(scope, input);
  });

  app.get("/api/unlocks/events", async (request, reply) => {
    const { scope, owner } = await doorCaller(request, reply);
    const { roomId } = watched.parse(request.query);
    streams.open(request, reply, {
      owner,
      first: { event: "unlocks", data: { roomIds: [] } },
      listen: (send) => services.doors.watch(scope, roomId, send),
      stillAllowed: async () => {
        const { scope: now } = await requestContext(request, reply, false);
        return now !== null && viewOf(now) === viewOf(scope);
      },
    });
  });
}

/** Returns what the caller may see as a text. A stream ends when it changes, and the browser reconnects. */
const viewOf = (scope: Scope): string =>
  JSON.stringify([
    scope.hotelId,
    scope.roomIds?.toSorted((a, b) => a - b),
    scope.can("unlocks.view"),
    scope.can("messages.view"),
  ]);

async function doorCaller(request: FastifyRequest, reply: FastifyReply): Promise<{ scope: Scope; owner: StreamOwner }> {
  const context = await requestContext(request, reply);
  return { scope: callerScope(context), owner: ownerOf(context) };
}
