import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OpenSpan } from "../../adapters/telemetry/span.ts";
import { activeTracing } from "../../adapters/telemetry/tracing.ts";
import { methodOf, routeOf } from "./request-route.ts";

declare module "fastify" {
  interface FastifyRequest {
    span: OpenSpan | null;
  }
}

/**
 * Creates a span for each request if tracing is on. A caller's trace id counts only from a trusted proxy, because
 * otherwise anyone could add to a foreign trace.
 */
export function registerTracedRequests(app: FastifyInstance, trustProxy: boolean): void {
  const tracing = activeTracing();
  if (!tracing) return;
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, reply, done) => {
    const method = methodOf(request);
    const route = routeOf(request);
    const span = tracing.open("server", `${method} ${route}`, factsOf(request, method, route), {
      parent: trustProxy ? firstOf(request.headers.traceparent) : undefined,
    });
    request.span = span;
    reply.raw.once("close", () => {
      const status = reply.raw.statusCode;
      span.end({ "http.response.status_code": status, "innkey.hotel.id": request.caller?.hotelId }, status >= 500);
    });
    span.within(done);
  });
  // The body is read in socket events, which lose the request's async context.
  app.addHook("preValidation", (request, _reply, done) => (request.span ? request.span.within(done) : done()));
}

const factsOf = (request: FastifyRequest, method: string, route: string) => ({
  "http.request.method": method,
  "http.route": route,
  "innkey.request.id": request.id,
});

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
