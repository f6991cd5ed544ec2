import { type ConsoleEvent, consoleEvent } from "@innkey/shared/schemas/overview/events";
import type { FastifyInstance } from "fastify";
import { merged } from "../../../domain/overview/console-feed.ts";
import type { Services } from "../../../domain/services.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { EventStreams } from "../event-stream.ts";
import { ownerOf, requestContext, signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const EVENTS = {
  method: "GET",
  url: "/api/events",
  answers: { 200: { contentTypes: ["text/event-stream"], says: consoleEvent } },
} as const;

/** Registers the console's one stream of events: what changed in the hotel, as server-sent events. */
export function registerEventRoutes(app: FastifyInstance, services: Services): void {
  const streams = new EventStreams<ConsoleEvent>();
  app.addHook("preClose", async () => streams.close());

  registerRoute(app, EVENTS, {
    authenticate: signedInCaller,
    async handle({ caller: { scope, context }, request, reply }) {
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
      return reply;
    },
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
