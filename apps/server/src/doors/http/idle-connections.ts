import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type StrangerLimits, StrangerSockets } from "../../infra/stranger-sockets.ts";

/** A tenth of the descriptors that a process commonly has. */
const MAX_CONNECTIONS = 5_000;
/** Those with nothing in work; a desk's browser has six. */
const IDLE: StrangerLimits = { all: 2_000, perNetwork: 200 };
/** The answer tells the client this time, and Node waits a second longer, so that no request meets a closed connection. */
const KEEP_ALIVE_MS = 10_000;
/** A proxy must be the one that ends a connection, or it sends a request into its end: Caddy does after 2 minutes, nginx after 1. */
const PROXY_KEEP_ALIVE_MS = 130_000;

export const keepAliveMs = (trustProxy: boolean): number => (trustProxy ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS);

/**
 * A connection is idle until a whole request has come, and again after its answer. Of those that are, the oldest make room
 * for new ones. Behind a proxy all connections are that one's.
 */
export function limitConnections(server: Server, trustProxy: boolean, limits: StrangerLimits = IDLE): void {
  server.maxConnections = MAX_CONNECTIONS;
  const idle = new StrangerSockets(trustProxy ? { ...limits, perNetwork: Number.POSITIVE_INFINITY } : limits);
  const inWork = new WeakMap<Socket, number>();
  server.on("connection", (socket: Socket) => idle.add(socket));
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    let [begun, ended] = [false, false];
    const begin = (): void => {
      // Answered before the whole body came.
      if (ended) return;
      begun = true;
      inWork.set(socket, (inWork.get(socket) ?? 0) + 1);
      idle.remove(socket);
    };
    // Also where the connection ends before the answer.
    response.once("close", () => {
      ended = true;
      if (!begun) return;
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
