import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pathWithoutSecrets } from "../../adapters/telemetry/logger.ts";
import { counter, gauge, histogram } from "../../adapters/telemetry/metrics.ts";
import type { OpenSpan } from "../../adapters/telemetry/otlp-tracing.ts";
import { activeTracing } from "../../adapters/telemetry/tracing.ts";
import { appRouter } from "../trpc/router.ts";

export const TRPC_PREFIX = "/api/trpc";

const PROCEDURES: ReadonlySet<string> = new Set(Object.keys(appRouter._def.procedures));
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns the request's route from a fixed set of names, so that clients can't add measures. */
function routeOf({ is404, routeOptions, params }: FastifyRequest): string {
  const { url } = routeOptions;
  if (is404 || url === undefined) return "(none)";
  if (!url.startsWith(`${TRPC_PREFIX}/:`)) return url;
  const { path = "" } = params as { path?: string };
  if (path.includes(",")) return `${TRPC_PREFIX}/(several)`;
  return `${TRPC_PREFIX}/${PROCEDURES.has(path) ? path : "(none)"}`;
}

/** Returns the method from a fixed set, because clients may invent methods. */
const methodOf = ({ method }: FastifyRequest): string => (METHODS.has(method) ? method : "(other)");

declare module "fastify" {
  interface FastifyRequest {
    /** The caller, once resolved */
    caller: { hotelId: number; operatorId: number | null } | null;
    /** Whether the request has become an event stream, which stays open as long as its reader */
    isStream: boolean;
  }
}

/** In seconds. */
const DURATION_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 40];
const MAX_PATH = 200;
/** Status of requests whose client disconnected before the answer was complete; source: nginx, ngx_http_request.h. */
const CLIENT_CLOSED_REQUEST = 499;
/** Paths that monitoring requests every few seconds; they are not logged. */
const PROBE_ROUTES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

const duration = histogram(
  {
    name: "http_request_duration_seconds",
    help: "Time from request headers to end of response, without event streams",
    labels: ["method", "route", "status"],
  },
  DURATION_BUCKETS,
);
const inFlight = gauge({ name: "http_requests_in_flight", help: "Requests in progress, without event streams" });
const streams = counter({ name: "event_streams_ended_total", help: "Event streams that ended" });

/** Logs and measures every finished request. Neither contains queries or names. */
export function registerFinishedRequests(app: FastifyInstance): void {
  app.decorateRequest("caller", null);
  app.decorateRequest("isStream", false);
  app.addHook("onRequest", (request, reply, done) => {
    const startedAt = performance.now();
    inFlight.inc();
    reply.raw.once("close", () => finish(request, reply, performance.now() - startedAt));
    done();
  });
}

/** Marks a request as an event stream. */
export function markAsStream(request: FastifyRequest): void {
  request.isStream = true;
  inFlight.dec();
}

function finish(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const route = routeOf(request);
  const status = reply.raw.writableEnded || request.isStream ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST;
  if (request.isStream) {
    streams.inc();
  } else {
    inFlight.dec();
    duration.observe({ method: methodOf(request), route, status }, ms / 1000);
  }
  const { method, ip: address, caller } = request;
  const path = pathOf(request, route).slice(0, MAX_PATH);
  const line = { method, route, path, status, ms: Math.round(ms * 10) / 10, address, ...caller };
  request.log[PROBE_ROUTES.has(route) ? "debug" : "info"](line, "request");
}

/**
 * Returns the path for the log: the route if the path contains a secret. A path that no route describes may be the
 * address of one that does, with a slash too many or another method.
 */
function pathOf({ url, is404, routeOptions }: FastifyRequest, route: string): string {
  const { contract } = routeOptions.config;
  if (typeof contract === "object" && contract.hasSecretPath) return route;
  return is404 || route.endsWith("*") ? pathWithoutSecrets(url) : (url.split("?")[0] ?? "");
}

declare module "fastify" {
  interface FastifyRequest {
    /** Null if tracing is off */
    span: OpenSpan | null;
  }
}

/**
 * Creates a span for each request if tracing is on. A caller's trace id counts only from a trusted proxy, because
 * otherwise anyone could add to a foreign trace.
 */
export function registerTracedRequests(app: FastifyInstance, acceptsIds: boolean): void {
  const tracing = activeTracing();
  if (!tracing) return;
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, reply, done) => {
    const method = methodOf(request);
    const route = routeOf(request);
    const span = tracing.open("server", `${method} ${route}`, attributesOf(request, method, route), {
      parent: acceptsIds ? firstOf(request.headers.traceparent) : undefined,
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

const attributesOf = (request: FastifyRequest, method: string, route: string) => ({
  "http.request.method": method,
  "http.route": route,
  "innkey.request.id": request.id,
});

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
