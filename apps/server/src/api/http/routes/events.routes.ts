import { type ConsoleEvent, consoleEvent } from "@innkey/shared/schemas/overview/events";
import type { FastifyInstance } from "fastify";
import { queueEvent, seesSameEvents } from "../../../domain/overview/console-feed.ts";
import type { Services } from "../../../domain/services.ts";
import { EventStreams } from "../event-stream.ts";
import { ownerOf, requestContext, signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const EVENTS = {
  method: "GET",
  url: "/api/events",
  answers: { 200: { contentTypes: ["text/event-stream"], jsonSchema: consoleEvent } },
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
        first: services.consoleFeed.firstEvent(scope, boardVersion),
        queue: queueEvent,
        listen: (send) =>
          services.consoleFeed.watch(scope, (events) => {
            for (const event of events) send(event);
          }),
        stillAllowed: async () => {
          const { scope: currentScope } = await requestContext(request, reply, false);
          return currentScope !== null && seesSameEvents(currentScope, scope);
        },
      });
      return reply;
    },
  });
}
