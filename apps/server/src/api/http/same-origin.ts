import { DomainError } from "@innkey/shared/errors";
import type { FastifyRequest } from "fastify";
import { bearerOf } from "./request-context.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const FROM_HERE = new Set(["same-origin", "none"]);

/**
 * Refuses writes that another site made the browser send. They need the header `x-innkey: 1`, which forms can't send
 * and foreign scripts may not. If the browser names the origin, it must be ours; browsers always do so for writes.
 * Requests with an API key need no check. @throws cross_site
 */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string | undefined): void {
  if (SAFE.has(request.method) || bearerOf(request) !== null) return;
  if (request.headers["x-innkey"] !== "1") throw new DomainError("cross_site");
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && !FROM_HERE.has(String(site))) throw new DomainError("cross_site");
  if (origin === undefined) return;
  const allowed = [request.host, ...(publicUrl ? [new URL(publicUrl).host] : [])];
  if (!URL.canParse(origin) || !allowed.includes(new URL(origin).host)) throw new DomainError("cross_site");
}
