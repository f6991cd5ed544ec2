import type { FastifyRequest } from "fastify";

const BEARER = /^Bearer +(ik_\S*) *$/i;

/**
 * The key that a program shows, null where there is none: other bearers are some proxy's. A page of another site can't make a browser send this header, and
 * with it no cookie counts: such a request is nobody's but its sender's.
 */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? "")?.[1] ?? null;
}
