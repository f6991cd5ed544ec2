import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type StrangerLimits, StrangerSockets } from "../../adapters/mqtt/stranger-sockets.ts";

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

export const keepAliveMs = (trustProxy: boolean): number => (trustProxy ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS);

/**
 * Limits idle connections; a new one closes the oldest. A connection is idle until a whole request has arrived, and
 * again after its answer. Behind a proxy there is no limit per network, because all connections come from the proxy.
 */
export function limitConnections(server: Server, trustProxy: boolean, limits: StrangerLimits = IDLE): void {
  server.maxConnections = MAX_CONNECTIONS;
  const idle = new StrangerSockets(trustProxy ? { ...limits, perNetwork: Number.POSITIVE_INFINITY } : limits);
  const inWork = new WeakMap<Socket, number>();
  server.on("connection", (socket: Socket) => idle.add(socket));
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    let [hasStarted, ended] = [false, false];
    const begin = (): void => {
      // The answer was sent before the whole body arrived.
      if (ended) return;
      hasStarted = true;
      inWork.set(socket, (inWork.get(socket) ?? 0) + 1);
      idle.remove(socket);
    };
    // This event also fires if the connection ends before the answer.
    response.once("close", () => {
      ended = true;
      if (!hasStarted) return;
      const left = (inWork.get(socket) ?? 1) - 1;
      inWork.set(socket, left);
      if (left === 0 && !socket.destroyed) idle.add(socket);
    });
    if (hasBody(request)) request.once("end", begin);
    else begin();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
