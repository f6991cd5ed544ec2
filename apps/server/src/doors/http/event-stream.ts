import type { FastifyReply, FastifyRequest } from "fastify";
import { gauge } from "../../infra/metrics.ts";
import { becomesStream } from "./finished-requests.ts";

export interface StreamEvent {
  event: string;
  data: unknown;
}

export interface StreamOwner {
  /** or a program's key */
  session: string;
  operator: string;
  hotel: string;
}

export interface StreamSource {
  /** whose stream it is: of a session, of an operator and of a hotel so many are open, and a further one ends the oldest */
  owner: StreamOwner;
  /** sent at once, so that a desk that was away knows where things stand */
  first: StreamEvent;
  listen(send: (event: StreamEvent) => void): () => void;
  /** an event says all that those before it said: only the newest of several that wait is sent */
  newestOnly?: boolean;
  /** asked after every event and before it is sent, and at every heartbeat: a session that ended ends its streams */
  stillAllowed(): Promise<boolean>;
}

const HEARTBEAT_MS = 20_000;
/** how long a browser waits before it comes back */
const RETRY_MS = 1_000;
/** A reader that takes nothing for so long is let go; it comes back and asks anew. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** Events that wait for the check of their session; a stream that falls behind further ends, and comes back. */
const MAX_WAITING = 1_000;

const MAX_STREAMS: Readonly<Record<keyof StreamOwner, number>> = { session: 12, operator: 40, hotel: 500 };

const openStreams = gauge({ name: "event_streams_open", help: "Streams of events that somebody listens to" });

/** The open event streams (text/event-stream) of this server. */
export class EventStreams {
  readonly #open = new Map<() => void, StreamOwner>();

  open(request: FastifyRequest, reply: FastifyReply, source: StreamSource): void {
    const { raw } = reply;
    const write = (text: string): void => {
      raw.write(text);
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
    };
    const writeEvent = ({ event, data }: StreamEvent): void =>
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
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

    // One check at a time, for all that came before it began: a house where much happens asks no more than it is answered.
    let waiting: StreamEvent[] = [];
    let checking = false;
    const flush = (): void => {
      if (checking || waiting.length === 0) return;
      checking = true;
      const events = waiting;
      waiting = [];
      ifAllowed(() => {
        for (const event of events) writeEvent(event);
        checking = false;
        flush();
      });
    };
    // First, since it may refuse; what it tells is written later, after its check.
    const stop = source.listen((event) => {
      waiting = source.newestOnly ? [event] : [...waiting, event];
      if (waiting.length > MAX_WAITING) end();
      else flush();
    });
    const headers = reply.getHeaders() as Record<string, string | string[]>;
    reply.hijack();
    if (raw.destroyed) {
      stop();
      return;
    }
    becomesStream(request);
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
    writeEvent(source.first);
    const heartbeat = setInterval(() => ifAllowed(() => write(": still here\n\n")), HEARTBEAT_MS);
    this.#makeRoom(source.owner);
    this.#open.set(end, source.owner);
    raw.on("close", () => {
      openStreams.dec();
      clearInterval(heartbeat);
      stop();
      this.#open.delete(end);
    });
  }

  #makeRoom(owner: StreamOwner): void {
    for (const whose of ["session", "operator", "hotel"] as const) {
      const own = [...this.#open].filter(([, other]) => other[whose] === owner[whose]).map(([end]) => end);
      for (const end of own.slice(0, Math.max(0, own.length - MAX_STREAMS[whose] + 1))) end();
    }
  }

  /** Ends them all: the server stops. */
  close(): void {
    for (const end of this.#open.keys()) end();
  }
}
