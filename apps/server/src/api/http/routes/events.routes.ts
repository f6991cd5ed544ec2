import { type ConsoleEvent, consoleEvent } from "@innkey/shared/schemas/overview/events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gauge } from "../../../adapters/telemetry/metrics.ts";
import { queueEvent, seesSameEvents } from "../../../domain/overview/console-feed.ts";
import type { Services } from "../../../domain/services.ts";
import type { RequestContext } from "../../trpc/trpc.ts";
import { requestContext, signedInCaller } from "../request-context.ts";
import { markAsStream } from "../request-telemetry.ts";
import { registerRoute } from "../route-contract.ts";

interface StreamEvent {
  event: string;
  data: unknown;
}

interface StreamOwner {
  /** Session id, or `key:` with the id of an API key */
  session: string;
  operator: string;
  hotel: string;
}

interface StreamSource<Event extends StreamEvent> {
  /**
   * Owner of the stream. The number of open streams per session, operator and hotel is limited; a further one closes
   * the oldest.
   */
  owner: StreamOwner;
  /** Sent at once, so that a desk that reconnects gets the current state */
  first: Event | null;
  listen(send: (event: Event) => void): () => void;
  /** Returns the waiting events with one more, so that a slow reader gets few. */
  queue(waiting: Event[], event: Event): Event[];
  /** Checked before waiting events are sent and at every heartbeat, so that the streams of an ended session end */
  stillAllowed(): Promise<boolean>;
}

const HEARTBEAT_MS = 20_000;
/** Delay before a browser reconnects */
const RETRY_MS = 1_000;
/** We disconnect a reader with more unread bytes than this. It reconnects and gets the current state. */
const MAX_UNREAD_BYTES = 64 * 1024;

const MAX_STREAMS: Readonly<Record<keyof StreamOwner, number>> = { session: 12, operator: 40, hotel: 500 };

const openStreams = gauge({ name: "event_streams_open", help: "Open event streams" });

/** The open event streams (text/event-stream) of this server. */
class EventStreams<Event extends StreamEvent> {
  readonly #open = new Map<() => void, StreamOwner>();

  open(request: FastifyRequest, reply: FastifyReply, source: StreamSource<Event>): void {
    const { raw } = reply;
    const write = (text: string): void => {
      raw.write(text);
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
    };
    const writeEvent = ({ event, data }: Event): void => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    const end = (): void => {
      raw.end();
    };
    const ifAllowed = (then: () => void): void => {
      source.stillAllowed().then(
        (allowed) => (raw.writableEnded ? undefined : allowed ? then() : end()),
        (error: unknown) => {
          request.log.warn({ err: error }, "an event stream ends: its session can't be checked");
          end();
        },
      );
    };

    // We run one session check at a time, for all events that arrived before it, so a busy hotel never has more than one
    // check in progress per stream.
    let waiting: Event[] = [];
    let isChecking = false;
    const flush = (): void => {
      if (isChecking || waiting.length === 0) return;
      isChecking = true;
      const events = waiting;
      waiting = [];
      ifAllowed(() => {
        for (const event of events) writeEvent(event);
        isChecking = false;
        flush();
      });
    };
    // We subscribe first, because it may be refused. Events are written later, after their check.
    const stop = source.listen((event) => {
      waiting = source.queue(waiting, event);
      flush();
    });
    const headers = reply.getHeaders() as Record<string, string | string[]>;
    reply.hijack();
    if (raw.destroyed) {
      stop();
      return;
    }
    markAsStream(request);
    openStreams.inc();
    request.raw.socket.setTimeout(0);
    request.raw.socket.setNoDelay(true);
    raw.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    write(`retry: ${RETRY_MS}\n\n`);
    if (source.first) writeEvent(source.first);
    const heartbeat = setInterval(() => ifAllowed(() => write(": still here\n\n")), HEARTBEAT_MS);
    this.#closeOldest(source.owner);
    this.#open.set(end, source.owner);
    raw.on("close", () => {
      openStreams.dec();
      clearInterval(heartbeat);
      stop();
      this.#open.delete(end);
    });
  }

  #closeOldest(owner: StreamOwner): void {
    for (const level of ["session", "operator", "hotel"] as const) {
      const own = [...this.#open].filter(([, other]) => other[level] === owner[level]).map(([end]) => end);
      for (const end of own.slice(0, Math.max(0, own.length - MAX_STREAMS[level] + 1))) end();
    }
  }

  /** Ends all streams, because the server stops. */
  close(): void {
    for (const end of this.#open.keys()) end();
  }
}

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

/** Returns the owner under whom the request's streams are counted. */
function ownerOf({ sessionId, scope }: RequestContext): StreamOwner {
  const program = `key:${scope?.actor.id ?? ""}`;
  const operator = scope?.operatorId ?? null;
  return {
    session: sessionId ?? program,
    operator: operator === null ? program : String(operator),
    hotel: String(scope?.hotelId ?? ""),
  };
}
