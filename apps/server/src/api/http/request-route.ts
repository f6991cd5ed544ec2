import type { FastifyRequest } from "fastify";
import { appRouter } from "../trpc/router.ts";

export const TRPC_PREFIX = "/api/trpc";

const PROCEDURES: ReadonlySet<string> = new Set(Object.keys(appRouter._def.procedures));
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns the request's route from a fixed set of names, so that clients can't add measures. */
export function routeOf({ is404, routeOptions, params }: FastifyRequest): string {
  const { url } = routeOptions;
  if (is404 || url === undefined) return "(none)";
  if (!url.startsWith(`${TRPC_PREFIX}/:`)) return url;
  const { path = "" } = params as { path?: string };
  if (path.includes(",")) return `${TRPC_PREFIX}/(several)`;
  return `${TRPC_PREFIX}/${PROCEDURES.has(path) ? path : "(none)"}`;
}

/** Returns the method from a fixed set, because clients may invent methods. */
export const methodOf = ({ method }: FastifyRequest): string => (METHODS.has(method) ? method : "(other)");
