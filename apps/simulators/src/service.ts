import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A service that can be started and stopped. Port 0 takes any free port and keeps it from then on. */
export interface Service {
  readonly port: number;
  up(): Promise<void>;
  down(): Promise<void>;
}

const MAX_BODY_CHARACTERS = 100_000;

/** A server that listens on this computer only and can be stopped and restarted, as when someone closes the program. */
export function serviceOn(port: number, build: () => Server): Service {
  let server: Server | undefined;
  let boundPort = port;
  const sockets = new Set<Socket>();
  return {
    get port() {
      return boundPort;
    },
    async up() {
      if (server) return;
      const newServer = build();
      newServer.on("connection", (socket: Socket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
      });
      await new Promise<void>((resolve, reject) => {
        newServer.once("error", reject);
        newServer.listen(boundPort, "localhost", resolve);
      });
      boundPort = (newServer.address() as AddressInfo).port;
      server = newServer;
    },
    async down() {
      const running = server;
      server = undefined;
      if (!running) return;
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => running.close(resolve));
    },
  };
}

/** Sends the CORS headers, also for the preflight, so that pages of other origins may call the service. */
export function allowPages(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", request.headers.origin ?? "*");
  response.setHeader("access-control-allow-methods", "GET, POST, PUT, OPTIONS");
  response.setHeader(
    "access-control-allow-headers",
    request.headers["access-control-request-headers"] ?? "content-type",
  );
  response.setHeader("access-control-max-age", "600");
  response.setHeader("vary", "origin");
}

export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_BODY_CHARACTERS) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Creates a server that answers JSON only. If a handler throws, it answers 500 and keeps running. */
export function jsonServer(handle: Handle): Server {
  return createServer((request, response) => {
    allowPages(request, response);
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    handle(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
