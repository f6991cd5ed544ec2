import type { ConsoleEvent } from "@innkey/shared/schemas/overview/events";
import type { FastifyInstance } from "fastify";
import { merged } from "../../../domain/overview/events/console-feed.ts";
import type { Services } from "../../../domain/services.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { callerScope } from "../../trpc/context.ts";
import { EventStreams } from "../event-stream.ts";
import { ownerOf, requestContext } from "../request-context.ts";

/** Registers the console's one stream of events: what changed in the hotel, as server-sent events. */
export function registerEventRoutes(app: FastifyInstance, services: Services): void {
  const streams = new EventStreams<ConsoleEvent>();
  app.addHook("preClose", async () => streams.close());

  app.get("/api/events", async (request, reply) => {
    const context = await requestContext(request, reply);
    const scope = callerScope(context);
    const { boardVersion } = context;
    streams.open(request, reply, {
      owner: ownerOf(context),
      first: scope.can("rooms.view") ? { event: "board", data: { version: boardVersion } } : null,
      queue: withEvent,
      listen: (send) =>
        services.consoleFeed.watch(scope, (events) => {
          for (const event of events) send(event);
        }),
      stillAllowed: async () => {
        const { scope: now } = await requestContext(request, reply, false);
        return now !== null && viewOf(now) === viewOf(scope);
      },
    });
  });
}

/** Of each kind one event waits, so that a slow reader gets the newest state and nothing twice. */
function withEvent(waiting: ConsoleEvent[], event: ConsoleEvent): ConsoleEvent[] {
  const earlier = waiting.find((other) => other.event === event.event);
  return [...waiting.filter((other) => other !== earlier), earlier ? merged(earlier, event) : event];
}

/** Returns what the caller may see as a text. A stream ends when it changes, and the browser reconnects. */
const viewOf = ({ hotelId, roomIds, actor }: Scope): string =>
  JSON.stringify([hotelId, roomIds?.toSorted((a, b) => a - b), [...actor.capabilities].sort(), actor.apiKeyAuth]);
