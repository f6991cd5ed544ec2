import type { FastifyRequest } from "fastify";

const BEARER = /^Bearer +(ik_\S*) *$/i;

/**
 * Returns the API key of the request, or null without one; other bearer tokens may come from a proxy. Pages of other
 * sites can't make a browser send this header, and we ignore cookies when it is present, so such a request needs no
 * cross-site check.
 */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? "")?.[1] ?? null;
}
