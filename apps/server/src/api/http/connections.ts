import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { type StrangerLimits, StrangerSockets } from "../../adapters/mqtt/broker-limits.ts";

/** A tenth of the usual limit of file descriptors per process. */
const MAX_CONNECTIONS = 5_000;
/** Limits of idle connections; one browser opens up to six. */
const IDLE: StrangerLimits = { all: 2_000, perNetwork: 200 };
/** The answer announces this time. Node waits one second longer, so that no request meets a closed connection. */
const KEEP_ALIVE_MS = 10_000;
/**
 * Behind a proxy, the proxy must close connections first, or it may send a request into a closing one. Caddy closes
 * after 2 minutes, nginx after 1.
 */
const PROXY_KEEP_ALIVE_MS = 130_000;

/** Interval of the check for clients that don't read their answers. */
const SLOW_CHECK_MS = 2_000;
/** Browsers and proxies send one request at a time on a connection. */
const MAX_UNANSWERED = 8;

export const keepAliveMs = (trustProxy: boolean): number => (trustProxy ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS);

/**
 * Limits idle connections; a new one closes the oldest. A connection is idle until a whole request has arrived, and
 * again after its answer. One whose client reads its answer slowly counts as idle meanwhile, so that clients that don't
 * read can't occupy all connections. One on which too many requests wait for their answers is closed. Behind a proxy
 * there is no limit per network, because all connections come from the proxy. Call it after the server got its handler.
 */
export function limitConnections(
  server: Server,
  trustProxy: boolean,
  limits: StrangerLimits = IDLE,
  slowCheckMs = SLOW_CHECK_MS,
): void {
  server.maxConnections = MAX_CONNECTIONS;
  const idle = new StrangerSockets(trustProxy ? { ...limits, perNetwork: Number.POSITIVE_INFINITY } : limits);
  const answers = new UnfinishedAnswers();
  const findSlowReaders = (): void => {
    for (const socket of answers.sockets()) {
      if (!answers.isInProgress(socket)) continue;
      const isSlow = socket.writableLength > 0;
      if (isSlow && !idle.has(socket)) idle.add(socket);
      else if (!isSlow) idle.remove(socket);
    }
  };
  const check = setInterval(findSlowReaders, slowCheckMs).unref();
  server.on("close", () => clearInterval(check));
  // All connections are occupied.
  server.on("drop", findSlowReaders);
  server.on("connection", (socket: Socket) => {
    idle.add(socket);
    // Node notifies only one of the answers itself, after this event.
    socket.once("close", () => setImmediate(() => answers.endAll(socket)));
  });

  const handlers = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Node continues to parse requests already buffered on the socket.
    if (socket.destroyed) return;
    if (answers.count(socket) >= MAX_UNANSWERED) {
      socket.destroy();
      return;
    }
    answers.add(socket, response);
    const begin = (): void => {
      // The answer may have been sent before the whole body arrived.
      if (answers.begin(socket, response)) idle.remove(socket);
    };
    // This event also fires if the connection ends before the answer.
    response.once("close", () => {
      const wasInProgress = answers.isInProgress(socket);
      answers.remove(socket, response);
      if (wasInProgress && !answers.isInProgress(socket) && !socket.destroyed) idle.add(socket);
    });
    if (hasBody(request)) request.once("end", begin);
    else begin();
    for (const handle of handlers) handle(request, response);
  });
}

/** Answers that are not sent yet, by connection, and whether their requests have arrived completely. */
class UnfinishedAnswers {
  readonly #answers = new Map<Socket, Map<ServerResponse, boolean>>();

  sockets(): Iterable<Socket> {
    return this.#answers.keys();
  }

  count(socket: Socket): number {
    return this.#answers.get(socket)?.size ?? 0;
  }

  isInProgress(socket: Socket): boolean {
    return [...(this.#answers.get(socket)?.values() ?? [])].includes(true);
  }

  add(socket: Socket, response: ServerResponse): void {
    this.#answers.set(socket, (this.#answers.get(socket) ?? new Map<ServerResponse, boolean>()).set(response, false));
  }

  /** Notes that the request has arrived completely. Returns false if its answer was already sent. */
  begin(socket: Socket, response: ServerResponse): boolean {
    const answers = this.#answers.get(socket);
    if (!answers?.has(response)) return false;
    answers.set(response, true);
    return true;
  }

  remove(socket: Socket, response: ServerResponse): void {
    const answers = this.#answers.get(socket);
    answers?.delete(response);
    if (answers?.size === 0) this.#answers.delete(socket);
  }

  /**
   * Ends all answers of a closed connection. Node notifies only the one that is being sent; without this, the
   * waiting ones would never free their memory and files.
   */
  endAll(socket: Socket): void {
    const answers = [...(this.#answers.get(socket)?.keys() ?? [])];
    this.#answers.delete(socket);
    for (const answer of answers) {
      answer.destroy();
      answer.emit("close");
    }
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

declare module "fastify" {
  interface FastifyInstance {
    draining: { started: boolean };
  }
}

/** Time that requests in progress may take after the server stops; then their connections are closed. */
export const IN_FLIGHT_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** While the server drains, answers close their connections, so that clients send their next request elsewhere. */
export function registerDraining(app: FastifyInstance): void {
  const draining = { started: false };
  app.decorate("draining", draining);
  app.addHook("onSend", async (_request, reply) => {
    if (draining.started) reply.header("connection", "close");
  });
}

/**
 * Reports "not ready" at once, serves requests for `seconds` until load balancers have noticed, then finishes the
 * requests in progress. Event streams end, so that their readers reconnect elsewhere.
 */
export async function drainAndClose(app: FastifyInstance, seconds: number): Promise<void> {
  app.draining.started = true;
  if (seconds > 0) await delay(seconds * 1000);
  // A connection becomes idle after its last answer. We close those ourselves, because the server would wait for the
  // client to close them.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const late = setTimeout(() => app.server.closeAllConnections(), IN_FLIGHT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(late);
  }
}
